import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Client } from 'pg'
import { checkFiles } from './check-files.ts'
import { type AskedServer, checkAddress, findServer, targetsOf } from './check-proxy.ts'
import { type Finding, right, wrong } from './finding.ts'
import type { OpenInstallation, ServiceSettings } from '../installation.ts'
import { readSecretBox } from '../platform/auth/secret-box.ts'
import { readAsBackup } from '../platform/backup/tables.ts'
import { requireMigrated } from '../platform/database/migrations.ts'
import { makeProbeToken } from '../platform/http/routes/probe.ts'
import { openMailTransport, verifyMailServer } from '../platform/mail/mail-transport.ts'
import type { Settings } from '../platform/settings/settings.ts'

/* `npm run admin -- check`: whether what stands around the server is set up as it has to be. It changes nothing. */

export interface CheckOptions {
  /** Who gets a mail; null: none is sent. */
  mailTo: string | null
  now: () => Date
}

/** Devices take their time from the server. */
const MAX_CLOCK_MS = 2000
/** Fewer devices say nothing of the server's clock. */
const MIN_DEVICES = 5
const MAX_DEVICE_CLOCK_SECONDS = 60
const MAIL_TIMEOUT_MS = 30_000
const COMMON_PASSWORDS =
  /^(floorcast|postgres|postgresql|password|passwort|secret|admin|root|test|change-?me|123456\d*|qwerty)$/i

/** @throws Error if the database is none of this version */
export async function checkInstallation(
  installation: Pick<OpenInstallation, 'url'>,
  { settings }: Pick<ServiceSettings, 'settings'>,
  options: CheckOptions,
): Promise<Finding[]> {
  const client = new Client({ connectionString: installation.url })
  await client.connect()
  try {
    await requireMigrated(client)
    const { findings, server } = await checkServers(settings, options.now)
    return [
      ...findings,
      ...(server === null ? [] : [checkOpenFiles(server)]),
      await checkClock(client, server?.aheadMs ?? 0, options.now),
      await checkDeviceClocks(client),
      ...(await checkFiles(client, settings)),
      await checkSecretKey(client, settings),
      checkPassword(settings),
      await checkMail(settings, options.mailTo),
    ]
  } finally {
    await client.end()
  }
}

/** Asks by the public addresses; `server` is the first that answers. */
async function checkServers(
  settings: Settings,
  now: () => Date,
): Promise<{ findings: Finding[]; server: AskedServer | null }> {
  const findings: Finding[] = []
  let server: AskedServer | null = null
  for (const target of targetsOf(settings)) {
    const { address } = target
    const fault = await findServer(address)
    if (fault !== null) {
      findings.push(wrong('server', fault))
      continue
    }
    const box = await readSecretBox(settings.secretKeyFile).catch(() => null)
    if (box === null) continue // `checkSecretKey` tells it.
    const checked = await checkAddress(target, { token: makeProbeToken(box, now()), settings, now: now() })
    if (checked.server) findings.push(right('server', `${nameOf(checked.server)} answers at ${address}`))
    findings.push(...checked.findings)
    server ??= checked.server
  }
  return { findings, server }
}

const nameOf = ({ line: { version, commit } }: AskedServer) =>
  `${version}${commit === null ? '' : ` (${commit})`}`

function checkOpenFiles({ line: { maxConnections, filesForConnections } }: AskedServer): Finding {
  if (filesForConnections === null) return right('open files', 'this system does not say its limit')
  return filesForConnections < maxConnections
    ? wrong(
        'open files',
        `The server may open files for ${filesForConnections} connections (ulimit -n), and MAX_CONNECTIONS is ${maxConnections}: raise LimitNOFILE in the unit, or set a lower MAX_CONNECTIONS`,
      )
    : right('open files', `for ${filesForConnections} connections, of which ${maxConnections} are let in`)
}

const showSeconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`

/** @param aheadMs how far the server's clock is ahead of this machine's */
async function checkClock(client: Client, aheadMs: number, now: () => Date): Promise<Finding> {
  const asked = now().getTime()
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  const here = (asked + now().getTime()) / 2
  const behindMs = (rows[0]?.at.getTime() ?? here) - (here + aheadMs)
  return Math.abs(behindMs) > MAX_CLOCK_MS
    ? wrong(
        'clock',
        `The server's clock is ${showSeconds(behindMs)} ${behindMs > 0 ? 'behind' : 'ahead of'} PostgreSQL's: let both follow a time server (timedatectl set-ntp true)`,
      )
    : right('clock', `${showSeconds(behindMs)} from PostgreSQL's`)
}

/** The clocks of devices that have reported within the hour. */
async function checkDeviceClocks(client: Client): Promise<Finding> {
  await readAsBackup(client)
  const { rows } = await client.query<{ devices: number; median: number | null }>(`
    select count(*)::int as devices,
      percentile_cont(0.5) within group (order by extract(epoch from device_clock_at - last_contact_at))::float8 as median
    from device_states where last_contact_at > now() - interval '1 hour' and device_clock_at is not null`)
  const { devices = 0, median = null } = rows[0] ?? {}
  if (median === null || devices < MIN_DEVICES)
    return right('device clocks', `${devices} reported within the hour`)
  return Math.abs(median) > MAX_DEVICE_CLOCK_SECONDS
    ? wrong(
        'device clocks',
        `Half of ${devices} devices are ${showSeconds(median * 1000)} or more ${median > 0 ? 'ahead of' : 'behind'} the server: is the server's own clock right?`,
      )
    : right('device clocks', `the middle one of ${devices} is ${showSeconds(median * 1000)} from the server`)
}

async function checkSecretKey(client: Client, { dataDir, secretKeyFile: path }: Settings): Promise<Finding> {
  const mode = (await stat(path).catch(() => null))?.mode
  if (mode === undefined)
    return wrong(
      'secret key',
      `${path} is not there: are DATA_DIR and SECRET_KEY_FILE those of the server? If it is lost, bring it back from where it was kept apart (docs/operate/backup.md)`,
    )
  // A secret that is mounted is its group's.
  const others = dirname(path) === dataDir ? 0o077 : 0o027
  if ((mode & others) !== 0) return wrong('secret key', `Others may read ${path}: chmod 600 ${path}`)
  const box = await readSecretBox(path).catch((error: unknown) => String(error))
  if (typeof box === 'string') return wrong('secret key', box)
  const { rows } = await client.query<{ fingerprint: Buffer | null }>(
    'select key_fingerprint as fingerprint from installation_state',
  )
  const noted = rows[0]?.fingerprint ?? null
  if (noted === null) return right('secret key', `${path}, which no server has noted yet`)
  return box.fingerprint.equals(noted)
    ? right('secret key', `${path} is the key of this database`)
    : wrong(
        'secret key',
        `${path} is not the key of this database: bring back the one that was kept apart (docs/operate/backup.md)`,
      )
}

function checkPassword({ databaseUrl }: Settings): Finding {
  if (databaseUrl === null) return right('password', 'the embedded database has one of its own')
  const { username, password } = new URL(databaseUrl)
  if (password === '')
    return right('password', 'DATABASE_URL has none: PostgreSQL knows its user in another way')
  const text = decodeURIComponent(password)
  return COMMON_PASSWORDS.test(text) || text === decodeURIComponent(username)
    ? wrong(
        'password',
        'The password in DATABASE_URL is one that anybody tries first. Give its user another: openssl rand -hex 24',
      )
    : right('password', 'that of DATABASE_URL is no common one')
}

async function checkMail({ mail, publicUrl }: Settings, to: string | null): Promise<Finding> {
  if (mail === null) return right('mail', 'no mail server is set (SMTP_URL): links are shown to admins')
  const at = `${mail.host}:${mail.port}`
  try {
    await verifyMailServer(mail)
    if (to === null) return right('mail', `${at} lets the server in; --mail ADDRESS sends one`)
    const text = `Floorcast at ${publicUrl} can send mails.`
    const content = { to, subject: 'Floorcast can send mails', text, html: `<p>${text}</p>` }
    await openMailTransport(mail).send(content, AbortSignal.timeout(MAIL_TIMEOUT_MS))
    return right('mail', `${at} has taken a mail to ${to}`)
  } catch (error) {
    return wrong(
      'mail',
      `${at} takes no mails (${error instanceof Error ? error.message : String(error)}): is SMTP_URL right, with user, password and port, and does a firewall let it through?`,
    )
  }
}

/** One line for each finding. */
export const showFindings = (findings: readonly Finding[]): string =>
  findings
    .map(({ subject, isWrong, text }) => `${isWrong ? 'WRONG' : 'OK   '} ${subject.padEnd(14)}${text}`)
    .join('\n')
