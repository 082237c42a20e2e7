import type { OutgoingHttpHeader } from 'node:http'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { addressOf } from '../../settings/address-settings.ts'

/** The last headers of both lists are those of tus. */
const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, floorcast-files, idempotency-key, if-none-match, range, tus-resumable, upload-length, upload-metadata, upload-offset',
  'access-control-max-age': '7200',
}
const EXPOSED =
  'retry-after, idempotency-replayed, ratelimit, ratelimit-policy, x-request-id, floorcast-as-of, etag, content-disposition, content-range, accept-ranges, location, tus-resumable, tus-version, tus-extension, upload-expires, upload-length, upload-metadata, upload-offset'

/** The addresses that the console may call, and the origins that it may come from. */
export interface Origins {
  publicUrl: string
  streamUrl: string
  logsUrl: string
  /** Default: `publicUrl`. */
  apiUrl?: string
  /** Default: none beside that of `publicUrl`. */
  consoleOrigins?: readonly string[]
  /** The origin of the store to which files are redirected; null or absent: they are not. */
  storeOrigin?: string | null
}

/** `*` stands for one part of a host, as `{client}` does. */
const originOf = (url: string) => new URL(addressOf(url, '*')).origin
const socketOf = (origin: string) => origin.replace(/^http/, 'ws')

/** The origins whose pages may call this server: those of CONSOLE_ORIGINS, and the console's where it calls another origin. */
function consoleOriginsOf(origins: Origins): Set<string> {
  const { publicUrl, streamUrl, logsUrl, apiUrl = publicUrl, consoleOrigins = [] } = origins
  const own = originOf(publicUrl)
  const callsAnother = [apiUrl, streamUrl, logsUrl].some(url => originOf(url) !== own)
  return new Set([...consoleOrigins, ...(callsAnother ? [own] : [])])
}

/** Lets pages of these origins call this server. Floorcast uses no cookies, so credentials are not allowed. */
function allowOrigins(app: FastifyInstance, allowed: ReadonlySet<string>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method']
    if (isPreflight) return reply.headers(ALLOWED).code(204).send()
  })
}

/** Two years. */
const HSTS_SECONDS = 63_072_000

/**
 * Sets a strict Content-Security-Policy without inline scripts. Inline styles are allowed, because Mantine sets styles on
 * elements. HSTS is set if the public address is https.
 */
function helmetOptions(origins: Origins): FastifyHelmetOptions {
  const { publicUrl, streamUrl, apiUrl = publicUrl, consoleOrigins = [] } = origins
  const hosts = [...new Set([apiUrl, streamUrl].map(originOf))]
  const store = origins.storeOrigin ? [origins.storeOrigin] : []
  const isSecure = publicUrl.startsWith('https://')
  const isForOthers = consoleOrigins.length > 0 || hosts.some(host => host !== originOf(publicUrl))
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', ...hosts, ...store],
        'media-src': ["'self'", 'blob:', ...hosts, ...store],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...hosts, ...hosts.map(socketOf), originOf(origins.logsUrl), ...store],
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
    // Pages of another origin show its pictures and play its media.
    crossOriginResourcePolicy: { policy: isForOthers ? 'cross-origin' : 'same-origin' },
  }
}

/**
 * Sends the security headers with every answer, and lets the console's pages of other origins call the server. Helmet would
 * compute its headers for each request: 0.15 ms, a tenth of a device's call.
 */
export async function sendSecurityHeaders(app: FastifyInstance, origins: Origins): Promise<void> {
  await app.register(helmet, { ...helmetOptions(origins), global: false })
  let headers: Record<string, OutgoingHttpHeader | undefined> | null = null
  app.addHook('onRequest', (_request, reply, done) => {
    if (headers) reply.headers(headers)
    else {
      void reply.helmet()
      const { 'x-request-id': _, ...same } = reply.raw.getHeaders()
      headers = same
    }
    done()
  })
  const allowed = consoleOriginsOf(origins)
  if (allowed.size > 0) allowOrigins(app, allowed)
}
