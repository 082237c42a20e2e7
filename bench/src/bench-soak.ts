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
import { startProber } from './console-prober.ts'
import type { FleetFixture } from './fleet-fixture.ts'
import { errorsOf, faultlessOf } from './fleet-process.ts'
import { residentMegabytes } from './server-process.ts'

const DEVICES = 2000
const MINUTES = 30
const SAMPLE_MS = 10_000
/** Caches fill and code is compiled in the first part of the time. */
const WARM_UP_SHARE = 1 / 3
/** The server collects all garbage so often, and at the end. */
const COLLECT_MS = 300_000

interface Sample {
  hours: number
  megabytes: number
}

/** Megabytes an hour: the line through the samples with the least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const [hours, megabytes] = [
    meanOf(samples.map(each => each.hours)),
    meanOf(samples.map(each => each.megabytes)),
  ]
  const rise = samples.reduce((sum, each) => sum + (each.hours - hours) * (each.megabytes - megabytes), 0)
  const run = samples.reduce((sum, each) => sum + (each.hours - hours) ** 2, 0)
  return rise / run
}

/**
 * The server's memory for so long. `resident` is taken every ten seconds: it has garbage too, and what V8 holds back for later. `kept` is what
 * a full collection leaves.
 */
async function sampleMemory(fixture: FleetFixture, minutes: number) {
  const resident: Sample[] = []
  const kept: Sample[] = []
  const loopP99s: number[] = []
  const startedAt = performance.now()
  const passedMs = () => performance.now() - startedAt
  let collectsAt = COLLECT_MS
  while (passedMs() < minutes * 60_000) {
    await pause(SAMPLE_MS)
    const hours = passedMs() / 3_600_000
    const megabytes = residentMegabytes(fixture.server.pid)
    resident.push({ hours, megabytes })
    if (passedMs() < Math.min(collectsAt, minutes * 60_000)) continue
    collectsAt += COLLECT_MS
    const { keptMegabytes, p99 } = await fixture.takeKeptMemory()
    if (keptMegabytes === null) throw new Error('The server did not collect its garbage')
    kept.push({ hours, megabytes: keptMegabytes })
    loopP99s.push(p99)
    console.error(
      `${(hours * 60).toFixed(0)} minutes: ${megabytes.toFixed(0)} MB resident, ${keptMegabytes.toFixed(1)} MB kept`,
    )
  }
  const warmUpHours = (minutes / 60) * WARM_UP_SHARE
  const afterWarmUp = (samples: readonly Sample[]) => samples.filter(each => each.hours >= warmUpHours)
  return { resident: afterWarmUp(resident), kept: afterWarmUp(kept), loopP99: Math.max(...loopP99s) }
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices, simpleUid } = chain
  const minutes = numberOption(args, '--minutes', MINUTES)
  const fleet = await connectFleet(chain, devices, args)
  const prober = startProber(fixture.origin, fixture.token, consolePaths(chain, simpleUid))
  fleet.mark()
  const end = fixture.measureProcessors(fleet.pid)
  await fixture.takeLoopDelay()
  const { resident, kept, loopP99 } = await sampleMemory(fixture, minutes)
  const times = end()
  const taken = prober.take()
  prober.stop()
  const ended = await fleet.stop()
  const { stored, doubled } = await countPlays(chain, faultlessOf(devices, faultyPercentOf(args)))
  return {
    minutes,
    ...(kept.length > 1 && { keptSlope: slopeOf(kept) }),
    keptFirst: kept[0]?.megabytes ?? Number.NaN,
    keptLast: kept.at(-1)?.megabytes ?? Number.NaN,
    slope: slopeOf(resident),
    memoryFirst: resident[0]?.megabytes ?? Number.NaN,
    memoryLast: resident.at(-1)?.megabytes ?? Number.NaN,
    memoryMost: Math.max(...resident.map(each => each.megabytes)),
    cores: (times.server + times.postgres) / times.passed,
    loopP99,
    consoleP95: taken.p95,
    consoleFailed: taken.failed,
    errors: errorsOf(ended),
    playsLost: ended.plays - stored,
    playsDoubled: doubled,
    plays: ended.plays,
  }
}

const bench: Bench = {
  name: 'soak',
  what: 'Devices that play and an open console for a long time: the memory of the server. --devices N (2,000), --minutes N (30), --faulty PERCENT (0), --profile',
  options: ['--profile'],
  numbers: ['--devices', '--minutes', '--faulty'],
  figures: {
    minutes: { what: 'minutes', unit: '' },
    keptSlope: {
      what: 'growth of what a full collection leaves, after the first third',
      unit: 'MB/h',
      atMost: 2,
    },
    keptFirst: { what: 'memory that a full collection leaves, after the first third', unit: 'MB' },
    keptLast: { what: 'the same at the end', unit: 'MB' },
    slope: { what: 'growth of the server’s resident memory after the first third', unit: 'MB/h' },
    memoryFirst: { what: 'resident memory of the server after the first third', unit: 'MB' },
    memoryLast: { what: 'the same at the end', unit: 'MB' },
    memoryMost: { what: 'the most of it between', unit: 'MB' },
    cores: { what: 'server and PostgreSQL', unit: 'cores' },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
    consoleP95: { what: 'console calls, p95', unit: 'ms', atMost: 200 },
    consoleFailed: { what: 'console calls, refused or failed', unit: '', atMost: 0 },
    errors: { what: 'errors', unit: '', atMost: 0 },
    playsLost: { what: 'plays that the server does not have', unit: '', atMost: 0 },
    playsDoubled: { what: 'plays that it has twice', unit: '', atMost: 0 },
    plays: { what: 'plays', unit: '' },
  },
  run: args =>
    withChain(args, { count: numberOption(args, '--devices', DEVICES) }, chain => measure(chain, args)),
}
export default bench
