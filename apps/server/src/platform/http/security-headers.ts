import type { FastifyHelmetOptions } from '@fastify/helmet'

/** Where the console may reach beside its own origin. */
export interface Origins {
  publicUrl: string
  streamUrl: string
  logsUrl: string
}

const originOf = (url: string) => new URL(url).origin
const socketOf = (origin: string) => origin.replace(/^http/, 'ws')

/**
 * A strict Content-Security-Policy: no inline script. Mantine sets styles on elements, so style alone is inline.
 * HSTS only where the public address is https.
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
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(isSecure ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // A streaming host on another origin serves media to the console.
    crossOriginResourcePolicy: {
      policy: stream === originOf(origins.publicUrl) ? 'same-origin' : 'cross-origin',
    },
  }
}
