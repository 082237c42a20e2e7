import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampleFiles } from '@floorcast/sample-media/sample-media.ts'
import { z } from 'zod'
import type { Context } from '@floorcast/server/context.ts'
import type { Log } from '@floorcast/server/platform/log/log.ts'
import type { Extension, RunningExtension } from '@floorcast/server/server.ts'
import { DemoClient, type DemoDevice, type DemoMedia, type DemoShop } from './demo-client.ts'
import {
  DELAYED_WALL_TIME,
  type DemoContent,
  demoDrill,
  demoHours,
  type DemoPlace,
  readDemoContent,
} from './demo-content.ts'
import { HISTORY_MS, type PastDrill, writeHistory } from './demo-history.ts'
import { tagsOf, troubledShops } from './demo-trouble.ts'
import { openPast, type PastServer } from './past-server.ts'

const FLEET = fileURLToPath(new URL('../../fleet/src/main.ts', import.meta.url))

/** The time that the devices have to send their plays. The server has nine seconds to stop. */
const EXIT_TIMEOUT_MS = 3000

/** Starts the simulated devices as a separate process. @returns a function that stops it */
function startDemoFleet(
  log: Log,
  fleet: { origin: string; keysFile: string; devices: number; args: readonly string[] },
): () => Promise<void> {
  const { origin, keysFile, devices, args: more } = fleet
  const args = [
    FLEET,
    '--devices',
    String(devices),
    '--server',
    origin,
    '--keys',
    keysFile,
    '--ends-with-input',
    ...more,
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

/** The license keys of shops without trouble, and of those with a fault in the order of their faults. */
const Keys = z.object({ whole: z.array(z.string()), faulty: z.array(z.string()) })

const Account = z.object({ email: z.string(), password: z.string() })
type DemoAccount = z.infer<typeof Account>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

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
async function checkDemo(context: Context): Promise<void> {
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

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Says how to sign in once the shops and their history are there. */
async function announce({ email, password }: DemoAccount, whenFilled?: Promise<void>): Promise<void> {
  if (whenFilled)
    say('  The demonstration is being filled with a week of history. This takes about a minute.')
  await whenFilled
  say(`  Sign in as ${email} with the password ${password}`)
  say("  Simulated devices play, and some have trouble. Every file is Floorcast's own.")
}

/**
 * Fills an empty database over HTTP, as the console and devices do, so that every rule applies, and starts the simulated devices. The
 * server listens at `origin`. A later start finds the account and only starts the devices.
 */
async function startDemo(context: Context, origin: string): Promise<RunningExtension> {
  const account = await readAccount(context)
  if (account) {
    const stop = startFleets(context, origin)
    return { announce: () => void announce(account), whenReady: Promise.resolve(), stop }
  }
  const past = await openPast(context)
  const filled = await fillDemo(context, past)
  let isStopping = false
  const playing = writePast(context, past, filled).then(
    () => (isStopping ? null : startFleets(context, origin)),
    (error: unknown) => {
      context.log.error({ err: error }, 'the demonstration has no devices')
      return null
    },
  )
  const stop = async () => {
    isStopping = true
    await past.close()
    await (
      await playing
    )?.()
  }
  // By the present clock the session has ended with which it is filled, and its devices are down for a week.
  const whenReady = playing.then(() => undefined)
  return { announce: () => void announce(filled.account, whenReady), whenReady, stop }
}

export const demonstration: Extension = { check: checkDemo, start: startDemo }

/** The simulated devices of shops without trouble, and of those with a fault. */
function startFleets(context: Context, origin: string): () => Promise<void> {
  const keys = Keys.parse(JSON.parse(readFileSync(keysFile(context), 'utf8')))
  const fleetOf = (name: keyof typeof keys, args: readonly string[]) => {
    const file = join(folderOf(context), `license-keys-${name}.json`)
    writeFileSync(file, JSON.stringify(keys[name]), { mode: 0o600 })
    return startDemoFleet(context.log, { origin, keysFile: file, devices: keys[name].length, args })
  }
  const faults = troubledShops.flatMap(({ trouble }) => (trouble.kind === 'fault' ? trouble.fault : []))
  const stops = [fleetOf('whole', []), fleetOf('faulty', ['--faulty', '100', '--faults', faults.join(',')])]
  return async () => void (await Promise.all(stops.map(stop => stop())))
}

interface Filled {
  account: DemoAccount
  devices: DemoDevice[]
  /** The group that had a drill. */
  drillGroupUid: string
}

/** Adds what a chain has that began a week ago. */
async function fillDemo(context: Context, past: PastServer): Promise<Filled> {
  const now = context.now()
  past.setTime(now.getTime() - HISTORY_MS)
  // Each installation gets a new password: a known one would open every demonstration on a network.
  const account = { email: 'demo@floorcast.example', password: randomBytes(9).toString('base64url') }
  const content = readDemoContent(context.settings.demoLanguage)
  const client = await DemoClient.register(past.origin, { ...account, fullName: content.userName })
  await context.database.jobs.setSubscription(
    account.email,
    'professional',
    new Date(now.getTime() + YEAR_MS),
    now,
  )
  await mkdir(folderOf(context), { recursive: true, mode: 0o700 })
  const filled = await fillClient(client, content, now)
  await client.signOut()
  return { account, ...filled }
}

/** Milliseconds since 1970; null: it reports still, or never has. */
const awaySince = ({ trouble }: DemoDevice, now: number) =>
  trouble?.kind === 'away' ? now - trouble.hoursAgo * HOUR_MS : null

/** The drill of the second group's shops. */
function drillOf({ account, drillGroupUid: groupUid }: Filled, past: PastServer, now: Date): PastDrill {
  const { kind, daysAgo, minutesBeforeOpening, seconds } = demoDrill
  const [hours = 0, minutes = 0] = demoHours(now).openingTime.split(':').map(Number)
  // Most of these shops are an hour ahead of UTC, and the others open later.
  const opening = new Date(now.getTime() - daysAgo * DAY_MS).setUTCHours(hours - 2, minutes, 0, 0)
  const beganAt = opening - minutesBeforeOpening * MINUTE_MS
  let client: DemoClient | null = null
  return {
    kind,
    groupUid,
    beganAt,
    endedAt: beganAt + seconds * 1000,
    begin: async () => {
      client = await DemoClient.signIn(past.origin, account)
      return client.beginDrill(groupUid, kind)
    },
    end: async () => {
      await client?.endDrill(groupUid, kind)
      await client?.signOut()
    },
  }
}

/** Writes the history of the devices, unless the program stops, and gives those that go on playing to the simulated ones. */
async function writePast(context: Context, past: PastServer, filled: Filled): Promise<void> {
  const at = context.now()
  const now = at.getTime()
  const begun = filled.devices.filter(({ trouble }) => trouble?.kind !== 'never')
  const shops = begun.map(device => ({ ...device, awaySince: awaySince(device, now) }))
  await writeHistory(past, shops, { now, drill: drillOf(filled, past, at) }).catch((error: unknown) => {
    context.log.warn({ err: error }, 'the history of the demonstration is not whole')
  })
  await past.close()
  const keys: z.infer<typeof Keys> = { whole: [], faulty: [] }
  for (const { licenseKey, trouble } of shops.filter(shop => shop.awaySince === null))
    keys[trouble?.kind === 'fault' ? 'faulty' : 'whole'].push(licenseKey)
  await writeFile(keysFile(context), JSON.stringify(keys), { mode: 0o600 })
  await writeFile(accountFile(context), JSON.stringify(filled.account), { mode: 0o600 })
}

/** A shop with the tags of its place and its hours. */
function shopOf(place: DemoPlace, now: Date, shop: Pick<DemoShop, 'storeNumber' | 'trouble'>): DemoShop {
  const [name, city, country, latitude, longitude, timeZone] = place
  const own = shop.trouble ? tagsOf(shop.trouble, now) : {}
  return { ...shop, name, tags: { city, country, latitude, longitude, timeZone, ...demoHours(now), ...own } }
}

/** Adds the media, groups with shops, playlists and publications, and what else a chain has. */
async function fillClient(
  client: DemoClient,
  content: DemoContent,
  now: Date,
): Promise<Omit<Filled, 'account'>> {
  const media = new Map<string, DemoMedia>()
  for (const file of sampleFiles)
    media.set(file.name, await client.upload(file, content.nameOfMedia(file.name)))
  const devices: DemoDevice[] = []
  const made: { groupUid: string; playlistUid: string }[] = []
  const troubled = troubledShops.map(({ place, ...shop }) => shopOf(place, now, shop))
  for (const [index, show] of content.shows.entries()) {
    const { name, description, firstStoreNumber } = show.group
    const shops = show.group.shops.map((place, at) =>
      shopOf(place, now, { storeNumber: String(firstStoreNumber + at) }),
    )
    const more = index === 0 ? troubled.filter(({ trouble }) => trouble?.kind !== 'unpublished') : []
    const group = await client.makeGroup(show.kind, { name, description, shops: [...shops, ...more] })
    devices.push(...group.devices)
    const bound = { groupUid: group.groupUid, playlistUid: await client.makePlaylist(show, media) }
    made.push(bound)
    await client.publish(show, { name: show.publication, ...bound })
  }
  const unpublished = troubled.filter(({ trouble }) => trouble?.kind === 'unpublished')
  const waiting = await client.makeGroup('audio', { ...content.unpublished, shops: unpublished })
  devices.push(...waiting.devices)
  const groupUids = made.map(({ groupUid }) => groupUid)
  for (const profile of content.profiles) await client.makeProfile(profile, groupUids)
  const [first, second] = made
  const [show] = content.shows
  if (first) await client.makeUpdate(content.update, first.groupUid)
  if (first && second && show) {
    const day = new Date(now.getTime() + 2 * DAY_MS).toISOString().slice(0, 10)
    await client.publish(show, {
      name: content.delayedPublication,
      groupUid: first.groupUid,
      playlistUid: second.playlistUid,
      startsAt: `${day}T${DELAYED_WALL_TIME}`,
    })
  }
  return { devices, drillGroupUid: second?.groupUid ?? '' }
}
