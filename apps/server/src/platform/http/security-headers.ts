import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** The last headers of both lists are those of tus. */
const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, if-none-match, range, tus-resumable, upload-length, upload-metadata, upload-offset',
  'access-control-max-age': '7200',
}
const EXPOSED =
  'retry-after, x-request-id, etag, content-range, accept-ranges, location, tus-resumable, tus-version, tus-extension, upload-expires, upload-length, upload-metadata, upload-offset'

/**
 * Lets the console's origin call this server where STREAM_URL or LOGS_URL is another origin than PUBLIC_URL. Floorcast uses
 * no cookies, so credentials are not allowed.
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

/** The origins that the console may call. */
export interface Origins {
  publicUrl: string
  streamUrl: string
  logsUrl: string
}

/** Two years. */
const HSTS_SECONDS = 63_072_000

const originOf = (url: string) => new URL(url).origin
const socketOf = (origin: string) => origin.replace(/^http/, 'ws')

/**
 * Sets a strict Content-Security-Policy without inline scripts. Inline styles are allowed, because Mantine sets styles on
 * elements. HSTS is set if the public address is https.
 */
export function securityHeaders(origins: Origins): FastifyHelmetOptions {
  const isSecure = origins.publicUrl.startsWith('https://')
  const stream = originOf(origins.streamUrl)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', stream],
        'media-src': ["'self'", 'blob:', stream],
        'font-src': ["'self'"],
        'connect-src': ["'self'", stream, socketOf(stream), originOf(origins.logsUrl)],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(isSecure ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: HSTS_SECONDS, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // A device host on another origin serves media to the console.
    crossOriginResourcePolicy: {
      policy: stream === originOf(origins.publicUrl) ? 'same-origin' : 'cross-origin',
    },
  }
}
