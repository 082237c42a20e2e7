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
import type { ProcessorTimes } from './fleet-fixture.ts'
import {
  errorsOf,
  faultlessOf,
  type FleetProcess,
  type FleetSummary,
  settledSummary,
} from './fleet-process.ts'

const DEVICES = 10_000
/** The first part of the devices, in parts of all. */
const FIRST_SHARE = 0.1
/** One track: all devices of a group change tracks at the same time. */
const WINDOW_MS = 180_000
/** The first calls of a new server cost more than those that follow. */
const WARM_UP_MS = 10_000
const IDLE_MS = 60_000

interface Steady {
  times: ProcessorTimes
  /** At the end of the time that is measured. */
  heartbeatP95: number
  /** Some quiet seconds later, in which the last calls were answered. */
  summaries: FleetSummary[]
  console: ConsoleTimes
}

const startConsole = (chain: Chain) =>
  startProber(chain.fixture.origin, chain.fixture.token, consolePaths(chain, chain.simpleUid))

/** Server and PostgreSQL without devices, with the same console as in the measurements. */
async function measureIdle(chain: Chain): Promise<{ times: ProcessorTimes; console: ConsoleTimes }> {
  const prober = startConsole(chain)
  await pause(WARM_UP_MS)
  prober.take()
  const end = chain.fixture.measureProcessors()
  await pause(IDLE_MS)
  const times = end()
  const taken = prober.take()
  prober.stop()
  return { times, console: taken }
}

async function measureSteady(chain: Chain, fleets: readonly FleetProcess[]): Promise<Steady> {
  const prober = startConsole(chain)
  for (const fleet of fleets) fleet.mark()
  const end = chain.fixture.measureProcessors()
  await pause(WINDOW_MS)
  const times = end()
  const taken = prober.take()
  prober.stop()
  const atEnd = await Promise.all(fleets.map(fleet => fleet.summary()))
  const heartbeatP95 = worst(atEnd.map(({ heartbeats }) => heartbeats.p95))
  const summaries = await Promise.all(fleets.map(settledSummary))
  return { times, heartbeatP95, summaries, console: taken }
}

const coreOf = ({ server, postgres, passed }: ProcessorTimes) => (server + postgres) / passed
/** NaN if a fleet has no answer at all. */
const worst = (values: readonly (number | null)[]) => Math.max(...values.map(value => value ?? Number.NaN))

/** NaN where the idle server cost more than that with few devices: other programs disturbed the measurement. */
const growthOf = ({ all, few }: { all: number; few: number }) => (few > 0 ? all / few : Number.NaN)

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices } = chain
  const count = Math.max(1, Math.round(devices.length * FIRST_SHARE))
  const idle = await measureIdle(chain)
  const first = await connectFleet(chain, devices.slice(0, count), args)
  const few = await measureSteady(chain, [first])
  const rest = await connectFleet(chain, devices.slice(count), args)
  await fixture.takeLoopDelay()
  const all = await measureSteady(chain, [first, rest])
  const { p99: loopP99 } = await fixture.takeLoopDelay()
  const ends = await Promise.all([first, rest].map(fleet => fleet.stop()))
  const played = ends.reduce((sum, { plays }) => sum + plays, 0)
  const percent = faultyPercentOf(args)
  const faultless = [devices.slice(0, count), devices.slice(count)].flatMap(part =>
    faultlessOf(part, percent),
  )
  const { stored, doubled } = await countPlays(chain, faultless)
  const [idleCore = 0, fewCore = 0, allCore = 0] = [idle, few, all].map(({ times }) => coreOf(times))
  return {
    idleCore,
    fewCore,
    allCore,
    serverCore: all.times.server / all.times.passed,
    growth: growthOf({ all: (allCore - idleCore) / devices.length, few: (fewCore - idleCore) / count }),
    heartbeatP95: all.heartbeatP95,
    heartbeatsUnanswered: all.summaries.reduce((sum, { heartbeats }) => sum + heartbeats.unanswered, 0),
    consoleP95: all.console.p95,
    consoleFailed: idle.console.failed + few.console.failed + all.console.failed,
    loopP99,
    errors: all.summaries.reduce((sum, summary) => sum + errorsOf(summary), 0),
    playsLost: played - stored,
    playsDoubled: doubled,
    plays: played,
  }
}

const run = (args: readonly string[]) =>
  withChain(args, { count: numberOption(args, '--devices', DEVICES) }, chain => measure(chain, args))

const bench: Bench = {
  name: 'steady',
  what: 'Devices of one group that play three-minute tracks: a tenth of them, then all; an open console. --devices N (10,000), --faulty PERCENT (0), --cell (2 api and 2 stream servers behind HAProxy), --profile',
  options: ['--cell', '--profile'],
  numbers: ['--devices', '--faulty'],
  figures: {
    idleCore: { what: 'server and PostgreSQL without devices, with the console', unit: 'cores' },
    fewCore: { what: 'with a tenth of the devices', unit: 'cores' },
    allCore: { what: 'with all devices', unit: 'cores', atMost: 0.6 },
    serverCore: { what: 'of that the server', unit: 'cores' },
    growth: { what: 'a device among all beside one of the tenth', unit: '×', atMost: 1.2 },
    heartbeatP95: { what: 'heartbeats, p95', unit: 'ms', atMost: 500 },
    heartbeatsUnanswered: { what: 'heartbeats without an answer', unit: '' },
    consoleP95: { what: 'console calls, p95', unit: 'ms', atMost: 200 },
    consoleFailed: { what: 'console calls, refused or failed', unit: '', atMost: 0 },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
    errors: { what: 'errors', unit: '', atMost: 0 },
    playsLost: { what: 'plays that the server does not have', unit: '', atMost: 0 },
    playsDoubled: { what: 'plays that it has twice', unit: '', atMost: 0 },
    plays: { what: 'plays', unit: '' },
  },
  run,
}
export default bench
