import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Log } from '../../platform/log/log.ts'
import { DemoClient, type DemoMedia } from './demo-client.ts'
import { demoDelayed, demoMedia, demoShows } from './demo-content.ts'

const FLEET = fileURLToPath(new URL('../../../../fleet/src/main.ts', import.meta.url))

/** The time that the devices have to send their plays. The server has nine seconds to stop. */
const EXIT_TIMEOUT_MS = 3000

/** Starts the simulated devices as a separate process. @returns a function that stops it */
function startDemoFleet(
  log: Log,
  fleet: { origin: string; keysFile: string; devices: number },
): () => Promise<void> {
  const { origin, keysFile, devices } = fleet
  const args = [
    FLEET,
    '--devices',
    String(devices),
    '--server',
    origin,
    '--keys',
    keysFile,
    '--ends-with-input',
  ]
  const program = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  let isStopping = false
  program.once('error', error => log.error({ err: error }, 'the simulated devices could not start'))
  const ended = once(program, 'exit').then(
    ([code]: unknown[]) => {
      if (!isStopping) log.warn({ code }, 'the simulated devices ended')
    },
    () => undefined,
  )
  return async () => {
    isStopping = true
    program.kill('SIGTERM')
    const late = setTimeout(() => program.kill('SIGKILL'), EXIT_TIMEOUT_MS)
    await ended
    clearTimeout(late)
  }
}

const Account = z.object({ email: z.string(), password: z.string() })
type DemoAccount = z.infer<typeof Account>

const YEAR_MS = 365 * 86_400_000

const folderOf = (context: Context) => join(context.settings.dataDir, 'demo')
const accountFile = (context: Context) => join(folderOf(context), 'account.json')
const keysFile = (context: Context) => join(folderOf(context), 'license-keys.json')

/** The account of the demonstration in this data folder; null if there is none. */
async function readAccount(context: Context): Promise<DemoAccount | null> {
  try {
    return Account.parse(JSON.parse(await readFile(accountFile(context), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Checks that the database is empty or has the demonstration of this data folder.
 * @throws Error if it has other data
 */
export async function checkDemo(context: Context): Promise<void> {
  if (!(await context.database.auth.hasClients())) {
    if (context.settings.mail === null) return
    throw new Error(
      'A demonstration cannot confirm the email of its user. Start it without SMTP_URL and MAIL_FROM.',
    )
  }
  const account = await readAccount(context)
  if (account && (await context.database.auth.userByEmail(account.email))) return
  throw new Error(
    'The database holds a client already, and a demonstration fills only an empty one. Start without --demo, or with another DATA_DIR.',
  )
}

export interface Demo {
  account: DemoAccount
  stop: () => Promise<void>
}

/**
 * Fills an empty database over HTTP, as the console does, so that every rule applies, and starts the simulated devices. The
 * server listens at `origin`. A later start finds the account and only starts the devices.
 */
export async function startDemo(context: Context, origin: string): Promise<Demo> {
  const account = (await readAccount(context)) ?? (await fillDemo(context, origin))
  const devices = demoShows.reduce((sum, { group }) => sum + group.devices.length, 0)
  const stop = startDemoFleet(context.log, { origin, keysFile: keysFile(context), devices })
  return { account, stop }
}

async function fillDemo(context: Context, origin: string): Promise<DemoAccount> {
  const now = context.now()
  // Each installation gets a new password: a known one would open every demonstration on a network.
  const account = { email: 'demo@floorcast.example', password: randomBytes(9).toString('base64url') }
  const client = await DemoClient.register(origin, account)
  await context.database.jobs.setSubscription(
    account.email,
    'professional',
    new Date(now.getTime() + YEAR_MS),
    now,
  )
  await mkdir(folderOf(context), { recursive: true, mode: 0o700 })
  const licenseKeys = await fillClient(client, now)
  await writeFile(keysFile(context), JSON.stringify(licenseKeys), { mode: 0o600 })
  await writeFile(accountFile(context), JSON.stringify(account), { mode: 0o600 })
  return account
}

async function fillClient(client: DemoClient, now: Date): Promise<string[]> {
  const media = new Map<string, DemoMedia>()
  for (const contentType of ['melodies', 'ads', 'videos', 'videosAds'] as const)
    for (const name of demoMedia[contentType]) media.set(name, await client.upload(contentType, name))
  const licenseKeys: string[] = []
  const made: { groupUid: string; playlistUid: string }[] = []
  for (const show of demoShows) {
    const group = await client.makeGroup(show)
    licenseKeys.push(...group.licenseKeys)
    const bound = { groupUid: group.groupUid, playlistUid: await client.makePlaylist(show, media) }
    made.push(bound)
    await client.publish(show, { name: show.publication, ...bound })
  }
  const [first, second] = made
  const [show] = demoShows
  if (first && second && show) {
    const day = new Date(now.getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
    const startsAt = `${day}T${demoDelayed.wallTime}`
    const { groupUid } = first
    await client.publish(show, {
      name: demoDelayed.publication,
      groupUid,
      playlistUid: second.playlistUid,
      startsAt,
    })
  }
  return licenseKeys
}
