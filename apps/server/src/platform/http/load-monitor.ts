import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'
import { Admission } from './admission.ts'

const INTERVAL_MS = 200
/** The interval of the samples, which each sample includes. */
const RESOLUTION_MS = 10
/** At most one line of the log in this time. */
const LOG_INTERVAL_MS = 10_000
const HIGH_DELAY_MS = 50

/** Opens the admission of calls, and adapts it to the event loop's delay until the server closes. */
export function openAdmission(app: FastifyInstance, log: Log): Admission {
  const steady = () => performance.now()
  const admission = new Admission({ steady, random: Math.random })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let [highest, refusedBefore, loggedAt] = [0, 0, -Infinity]
  const adapt = () => {
    const delayMs = delay.count > 0 ? Math.max(0, delay.max / 1e6 - RESOLUTION_MS) : 0
    delay.reset()
    admission.adapt(delayMs)
    highest = Math.max(highest, delayMs)
    if (steady() - loggedAt < LOG_INTERVAL_MS) return
    const queues = admission.states()
    const refused = Object.values(queues).reduce((sum, queue) => sum + queue.refused, 0)
    if (highest > HIGH_DELAY_MS || refused > refusedBefore)
      log.warn(
        { eventLoopDelayMs: Math.round(highest), refused: refused - refusedBefore, queues },
        'overloaded',
      )
    ;[highest, refusedBefore, loggedAt] = [0, refused, steady()]
  }
  const timer = setInterval(adapt, INTERVAL_MS)
  timer.unref()
  app.addHook('onClose', (_, done) => {
    clearInterval(timer)
    delay.disable()
    done()
  })
  return admission
}
