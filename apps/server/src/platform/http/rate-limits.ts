import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../lib/errors.ts'

interface RateLimit {
  max: number
  windowSeconds: number
  /** What is counted: an address, an account. Each limit counts by itself. */
  keyOf: (request: FastifyRequest) => string
}

/** Counts this request. @throws ProblemError 429 with the seconds to wait when there were too many. */
type CheckRate = (request: FastifyRequest) => Promise<void>

/** A limit counted in this server's memory: several servers allow as many times the number. */
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
