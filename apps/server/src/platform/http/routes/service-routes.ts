import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { locales } from '@floorcast/locales/locales.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'

interface ServiceOptions {
  console: ConsoleSettings
  publicUrl: string
  now: () => Date
  /** Rejects while the server cannot answer calls. */
  checkReady: () => Promise<void>
  /** True while too little of the disk is free for uploads and changes. */
  isDiskFull: () => Promise<boolean>
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
  serveWellKnown(app, options)
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(options.console))
}
