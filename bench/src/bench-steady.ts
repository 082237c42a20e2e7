import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, numberOption } from './bench-types.ts'
import { type Chain, connectFleet, consolePaths, withChain } from './connected-chain.ts'
import { startProber } from './console-prober.ts'
import type { ProcessorTimes } from './fleet-fixture.ts'
import { errorsOf, type FleetProcess, type FleetSummary } from './fleet-process.ts'

const DEVICES = 10_000
/** The first part of the devices, in parts of all. */
const FIRST_SHARE = 0.1
/** One track: all devices of a group change tracks at the same time. */
const WINDOW_MS = 180_000
const IDLE_MS = 20_000

interface Steady {
  times: ProcessorTimes
  summaries: FleetSummary[]
  consoleP95: number
}

async function measureSteady(chain: Chain, fleets: readonly FleetProcess[]): Promise<Steady> {
  const { fixture, simpleUid } = chain
  const prober = startProber(fixture.origin, fixture.token, consolePaths(chain, simpleUid))
  for (const fleet of fleets) fleet.mark()
  const end = fixture.measureProcessors()
  await pause(WINDOW_MS)
  const times = end()
  const { p95 } = prober.take()
  prober.stop()
  return { times, summaries: await Promise.all(fleets.map(fleet => fleet.summary())), consoleP95: p95 }
}

const coreOf = ({ server, postgres, passed }: ProcessorTimes) => (server + postgres) / passed
const worst = (values: readonly (number | null)[]) => Math.max(...values.map(value => value ?? 0))

async function countPlays({ fixture }: Chain): Promise<number> {
  const { rows } = await fixture.superuser.query<{ plays: string }>('select count(*) as plays from plays')
  return Number(rows[0]?.plays)
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices } = chain
  const count = Math.max(1, Math.round(devices.length * FIRST_SHARE))
  const endIdle = fixture.measureProcessors()
  await pause(IDLE_MS)
  const idleCore = coreOf(endIdle())
  const first = await connectFleet(chain, devices.slice(0, count), args)
  const few = await measureSteady(chain, [first])
  const rest = await connectFleet(chain, devices.slice(count), args)
  await fixture.takeLoopDelay()
  const all = await measureSteady(chain, [first, rest])
  const { p99: loopP99 } = await fixture.takeLoopDelay()
  const ends = await Promise.all([first, rest].map(fleet => fleet.stop()))
  const played = ends.reduce((sum, { plays }) => sum + plays, 0)
  const [fewCore, allCore] = [coreOf(few.times), coreOf(all.times)]
  return {
    idleCore,
    fewCore,
    allCore,
    serverCore: all.times.server / all.times.passed,
    growth: (allCore - idleCore) / devices.length / ((fewCore - idleCore) / count),
    heartbeatP95: worst(all.summaries.map(({ heartbeats }) => heartbeats.p95)),
    consoleP95: all.consoleP95,
    loopP99,
    errors: all.summaries.reduce((sum, summary) => sum + errorsOf(summary), 0),
    playsLost: played - (await countPlays(chain)),
    plays: played,
  }
}

const run = (args: readonly string[]) =>
  withChain(args, numberOption(args, '--devices', DEVICES), chain => measure(chain, args))

const bench: Bench = {
  name: 'steady',
  what: 'Devices of one group that play three-minute tracks: a tenth of them, then all; an open console. --devices N (10,000), --profile',
  options: ['--profile'],
  numbers: ['--devices'],
  figures: {
    idleCore: { what: 'server and PostgreSQL without devices', unit: 'cores' },
    fewCore: { what: 'with a tenth of the devices', unit: 'cores' },
    allCore: { what: 'with all devices', unit: 'cores', atMost: 0.6 },
    serverCore: { what: 'of that the server', unit: 'cores' },
    growth: { what: 'a device among all beside one of the tenth', unit: '×', atMost: 1.2 },
    heartbeatP95: { what: 'heartbeats, p95', unit: 'ms', atMost: 500 },
    consoleP95: { what: 'console calls, p95', unit: 'ms', atMost: 200 },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
    errors: { what: 'errors', unit: '', atMost: 0 },
    playsLost: { what: 'plays that the server does not have', unit: '', atMost: 0 },
    plays: { what: 'plays', unit: '' },
  },
  run,
}
export default bench
