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
import { errorsOf, faultlessOf } from './fleet-process.ts'
import { residentMegabytes } from './server-process.ts'

const DEVICES = 2000
const MINUTES = 30
const SAMPLE_MS = 10_000
/** Caches fill and code is compiled in the first part of the time. */
const WARM_UP_SHARE = 1 / 3
const PRINT_EACH = 30

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

/** The server's memory for so long. */
async function sampleMemory(pid: number, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedAt = performance.now()
  const passedMs = () => performance.now() - startedAt
  while (passedMs() < minutes * 60_000) {
    await pause(SAMPLE_MS)
    const sample = { hours: passedMs() / 3_600_000, megabytes: residentMegabytes(pid) }
    samples.push(sample)
    if (samples.length % PRINT_EACH === 0)
      console.error(`${(sample.hours * 60).toFixed(0)} minutes: ${sample.megabytes.toFixed(0)} MB`)
  }
  return samples
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices, simpleUid } = chain
  const minutes = numberOption(args, '--minutes', MINUTES)
  const fleet = await connectFleet(chain, devices, args)
  const prober = startProber(fixture.origin, fixture.token, consolePaths(chain, simpleUid))
  fleet.mark()
  const end = fixture.measureProcessors(fleet.pid)
  await fixture.takeLoopDelay()
  const samples = await sampleMemory(fixture.server.pid, minutes)
  const times = end()
  const { p99: loopP99 } = await fixture.takeLoopDelay()
  const taken = prober.take()
  prober.stop()
  const ended = await fleet.stop()
  const { stored, doubled } = await countPlays(chain, faultlessOf(devices, faultyPercentOf(args)))
  const steady = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  return {
    minutes,
    slope: slopeOf(steady),
    memoryFirst: steady[0]?.megabytes ?? Number.NaN,
    memoryLast: steady.at(-1)?.megabytes ?? Number.NaN,
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
    slope: { what: 'growth of the server’s memory after the first third', unit: 'MB/h', atMost: 20 },
    memoryFirst: { what: 'memory of the server after the first third', unit: 'MB' },
    memoryLast: { what: 'memory of the server at the end', unit: 'MB' },
    cores: { what: 'server and PostgreSQL', unit: 'cores' },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
    consoleP95: { what: 'console calls, p95', unit: 'ms', atMost: 200 },
    consoleFailed: { what: 'console calls, refused or failed', unit: '', atMost: 0 },
    errors: { what: 'errors', unit: '', atMost: 0 },
    playsLost: { what: 'plays that the server does not have', unit: '', atMost: 0 },
    playsDoubled: { what: 'plays that it has twice', unit: '', atMost: 0 },
    plays: { what: 'plays', unit: '' },
  },
  run: args => withChain(args, numberOption(args, '--devices', DEVICES), chain => measure(chain, args)),
}
export default bench
