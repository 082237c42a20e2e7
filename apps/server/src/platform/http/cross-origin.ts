import type { FastifyInstance } from 'fastify'

const ALLOWED = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, if-none-match, range',
  'access-control-max-age': '7200',
}
const EXPOSED = 'retry-after, x-request-id, etag, content-range, accept-ranges'

/**
 * Lets the console's origin call this server where STREAM_URL or LOGS_URL is another origin than PUBLIC_URL. No cookie
 * is used anywhere, so credentials are not allowed.
 */
export function allowConsoleOrigin(app: FastifyInstance, consoleOrigin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    if (request.headers.origin !== consoleOrigin) return
    reply
      .header('access-control-allow-origin', consoleOrigin)
      .header('access-control-expose-headers', EXPOSED)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method']
    if (isPreflight) return reply.headers(ALLOWED).code(204).send()
  })
}
