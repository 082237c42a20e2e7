import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, numberOption } from './bench-types.ts'
import {
  type Chain,
  connectFleet,
  consolePaths,
  countPlays,
  faultyPercentOf,
  withChain,
} from './connected-chain.ts'
import { type ConsoleTimes, startProber } from './console-prober.ts'
import { errorsOf, faultlessOf, type FleetProcess, settledSummary } from './fleet-process.ts'
import { runOperatorCommand } from './operator-command.ts'

const DEVICES = 2000
/** Short, so that each device plays several in the time that is lost. */
const TRACK_SECONDS = 60
const CALM_MS = 10_000
const BEFORE_MS = 30_000
const HOLE_SECONDS = 150
const MAX_AGAIN_SECONDS = 900

const startConsole = (chain: Chain) =>
  startProber(chain.fixture.origin, chain.fixture.token, consolePaths(chain, chain.simpleUid))

async function measureConsole(chain: Chain): Promise<ConsoleTimes> {
  const prober = startConsole(chain)
  await pause(CALM_MS)
  prober.take()
  await pause(BEFORE_MS)
  const taken = prober.take()
  prober.stop()
  return taken
}

/** The devices that are still to deliver again. */
async function countAwaited({ fixture }: Chain): Promise<number> {
  const { rows } = await fixture.superuser.query<{ devices: number }>(
    'select count(*)::int as devices from redeliveries',
  )
  return rows[0]?.devices ?? 0
}

/** Loses the database, restores it, and starts the server on its port. @returns the seconds of the restore */
async function burnAndRestore({ fixture }: Chain, target: string): Promise<number> {
  await fixture.killServers()
  await fixture.loseDatabase()
  const { seconds } = await runOperatorCommand('restore', [target], fixture.installation)
  await fixture.startServers()
  return seconds
}

/** Waits until all devices have delivered again. */
async function measureAgain(chain: Chain, fleet: FleetProcess) {
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1000
  fleet.mark()
  const prober = startConsole(chain)
  const calming = pause(CALM_MS).then(() => prober.take())
  let awaited = chain.devices.length
  while (awaited > 0 && passed() < MAX_AGAIN_SECONDS) {
    await pause(1000)
    awaited = await countAwaited(chain)
  }
  const seconds = passed()
  await calming
  const console = prober.take()
  prober.stop()
  return { seconds, awaited, console, summary: await settledSummary(fleet) }
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices } = chain
  const faultless = faultlessOf(devices, faultyPercentOf(args))
  const fleet = await connectFleet(chain, devices, args)
  const before = await measureConsole(chain)
  const target = join(fixture.folder, 'backups')
  const backup = await runOperatorCommand('backup', [target], fixture.installation)
  await pause(numberOption(args, '--seconds', HOLE_SECONDS) * 1000)
  const had = await countPlays(chain, faultless)
  const restoreSeconds = await burnAndRestore(chain, target)
  const has = await countPlays(chain, faultless)
  const again = await measureAgain(chain, fleet)
  const ended = await fleet.stop()
  const { stored, doubled } = await countPlays(chain, faultless)
  console.error(
    `${ended.plays} plays, ${stored} stored; ${JSON.stringify({ ...again.summary, publications: undefined })}`,
  )
  return {
    playsGone: had.stored - has.stored,
    playsLost: ended.plays - stored,
    playsDoubled: doubled,
    awaited: again.awaited,
    againSeconds: again.seconds,
    spreadSeconds: devices.length / 20,
    consoleBeforeP95: before.p95,
    consoleP95: again.console.p95,
    consoleMax: again.console.max,
    consoleFailed: again.console.failed,
    errors: errorsOf(again.summary),
    backupSeconds: backup.seconds,
    restoreSeconds,
    plays: ended.plays,
  }
}

const run = (args: readonly string[]) => {
  const count = numberOption(args, '--devices', DEVICES)
  const options = { count, trackSeconds: TRACK_SECONDS, keepsSent: true }
  return withChain(args, options, chain => measure(chain, args))
}

const bench: Bench = {
  name: 'restore',
  what: 'The database is lost with all devices connected, and restored from a backup: devices deliver again. --devices N (2,000), --seconds N since the backup (150), --faulty PERCENT (0)',
  numbers: ['--devices', '--seconds', '--faulty'],
  figures: {
    playsGone: { what: 'plays that the server had, and the backup does not', unit: '', atLeast: 1 },
    playsLost: { what: 'plays that the server does not have at the end', unit: '', atMost: 0 },
    playsDoubled: { what: 'plays that it has twice', unit: '', atMost: 0 },
    awaited: { what: 'devices that have not delivered again', unit: '', atMost: 0 },
    againSeconds: { what: 'from listening until all have delivered again', unit: 's', atMost: 600 },
    spreadSeconds: { what: 'the time over which the server spreads them', unit: 's' },
    consoleBeforeP95: { what: 'console calls before, p95', unit: 'ms' },
    consoleP95: { what: 'console calls meanwhile, from the tenth second on, p95', unit: 'ms', atMost: 300 },
    consoleMax: { what: 'console calls meanwhile, worst', unit: 'ms' },
    consoleFailed: { what: 'console calls meanwhile, refused or failed', unit: '', atMost: 0 },
    errors: { what: "errors of devices other than 'later'", unit: '', atMost: 0 },
    backupSeconds: { what: 'backup', unit: 's' },
    restoreSeconds: { what: 'restore', unit: 's' },
    plays: { what: 'plays', unit: '' },
  },
  run,
}
export default bench
