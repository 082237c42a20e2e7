import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PRIORITIES } from '@floorcast/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import type { Log } from '../../log/log.ts'
import { bearerToken } from './access.ts'
import { Admission } from './admission.ts'

const INTERVAL_MS = 200
/** The percentile of an interval's samples that two long turns of the event loop reach, and one, such as a collection of garbage, does not. */
const SUSTAINED = 90
/** The interval of the samples, which each sample includes. */
const RESOLUTION_MS = 10
/** The time of a figure for operators, and between two lines of the log. */
const WINDOW_MS = 10_000
const HIGH_DELAY_MS = 50

export interface LoadMonitor {
  admission: Admission
  /** The figures of the last ten seconds and the queues, in the text format of Prometheus. */
  metrics: () => string
}

/** Adapts the admission of calls to the event loop's delay until the server closes, and logs when it is overloaded. */
export function openLoadMonitor(app: FastifyInstance, log: Log): LoadMonitor {
  const steady = () => performance.now()
  const admission = new Admission({ steady, random: Math.random })
  const [recent, window] = [openDelay(), openDelay()]
  let [delayMs, refusedBefore, windowEndsAt] = [0, 0, steady() + WINDOW_MS]
  const endWindow = () => {
    delayMs = window.take(99)
    const queues = admission.states()
    const refused = Object.values(queues).reduce((sum, queue) => sum + queue.refused, 0)
    const newlyRefused = refused - refusedBefore
    if (delayMs > HIGH_DELAY_MS || newlyRefused > 0)
      log.warn({ eventLoopDelayMs: Math.round(delayMs), refused: newlyRefused, queues }, 'overloaded')
    refusedBefore = refused
    windowEndsAt = steady() + WINDOW_MS
  }
  const timer = setInterval(() => {
    admission.adapt(recent.take(SUSTAINED))
    if (steady() >= windowEndsAt) endWindow()
  }, INTERVAL_MS)
  timer.unref()
  app.addHook('onClose', (_, done) => {
    clearInterval(timer)
    recent.stop()
    window.stop()
    done()
  })
  return { admission, metrics: () => formatMetrics(admission, delayMs) }
}

function openDelay() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    /** A percentile in milliseconds since the last call. */
    take: (percentile: number) => {
      const value = delay.count > 0 ? delay.percentile(percentile) / 1e6 : 0
      delay.reset()
      return Math.max(0, value - RESOLUTION_MS)
    },
    stop: () => delay.disable(),
  }
}

const QUEUE_METRICS = [
  ['places', 'gauge', 'Calls that may be in work.'],
  ['inWork', 'gauge', 'Calls in work.'],
  ['waiting', 'gauge', 'Calls that wait for a place.'],
  ['admitted', 'counter', 'Calls admitted since the start.'],
  ['refused', 'counter', 'Calls refused with 503 since the start.'],
] as const

function formatMetrics(admission: Admission, delayMs: number): string {
  const states = admission.states()
  const metric = (name: string, [type, help]: readonly [string, string], samples: readonly string[]) => [
    `# HELP floorcast_${name} ${help}`,
    `# TYPE floorcast_${name} ${type}`,
    ...samples.map(sample => `floorcast_${name}${sample}`),
  ]
  const { user, system } = process.cpuUsage()
  const lines = [
    ...metric(
      'event_loop_delay_seconds',
      ['gauge', '99th percentile of the last ten seconds.'],
      [` ${delayMs / 1000}`],
    ),
    ...metric(
      'cpu_seconds_total',
      ['counter', 'Processor time of the server.'],
      [` ${(user + system) / 1e6}`],
    ),
    ...metric('resident_memory_bytes', ['gauge', 'Memory of the server.'], [` ${process.memoryUsage.rss()}`]),
    ...QUEUE_METRICS.flatMap(([field, type, help]) => {
      const suffix = type === 'counter' ? '_total' : ''
      const name = `calls_${field === 'inWork' ? 'in_work' : field}${suffix}`
      const samples = PRIORITIES.map(priority => `{priority="${priority}"} ${states[priority][field]}`)
      return metric(name, [type, help], samples)
    }),
  ]
  return `${lines.join('\n')}\n`
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** Serves the figures to monitors that know the token. They would tell a stranger how to overload the server. */
export function serveMetrics(app: FastifyInstance, token: string, metrics: () => string): void {
  app.get('/metrics', (request, reply) => {
    const shown = bearerToken(request.headers.authorization) ?? ''
    if (!timingSafeEqual(hashOf(shown), hashOf(token))) throw new ProblemError(401, 'metrics-token')
    return reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4').send(metrics())
  })
}
