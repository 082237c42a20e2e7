import { release } from '@floorcast/contract/release.ts'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { Cue } from '@floorcast/playback/cue-types.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { startAgent } from './agent.ts'
import { help, type Options, readOptions, WrongUse } from './options.ts'
import { build } from './report/program-version.ts'
import { runSelfTest } from './self-test.ts'
import { foldersOf, lockFolder, restrictFolder } from './store/data-folder.ts'
import { EventStore } from './store/event-store.ts'
import { makeMediaStore } from './store/media-store.ts'
import { makeStateStore } from './store/state-store.ts'
import { openStore } from './store/store.ts'
import { extendConnectTimeout } from './sync/connect-timeout.ts'
import { trustSystemAuthorities } from './sync/trust-system.ts'
import { tryData } from './trial.ts'
import { exitCodes } from './update/exit-codes.ts'
import { showLife } from './update/health-signs.ts'
import { installProgram } from './update/install-program.ts'
import { notifyWatchdog } from './update/service-watchdog.ts'
import { Supervisor } from './update/supervisor.ts'

const CUES = 10

function openExisting(dataDir: string) {
  if (!existsSync(foldersOf(dataDir).database))
    throw new Error(`There is no agent in ${dataDir}; name its folder with --data, or start it once`)
  return openStore(dataDir)
}

/** Prints the whole event log, oldest first, one JSON line for each event. */
function printEvents(dataDir: string, print: (line: string) => void): void {
  const store = openExisting(dataDir)
  for (const event of new EventStore(store).readAll()) print(JSON.stringify(event))
  store.close()
}

function toLine(cue: Cue): object {
  const until = new Date(cue.until).toISOString()
  if (cue.kind === 'silent') return { silent: cue.because, until }
  const name = cue.file?.name ?? 'siren'
  const startsAt = new Date(cue.startsAt).toISOString()
  if (cue.kind === 'alert') return { alert: cue.alert.kind, name, startsAt, until }
  const { because, offsetSeconds, publication, cutBy } = cue
  return { plays: name, because, publication: publication.name, startsAt, offsetSeconds, until, cutBy }
}

/** Prints the cues from now on, by the manifest and the files on the disk, one JSON line for each. */
function printCues(dataDir: string, now: number, print: (line: string) => void): void {
  const store = openExisting(dataDir)
  const state = makeStateStore(store)
  const book = makeManifestStore(state)
  const alerts = makeAlertNotices(state, book).open()
  const manifest = (book.playing() ?? book.newest())?.manifest
  if (!manifest) throw new Error('No manifest has come yet: start the agent with --server and --key')
  const { held } = makeMediaStore(dataDir, store)
  for (let at = now, count = 0; count < CUES; count += 1) {
    const cue = cueAt(withAlerts(manifest, alerts), at, held)
    print(JSON.stringify(toLine(cue)))
    at = cue.until
  }
  store.close()
}

const signals = ['SIGTERM', 'SIGINT'] as const

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** A picture that is missing keeps no shop silent. */
function findPicture(path: string | null): string | null {
  if (path === null || existsSync(path)) return path
  print(`There is no picture ${path}: the screen shows the logo`)
  return null
}

async function play({
  server,
  key,
  dataDir,
  audioOutput,
  picture,
  heartbeatSeconds,
  updates,
}: Options): Promise<number> {
  showLife()
  if (!server || !key) throw new WrongUse('--server and --key or --key-file are needed')
  process.umask(0o077)
  restrictFolder(dataDir)
  lockFolder(dataDir)
  extendConnectTimeout()
  trustSystemAuthorities()
  const agent = startAgent({
    server,
    key,
    dataDir,
    audioOutput,
    picture: findPicture(picture),
    heartbeatSeconds,
    updates,
    print,
  })
  // A service manager may send it to all processes of the service, and the supervisor passes it on.
  for (const signal of signals) process.on(signal, () => agent.stop())
  process.once('disconnect', () => agent.stop())
  return exitCodes[await agent.ended]
}

async function supervise({ dataDir, healthSeconds }: Options): Promise<number> {
  process.umask(0o077)
  const args = process.argv.slice(2).filter(arg => arg !== '--supervise')
  const installed = process.argv[1] ?? ''
  const supervisor = new Supervisor({ dataDir, installed, args, healthSeconds, print })
  for (const signal of signals) process.on(signal, () => supervisor.stop(signal))
  notifyWatchdog(process.env, print)
  return supervisor.supervise()
}

/** The last of the output is the reason of the step `failed`. */
async function orExplain(work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

async function selfTest({ positionals: [copy], healthSeconds }: Options): Promise<void> {
  process.umask(0o077)
  await orExplain(async () => {
    runSelfTest()
    if (copy !== undefined) await tryData(resolve(copy), healthSeconds)
  })
  // A player that hangs must not keep the process alive.
  process.exit()
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.command === 'print-help') print(help)
  else if (options.command === 'print-version') print(release.version)
  else if (options.command === 'print-build') print(`${release.version} ${build ?? 'sources'}`)
  else if (options.command === 'self-test') await selfTest(options)
  else if (options.command === 'print-events') printEvents(options.dataDir, print)
  else if (options.command === 'print-cue') printCues(options.dataDir, Date.now(), print)
  else if (options.command === 'install-update') await orExplain(() => installProgram(options, print))
  else if (options.command === 'supervise') process.exit(await supervise(options))
  // Pending calls must not keep the process alive.
  else process.exit(await play(options))
}

try {
  await run()
} catch (error) {
  const isWrongUse =
    error instanceof WrongUse ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n${isWrongUse ? `\n${help}` : ''}`,
  )
  // Timers of what has begun already must not keep it alive. Only wrong settings are no better after a restart.
  process.exit(isWrongUse ? exitCodes.wrongUse : exitCodes.failed)
}
