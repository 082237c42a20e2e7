import { createHash, timingSafeEqual } from 'node:crypto'
import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { PRIORITIES } from '@floorcast/contract/endpoint.ts'
import { locales } from '@floorcast/contract/locales.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { bearerToken } from '../admit/access.ts'
import type { Load } from '../admit/admission.ts'
import { type ProbeOptions, serveProbe } from './probe.ts'

interface ServiceOptions {
  console: ConsoleSettings
  publicUrl: string
  now: () => Date
  /** Rejects while the server cannot answer calls. */
  checkReady: () => Promise<void>
  /** True while too little of the disk is free for uploads and changes. */
  isDiskFull: () => Promise<boolean>
  probe: ProbeOptions
}

/** A reader of security.txt asks again when it expires. RFC 9116 recommends less than a year. */
const SECURITY_TEXT_DAYS = 180
const DAY_MS = 86_400_000

/** RFC 9116: where to report a vulnerability. */
function securityText(supportEmail: string, { publicUrl, now }: ServiceOptions): string {
  const expires = new Date(Math.ceil(now().getTime() / DAY_MS + SECURITY_TEXT_DAYS) * DAY_MS)
  return [
    `Contact: mailto:${supportEmail}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    `Preferred-Languages: ${locales.map(({ tag }) => tag).join(', ')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** The addresses of RFC 9116 and of W3C's 'A Well-Known URL for Changing Passwords'. */
function serveWellKnown(app: FastifyInstance, options: ServiceOptions): void {
  const sendText = (reply: FastifyReply, text: string) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text)
  const { supportEmail } = options.console
  // Without it there is no contact to name, and the file needs one.
  if (supportEmail !== null)
    app.get('/.well-known/security.txt', (_, reply) => sendText(reply, securityText(supportEmail, options)))
  app.get('/.well-known/change-password', (_, reply) =>
    reply.header('cache-control', 'no-cache').redirect('/pages/profile'),
  )
  // A company's own console is not for search engines.
  app.get('/robots.txt', (_, reply) => sendText(reply, 'User-agent: *\nDisallow: /\n'))
}

/** Serves the health checks, the console's settings, and the small addresses that browsers and people expect. */
export function serveService(app: FastifyInstance, options: ServiceOptions): void {
  let isClosing = false
  app.addHook('preClose', done => {
    isClosing = true
    done()
  })
  app.get('/health/live', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
  app.get('/health/ready', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isClosing) return reply.code(503).send({ status: 'closing' })
    try {
      await options.checkReady()
      // Still ready: devices are served, and their reports are taken as long as they can be.
      return (await options.isDiskFull()) ? { status: 'ready', disk: 'full' } : { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'database' })
    }
  })
  serveProbe(app, options.probe)
  serveWellKnown(app, options)
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(options.console))
}

const QUEUE_METRICS = [
  ['places', 'gauge', 'Calls that may be in work.'],
  ['inWork', 'gauge', 'Calls in work.'],
  ['waiting', 'gauge', 'Calls that wait for a place.'],
  ['admitted', 'counter', 'Calls admitted since the start.'],
  ['refused', 'counter', 'Calls refused with 503 since the start.'],
] as const

/** The figures of the last ten seconds and the queues, in the text format of Prometheus. */
function formatMetrics({ admission, loopDelayMs }: Load): string {
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
      [` ${loopDelayMs() / 1000}`],
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
export function serveMetrics(app: FastifyInstance, token: string, load: Load): void {
  app.get('/metrics', (request, reply) => {
    const shown = bearerToken(request.headers.authorization) ?? ''
    if (!timingSafeEqual(hashOf(shown), hashOf(token))) throw new ProblemError(401, 'metrics-token')
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4')
      .send(formatMetrics(load))
  })
}
