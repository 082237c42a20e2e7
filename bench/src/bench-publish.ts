import { setTimeout as pause } from 'node:timers/promises'
import {
  changePublicationState,
  delayPublication,
  listPublications,
} from '@floorcast/contract/publications.ts'
import { type Bench, type Figure, numberOption } from './bench-types.ts'
import {
  type Chain,
  connectFleet,
  consolePaths,
  revisionOf,
  waitForTrackChange,
  withChain,
} from './connected-chain.ts'
import { type ConsoleTimes, startProber } from './console-prober.ts'
import type { ProcessorTimes } from './fleet-fixture.ts'
import {
  errorsOf,
  type FleetProcess,
  type FleetSummary,
  settledSummary,
  waitForFleet,
} from './fleet-process.ts'

const DEVICES = 10_000
const MAX_WAVE_SECONDS = 240
/** The card's readiness follows within this time, or is not counted. */
const MAX_CARD_SECONDS = 60
const QUIET_MS = 15_000
const SETTLE_MS = 30_000
/** Devices report a change of tracks within twenty seconds. */
const AFTER_CHANGE_MS = 25_000
const DAY_MS = 86_400_000

interface Wave {
  heldSeconds: number
  cardSeconds: number
  heartbeatP95: number
  /** Until the console counts all devices as ready, and some quiet seconds more, in which the last ones were answered. */
  heartbeats: FleetSummary['heartbeats']
  summary: FleetSummary
  times: ProcessorTimes
  /** Of the server and PostgreSQL before the change, a second. */
  quiet: ProcessorTimes
  console: ConsoleTimes
  loopP99: number
}

interface WaveParts {
  chain: Chain
  fleet: FleetProcess
  publicationUid: string
}

/** Resolves to the seconds until the console counts all devices without a fault as ready; NaN if it does not. */
async function waitForCard(parts: WaveParts, startedAt: number): Promise<number> {
  const { chain, fleet, publicationUid } = parts
  const { call } = chain.fixture
  while (Date.now() - startedAt < (MAX_WAVE_SECONDS + MAX_CARD_SECONDS) * 1000) {
    const { items } = await call(listPublications, { params: { x: 'all' }, query: {} })
    const readiness = items.find(({ uid }) => uid === publicationUid)?.readiness
    if ((readiness?.holding ?? 0) >= fleet.faultless) return (Date.now() - startedAt) / 1000
    await pause(500)
  }
  return Number.NaN
}

/** Changes a publication and waits until the last device holds it. No change of tracks falls into the time that is measured. */
async function measureWave(parts: WaveParts, change: () => Promise<unknown>): Promise<Wave> {
  const { chain, fleet, publicationUid } = parts
  const { fixture } = chain
  await waitForTrackChange(chain, AFTER_CHANGE_MS)
  const prober = startProber(fixture.origin, fixture.token, consolePaths(chain, publicationUid))
  const endQuiet = fixture.measureProcessors(fleet.pid)
  await pause(QUIET_MS)
  const quiet = endQuiet()
  prober.take()
  fleet.mark()
  await fixture.takeLoopDelay()
  const end = fixture.measureProcessors(fleet.pid)
  const startedAt = Date.now()
  await change()
  const revision = await revisionOf(chain, publicationUid)
  const holdingOf = ({ publications }: FleetSummary) =>
    publications.find(each => each.uid === publicationUid && each.revision === revision)
  const card = waitForCard(parts, startedAt)
  const seconds = await waitForFleet(
    fleet,
    summary => holdingOf(summary)?.devices === fleet.faultless,
    MAX_WAVE_SECONDS,
  )
  const times = end()
  const { p99 } = await fixture.takeLoopDelay()
  const summary = await fleet.summary()
  const taken = prober.take()
  const holding = holdingOf(summary)
  const isHeld = seconds !== null && holding
  if (!isHeld)
    console.error(
      `${holding?.devices ?? 0} of ${fleet.faultless} devices hold it after ${MAX_WAVE_SECONDS} s`,
    )
  const cardSeconds = await card
  prober.stop()
  const heartbeatP95 = (await fleet.summary()).heartbeats.p95 ?? Number.NaN
  const { heartbeats } = await settledSummary(fleet)
  const heldSeconds = isHeld ? (holding.lastAt - startedAt) / 1000 : Number.NaN
  const figures = { heldSeconds, cardSeconds, heartbeatP95, heartbeats, loopP99: p99 }
  return { ...figures, summary, times, quiet, console: taken }
}

function figuresOf(name: string, wave: Wave, count: number): Record<string, number> {
  const { summary, times, quiet, heartbeats } = wave
  const { manifests, programmes, bytes } = summary
  /** Beyond what a quiet server needs in the same time. */
  const ownOf = (name: 'server' | 'postgres') =>
    perDevice(times[name] - (quiet[name] / quiet.passed) * times.passed)
  const perDevice = (seconds: number) => (seconds * 1000) / count
  const values = {
    HeldSeconds: wave.heldSeconds,
    CardSeconds: wave.cardSeconds,
    ServerMs: perDevice(times.server),
    OwnServerMs: ownOf('server'),
    PostgresMs: perDevice(times.postgres),
    OwnPostgresMs: ownOf('postgres'),
    FleetMs: perDevice(times.fleet),
    ConsoleP50: wave.console.p50,
    ConsoleP95: wave.console.p95,
    ConsoleMax: wave.console.max,
    ConsoleFailed: wave.console.failed,
    HeartbeatP95: wave.heartbeatP95,
    HeartbeatsRefused: heartbeats.errors + heartbeats.later,
    HeartbeatsUnanswered: heartbeats.unanswered,
    Errors: errorsOf(summary),
    Later: manifests.later + programmes.later,
    ManifestsADevice: manifests.sent / count,
    ManifestBytes: bytes.manifests / Math.max(1, manifests.acknowledged - summary.manifests.unchanged),
    ProgrammeBytes: programmes.acknowledged > 0 ? bytes.programmes / programmes.acknowledged : 0,
    LoopP99: wave.loopP99,
  }
  console.error(`${name}: ${JSON.stringify({ ...values, byCause: manifests.byCause })}`)
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}${key}`, value]))
}

/** Bytes in the database that a manifest costs for each device. */
async function storedBytes({ fixture, devices }: Chain): Promise<number> {
  const { rows } = await fixture.superuser.query<{ bytes: string }>(
    `select pg_total_relation_size('device_manifests') + pg_total_relation_size('device_outbox') as bytes`,
  )
  return Number(rows[0]?.bytes) / devices.length
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices, simpleUid, smartUid } = chain
  const fleet = await connectFleet(chain, devices, args)
  const turn = (id: string) => fixture.call(changePublicationState, { params: { id } })
  const startdatetime = new Date(Date.now() + DAY_MS).toISOString()
  const scheduled = await measureWave({ chain, fleet, publicationUid: smartUid }, () =>
    fixture.call(delayPublication, { params: { uid: smartUid, startdatetime } }),
  )
  const waiting = figuresOf('scheduled', scheduled, devices.length)
  await turn(simpleUid)
  await pause(SETTLE_MS)
  const on = await measureWave({ chain, fleet, publicationUid: simpleUid }, () => turn(simpleUid))
  const values = { ...waiting, ...figuresOf('on', on, devices.length), storedBytes: await storedBytes(chain) }
  await fleet.stop()
  return values
}

const run = (args: readonly string[]) =>
  withChain(args, { count: numberOption(args, '--devices', DEVICES) }, chain => measure(chain, args))

const waveFigures = (name: string, words: string): [string, Figure][] =>
  Object.entries<Figure>({
    HeldSeconds: { what: 'until the last connected device holds it', unit: 's', atMost: 30 },
    CardSeconds: { what: 'until the console counts all devices as ready', unit: 's' },
    ServerMs: {
      what: 'processor time of the server a device, with heartbeats and console',
      unit: 'ms',
      atMost: 1.5,
    },
    OwnServerMs: { what: 'processor time of the server a device beyond that when quiet', unit: 'ms' },
    PostgresMs: { what: 'processor time of PostgreSQL a device, with heartbeats and console', unit: 'ms' },
    OwnPostgresMs: { what: 'processor time of PostgreSQL a device beyond that when quiet', unit: 'ms' },
    FleetMs: { what: 'processor time of the fleet a device', unit: 'ms' },
    ConsoleP50: { what: 'console calls, p50', unit: 'ms' },
    ConsoleP95: { what: 'console calls, p95', unit: 'ms', atMost: 200 },
    ConsoleMax: { what: 'console calls, worst', unit: 'ms' },
    ConsoleFailed: { what: 'console calls, refused or failed', unit: '', atMost: 0 },
    HeartbeatP95: { what: 'heartbeats, p95', unit: 'ms', atMost: 500 },
    HeartbeatsRefused: { what: 'heartbeats refused or lost', unit: '', atMost: 0 },
    HeartbeatsUnanswered: { what: 'heartbeats without an answer', unit: '', atMost: 0 },
    Errors: { what: 'errors', unit: '', atMost: 0 },
    Later: { what: 'manifests and programmes postponed', unit: '' },
    ManifestsADevice: { what: 'manifest requests a device', unit: '' },
    ManifestBytes: { what: 'bytes of a manifest', unit: 'bytes', atMost: 4096 },
    ProgrammeBytes: { what: 'bytes of a programme', unit: 'bytes', atMost: 25_000 },
    LoopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
  }).map(([key, figure]) => [`${name}${key}`, { ...figure, what: `${words}: ${figure.what}` }])

const bench: Bench = {
  name: 'publish',
  what: 'One group on the air: a smart day of 4,057 plays is scheduled for tomorrow; then the publication on the air is turned on again. --devices N (10,000), --faulty PERCENT (0), --cell (2 api and 2 stream servers behind HAProxy), --profile',
  options: ['--cell', '--profile'],
  numbers: ['--devices', '--faulty'],
  figures: {
    ...Object.fromEntries([...waveFigures('scheduled', 'day scheduled'), ...waveFigures('on', 'turned on')]),
    storedBytes: { what: 'bytes in the database for the manifest of a device', unit: 'bytes', atMost: 4096 },
  },
  run,
}
export default bench
