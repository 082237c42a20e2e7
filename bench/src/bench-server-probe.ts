import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/*
 * Loaded into the measured server by `--import`. At each SIGUSR2 it adds a line to the file BENCH_PROBE: the event loop's
 * delay since the last signal. With BENCH_PROFILES, a folder, it also writes a processor profile of that time.
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

process.on('SIGUSR2', () => {
  const line = {
    p50: delayMs(delays.percentile(50)),
    p99: delayMs(delays.percentile(99)),
    max: delayMs(delays.max),
  }
  delays.reset()
  changeProfile()
  appendFileSync(file, `${JSON.stringify(line)}\n`)
})
