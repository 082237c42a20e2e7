import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'

interface RateLimit {
  max: number
  windowSeconds: number
  /** The key to count by, such as an address or an account. Each limit counts separately. */
  keyOf: (request: FastifyRequest) => string
}

/** Counts this request. @throws ProblemError 429 with the seconds to wait if there were too many */
type CheckRate = (request: FastifyRequest) => Promise<void>

/** Makes a limit that counts in this server's memory. With several servers the limit multiplies. */
export function makeRateLimit(app: FastifyInstance, limit: RateLimit): CheckRate {
  const count = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.windowSeconds * 1000,
    keyGenerator: limit.keyOf,
  })
  return async request => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    throw new ProblemError(429, 'too-many-requests', { retryAfterSeconds: counted.ttlInSeconds })
  }
}
