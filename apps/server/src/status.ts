import { existsSync } from 'node:fs'
import { readInstalledVersion } from '@floorcast/embedded-postgres/postgres-binaries.ts'
import { Client } from 'pg'
import type { OpenInstallation, ServiceSettings } from './installation.ts'
import { momentOfName } from './platform/backup/backup-format.ts'
import { showBytes } from './platform/backup/progress.ts'
import { readAsBackup } from './platform/backup/tables.ts'
import { readTarget, TARGET_MISSING } from './platform/backup/target.ts'
import { requireMigrated } from './platform/database/migrations.ts'
import { requireRights } from './platform/database/rights.ts'
import { diskSizeOf, floorBytesOf } from './platform/storage/disk-space.ts'
import { version } from './version.ts'

/* `npm run admin -- status`: how the installation is, on one page, and what is wrong with it. */

export interface Status {
  /** A name and what is to be said of it. */
  lines: [string, string][]
  /** What somebody has to do something about. */
  faults: string[]
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Maintenance and backups run once a day. */
const MAX_AGE_MS = 2 * DAY_MS
/** Each server stores a sample once a minute. */
const MAX_SAMPLE_AGE_MS = 5 * 60_000
const MAX_MAIL_AGE_MS = 15 * 60_000

function showAge(at: Date, now: Date): string {
  const minutes = Math.round((now.getTime() - at.getTime()) / 60_000)
  if (minutes < 120) return `${minutes} min ago`
  return minutes < 72 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 60 / 24)} days ago`
}

interface Figures {
  postgres: string
  bytes: string
  clients: number
  devices: number
  online: number
  never: number
  playedAt: Date | null
  maintainedAt: Date | null
  failures: number | null
  sampledAt: Date | null
  servers: number
  mails: number
  mailDueAt: Date | null
}

/** Counts of all clients, by the role that reads all rows. A device is online for an hour, as in the lists (devices-sql.ts). Plays are looked for in the partitions of the last two days. */
const FIGURES = `
  select current_setting('server_version') as postgres, pg_database_size(current_database())::text as bytes,
    (select count(*)::int from clients) as clients,
    (select count(*)::int from devices where deleted_at is null) as devices,
    (select count(*)::int from device_states s join devices d on d.uid = s.device_uid
      where d.deleted_at is null and s.last_contact_at >= now() - interval '1 hour') as online,
    (select count(*)::int from devices d where d.deleted_at is null
      and not exists (select from device_states s where s.device_uid = d.uid and s.last_contact_at is not null)) as never,
    (select max(started_at) from plays where day >= current_date - 1) as "playedAt",
    (select max(ended_at) from maintenance_runs) as "maintainedAt",
    (select failures from maintenance_runs order by ended_at desc limit 1) as failures,
    (select max(at) from server_samples) as "sampledAt",
    (select count(distinct server)::int from server_samples where at > now() - interval '5 minutes') as servers,
    (select count(*)::int from mails where due_at is not null) as mails,
    (select min(created_at) from mails where due_at is not null) as "mailDueAt"`

async function readFigures(client: Client): Promise<Figures> {
  await readAsBackup(client)
  const { rows } = await client.query<Figures>(FIGURES)
  const [figures] = rows
  if (!figures) throw new Error('PostgreSQL did not answer')
  return figures
}

/** @throws Error if the database is none of this version */
export async function readStatus(
  installation: Pick<OpenInstallation, 'url' | 'name'>,
  { settings }: Pick<ServiceSettings, 'settings'>,
  now: Date,
): Promise<Status> {
  const client = new Client({ connectionString: installation.url })
  await client.connect()
  const faults: string[] = []
  try {
    const migrations = await requireMigrated(client)
    const rights = await requireRights(installation.url).then(
      added => {
        if (added.length > 0)
          faults.push(
            `The database has ${added.length} policies or rights that its schema does not have, such as '${added[0]}'`,
          )
        return 'policies and rights whole'
      },
      (error: unknown) => {
        faults.push(error instanceof Error ? error.message : String(error))
        return 'policies and rights not whole'
      },
    )
    const figures = await readFigures(client)
    if (settings.databaseUrl === null)
      faults.push(...findOldPostgres(figures.postgres, readInstalledVersion()))
    const ofDatabase = `PostgreSQL ${figures.postgres}, ${showBytes(Number(figures.bytes))}, migration ${migrations.at(-1)}, ${rights}`
    return {
      lines: [
        [
          'version',
          `${version.release}${version.commit === null ? '' : ` (${version.commit})`}, Node ${process.version}`,
        ],
        ['works on', installation.name],
        ['database', ofDatabase],
        ['disk', await describeDisk(settings, faults)],
        ['clients', String(figures.clients)],
        [
          'devices',
          `${figures.devices}: ${figures.online} online, ${figures.devices - figures.online - figures.never} away, ${figures.never} never connected`,
        ],
        [
          'plays',
          figures.playedAt === null
            ? 'none today or yesterday'
            : `the last began ${showAge(figures.playedAt, now)}`,
        ],
        ['servers', describeServers(figures, now, faults)],
        ['maintenance', describeMaintenance(figures, now, faults)],
        ['mails', settings.mail === null ? 'no mail server is set' : describeMails(figures, now, faults)],
        ['backup', await describeBackup(settings, now, faults)],
      ],
      faults,
    }
  } finally {
    await client.end()
  }
}

const minorOf = (version: string) => Number(/^\d+\.(\d+)/.exec(version)?.[1] ?? Number.NaN)

/** An upgrade brings a PostgreSQL, and the one that runs may still be that of before. */
export function findOldPostgres(running: string, installed: string): string[] {
  const isSameMajor = Number.parseInt(running) === Number.parseInt(installed)
  return isSameMajor && minorOf(running) < minorOf(installed)
    ? [`The embedded PostgreSQL ${running} runs, and ${installed} is installed: restart the server`]
    : []
}

async function describeDisk(
  { dataDir, minFreeDisk }: ServiceSettings['settings'],
  faults: string[],
): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} is not there`
  const { freeBytes: free, totalBytes: total } = await diskSizeOf(dataDir)
  const floor = floorBytesOf(total, minFreeDisk)
  if (free < floor)
    faults.push(
      `The disk of ${dataDir} is full: uploads and changes are refused below ${showBytes(floor)} (MIN_FREE_DISK)`,
    )
  return `${showBytes(free)} of ${showBytes(total)} free`
}

function describeServers({ servers, sampledAt }: Figures, now: Date, faults: string[]): string {
  if (sampledAt === null) return 'none has run yet'
  if (now.getTime() - sampledAt.getTime() > MAX_SAMPLE_AGE_MS)
    faults.push(`No server has run since ${sampledAt.toISOString()}`)
  return `${servers} running, the last sample ${showAge(sampledAt, now)}`
}

function describeMaintenance({ maintainedAt, failures }: Figures, now: Date, faults: string[]): string {
  if (maintainedAt === null) return 'has not run yet'
  if (now.getTime() - maintainedAt.getTime() > MAX_AGE_MS)
    faults.push(`The daily maintenance has not run since ${maintainedAt.toISOString()}: the log says why`)
  if (failures !== null && failures > 0)
    faults.push(`The last maintenance failed for ${failures} clients: the log says why`)
  return `${showAge(maintainedAt, now)}`
}

function describeMails({ mails, mailDueAt }: Figures, now: Date, faults: string[]): string {
  if (mailDueAt !== null && now.getTime() - mailDueAt.getTime() > MAX_MAIL_AGE_MS)
    faults.push(
      `A mail waits since ${mailDueAt.toISOString()}: is SMTP_URL right, and does the mail server answer?`,
    )
  return `${mails} waiting`
}

async function describeBackup(
  { backup, dataDir }: ServiceSettings['settings'],
  now: Date,
  faults: string[],
): Promise<string> {
  if (backup === null) return 'BACKUP_TARGET is not set'
  const { target } = backup
  const { names, isMissing } = await readTarget(target, dataDir)
  if (isMissing) {
    faults.push(`${target} ${TARGET_MISSING}`)
    return 'the target is not mounted'
  }
  const newest = names.at(-1)
  if (newest === undefined) {
    faults.push(`There is no backup in ${target} yet`)
    return 'none'
  }
  const at = momentOfName(newest)
  if (now.getTime() - at.getTime() > MAX_AGE_MS)
    faults.push(`The newest backup is of ${at.toISOString()}: the log says why`)
  return `${showAge(at, now)}, ${names.length} in ${target}`
}

/** The page, with what is wrong at its end. */
export function showStatus({ lines, faults }: Status): string {
  const page = lines.map(([name, text]) => `${name.padEnd(12)}${text}`)
  return [...page, ...faults.map(fault => `WRONG       ${fault}`)].join('\n')
}
