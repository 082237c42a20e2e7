import { setTimeout as pause } from 'node:timers/promises'
import { changePublicationState, delayPublication } from '@floorcast/contract/publications.ts'
import { makeClient as makeCaller } from '@floorcast/contract/client.ts'
import { type Bench, numberOption } from './bench-types.ts'
import {
  type Chain,
  connectFleet,
  consolePaths,
  countPlays,
  faultyPercentOf,
  revisionOf,
  waitForTrackChange,
  withChain,
} from './connected-chain.ts'
import { startProber } from './console-prober.ts'
import {
  errorsOf,
  faultlessOf,
  type FleetProcess,
  type FleetSummary,
  settledSummary,
  waitForFleet,
} from './fleet-process.ts'

const DEVICES = 10_000
/** The server is killed this long before a change of tracks, so that plays end while it is away. */
const BEFORE_CHANGE_MS = 4000
const AWAY_MS = 10_000
const CALM_MS = 10_000
const MAX_BACK_SECONDS = 300
const DAY_MS = 86_400_000

/** Turns off the publication on the air and schedules the other one, by a second server that no device knows. */
async function changeEverything({ fixture, simpleUid, smartUid }: Chain): Promise<void> {
  const other = await fixture.startServer()
  try {
    const call = makeCaller({ base: other.url, token: () => fixture.token })
    const startdatetime = new Date(Date.now() + DAY_MS).toISOString()
    await call(delayPublication, { params: { uid: smartUid, startdatetime } })
    for (let times = 0; times < 2; times += 1)
      await call(changePublicationState, { params: { id: simpleUid } })
  } finally {
    await other.stop()
  }
}

/** Starts the server again, and waits until all devices are connected and hold the change. */
async function measureReturn(chain: Chain, fleet: FleetProcess) {
  const { fixture, simpleUid } = chain
  const revision = await revisionOf(chain, simpleUid)
  await fixture.startServers()
  const startedAt = Date.now()
  fleet.mark()
  const end = fixture.measureProcessors(fleet.pid)
  const prober = startProber(fixture.origin, fixture.token, consolePaths(chain, simpleUid))
  const calming = pause(CALM_MS).then(() => prober.take())
  const holdingOf = ({ publications }: FleetSummary) =>
    publications.find(each => each.uid === simpleUid && each.revision === revision)
  const seconds = await waitForFleet(
    fleet,
    summary =>
      summary.channels.connected === fleet.faultless && holdingOf(summary)?.devices === fleet.faultless,
    MAX_BACK_SECONDS,
  )
  if (seconds === null) {
    const summary = await fleet.summary()
    const connected = `${summary.channels.connected} of ${fleet.faultless} are connected`
    console.error(`${connected}, ${holdingOf(summary)?.devices ?? 0} hold the change`)
  }
  const backSeconds = seconds === null ? Number.NaN : (Date.now() - startedAt) / 1000
  const times = end()
  const first = await calming
  await pause(Math.max(0, startedAt + CALM_MS * 2 - Date.now()))
  const later = prober.take()
  prober.stop()
  const { p99: loopP99 } = await fixture.takeLoopDelay()
  return { backSeconds, times, loopP99, summary: await settledSummary(fleet), first, later }
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices } = chain
  const fleet = await connectFleet(chain, devices, args)
  await waitForTrackChange(chain, -BEFORE_CHANGE_MS)
  await fixture.killServers()
  const awaySince = Date.now()
  await changeEverything(chain)
  await pause(Math.max(0, awaySince + AWAY_MS - Date.now()))
  const { backSeconds, times, loopP99, summary, first, later } = await measureReturn(chain, fleet)
  const ended = await fleet.stop()
  const { stored, doubled } = await countPlays(chain, faultlessOf(devices, faultyPercentOf(args)))
  console.error(
    `${ended.plays} plays, ${stored} stored; ${JSON.stringify({ ...summary, publications: undefined })}`,
  )
  return {
    backSeconds,
    errors: errorsOf(summary),
    later: [
      summary.sessions,
      summary.manifests,
      summary.programmes,
      summary.heartbeats,
      summary.batches,
      summary.channels,
    ]
      .map(calls => calls.later)
      .reduce((sum, each) => sum + each, 0),
    heartbeatsUnanswered: summary.heartbeats.unanswered,
    consoleFirstP95: first.p95,
    consoleFirstFailed: first.failed,
    consoleP95: later.p95,
    consoleMax: later.max,
    consoleFailed: later.failed,
    playsLost: ended.plays - stored,
    playsDoubled: doubled,
    plays: ended.plays,
    serverMs: (times.server * 1000) / devices.length,
    postgresMs: (times.postgres * 1000) / devices.length,
    fleetMs: (times.fleet * 1000) / devices.length,
    loopP99,
  }
}

const run = (args: readonly string[]) =>
  withChain(args, { count: numberOption(args, '--devices', DEVICES) }, chain => measure(chain, args))

const bench: Bench = {
  name: 'storm',
  what: 'The server is killed with all devices connected, everything changes, and it starts again. --devices N (10,000), --faulty PERCENT (0), --cell (2 api and 2 stream servers behind HAProxy), --profile',
  options: ['--cell', '--profile'],
  numbers: ['--devices', '--faulty'],
  figures: {
    backSeconds: {
      what: 'from listening until all devices are back and hold the change',
      unit: 's',
      atMost: 90,
    },
    errors: { what: "errors other than 'later'", unit: '', atMost: 0 },
    later: { what: 'calls told to come later', unit: '' },
    heartbeatsUnanswered: { what: 'heartbeats without an answer', unit: '' },
    consoleFirstP95: { what: 'console calls in the first 10 s, p95', unit: 'ms' },
    consoleFirstFailed: { what: 'console calls in the first 10 s, refused or failed', unit: '' },
    consoleP95: { what: 'console calls from then on, p95', unit: 'ms', atMost: 300 },
    consoleMax: { what: 'console calls from then on, worst', unit: 'ms' },
    consoleFailed: { what: 'console calls from then on, refused or failed', unit: '', atMost: 0 },
    playsLost: { what: 'plays that the server does not have', unit: '', atMost: 0 },
    playsDoubled: { what: 'plays that it has twice', unit: '', atMost: 0 },
    plays: { what: 'plays', unit: '' },
    serverMs: { what: 'processor time of the server a device', unit: 'ms' },
    postgresMs: { what: 'processor time of PostgreSQL a device', unit: 'ms' },
    fleetMs: { what: 'processor time of the fleet a device', unit: 'ms' },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms' },
  },
  run,
}
export default bench
