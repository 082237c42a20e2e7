import { createHash, timingSafeEqual } from 'node:crypto'
import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { locales } from '@floorcast/contract/locales.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { notOneOf, ProblemError } from '../../lib/errors.ts'
import { bearerToken } from '../admit/access.ts'
import { serveProblemPages } from './problem-pages.ts'
import { type ProbeOptions, serveProbe } from './probe.ts'

interface ServiceOptions {
  console: ConsoleSettings
  publicUrl: string
  now: () => Date
  /** Why the server is not ready; none: it is. */
  findReasons: () => Promise<readonly string[]>
  /** The reasons that a balancer may leave out of account. */
  mayAllow: readonly string[]
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

/**
 * `?allow=disk-full,clock-off`: the reasons with which a balancer sends calls all the same. @throws ProblemError 422 for others, so that a
 * mistake is seen before the reason is there
 */
function parseAllowed(query: unknown, mayAllow: readonly string[]): string[] {
  const parsed = AllowQuery.safeParse(query)
  if (!parsed.success) throw new ProblemError('wrong-fields', { detail: 'allow is given once' })
  const allowed = (parsed.data.allow ?? '').split(',').filter(reason => reason !== '')
  const other = allowed.find(reason => !mayAllow.includes(reason))
  if (other !== undefined) throw notOneOf('allow', other, mayAllow)
  return allowed
}

const AllowQuery = z.object({ allow: z.string().max(200).optional() })

/** Serves the health checks, the console's settings, pages of errors, and the small addresses that browsers and people expect. */
export function serveService(app: FastifyInstance, options: ServiceOptions): void {
  app.get('/health/live', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
  app.get('/health/ready', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const allowed = parseAllowed(request.query, options.mayAllow)
    const reasons = await options.findReasons()
    const reason = reasons.find(name => !allowed.includes(name))
    if (reason !== undefined)
      return reply.code(503).header('x-unready-reason', reason).send({ status: 'unready', reason })
    return reasons.length > 0 ? { status: 'ready', allowed: reasons } : { status: 'ready' }
  })
  serveProbe(app, options.probe)
  serveWellKnown(app, options)
  serveProblemPages(app)
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(options.console))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** Serves the figures to monitors that know the token. They would tell a stranger how to overload the server. */
export function serveMetrics(app: FastifyInstance, token: string, read: () => Promise<string>): void {
  app.get('/metrics', async (request, reply) => {
    const shown = bearerToken(request.headers.authorization) ?? ''
    if (!timingSafeEqual(hashOf(shown), hashOf(token))) throw new ProblemError('metrics-token')
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4')
      .send(await read())
  })
}
