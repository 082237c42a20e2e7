import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/*
 * Loaded into the measured server by `--import`. At each SIGUSR2 it adds a line to the file BENCH_PROBE: the event loop's
 * delay since the last signal. With BENCH_PROFILES, a folder, it also writes a processor profile of that time.
 * If a file BENCH_PROBE.collect is there, it removes it, collects all garbage, and the line has the memory that is left.
 */

const RESOLUTION_MS = 5
const { BENCH_PROBE: file = '', BENCH_PROFILES: folder = '' } = process.env

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()
/** The histogram has the time between two timers. */
const delayMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

const session = new Session()
let profiles = 0
function changeProfile(): void {
  if (folder === '') return
  if (profiles > 0)
    session.post('Profiler.stop', (error, stopped) => {
      if (!error)
        appendFileSync(join(folder, `server-${profiles}.cpuprofile`), JSON.stringify(stopped.profile))
    })
  profiles += 1
  session.post('Profiler.start')
}
if (folder !== '') {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: 1000 })
}

/** Megabytes that JavaScript keeps after a full collection of garbage, in and beside its heap; null if no one asked. */
function takeKeptMegabytes(): number | null {
  if (!existsSync(`${file}.collect`)) return null
  rmSync(`${file}.collect`)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // The first one runs finalizers, which free more.
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

process.on('SIGUSR2', () => {
  const line = {
    p50: delayMs(delays.percentile(50)),
    p99: delayMs(delays.percentile(99)),
    max: delayMs(delays.max),
    keptMegabytes: takeKeptMegabytes(),
  }
  delays.reset()
  changeProfile()
  appendFileSync(file, `${JSON.stringify(line)}\n`)
})
