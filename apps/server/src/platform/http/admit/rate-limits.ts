import { type Endpoint, isChange, isOfAlert } from '@floorcast/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type CountStore, SharedCountLimit } from '../../lib/count-limit.ts'
import { ProblemError } from '../../lib/errors.ts'
import { clientOf } from './access.ts'

interface RateLimit {
  max: number
  windowSeconds: number
  /** The key to count by, such as an address or an account. Each limit counts separately. */
  keyOf: (request: FastifyRequest) => string
}

/** Counts this request. @throws ProblemError 429 with the seconds to wait if there were too many */
type CheckRate = (request: FastifyRequest) => Promise<void>

/** Makes a limit that counts in this server's memory and protects the server. With several servers the limit multiplies. */
export function makeRateLimit(app: FastifyInstance, limit: RateLimit): CheckRate {
  const count = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.windowSeconds * 1000,
    keyGenerator: limit.keyOf,
  })
  return async request => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    throw new ProblemError('too-many-requests', { retryAfterSeconds: counted.ttlInSeconds })
  }
}

/** Makes a limit that counts in the database and protects secrets. Several servers allow together what one allows. */
export function makeSharedRateLimit(
  context: { database: { counts: CountStore }; now: () => Date },
  { keyOf, ...limit }: RateLimit & { name: string },
): CheckRate {
  const count = new SharedCountLimit(context.database.counts, { ...limit, now: context.now })
  return request => count.take(keyOf(request))
}

/** A client's calls that change something: this number at once, then this number a second. */
export const CHANGE_LIMIT = { max: 1000, perSecond: 10 }
/** An alert is never refused for what else a client does. Only a flood of alerts without end reaches this. */
export const ALERT_LIMIT = { max: 20_000, perSecond: 20 }

/** A client that is forgotten has its whole budget again. */
const MAX_CLIENTS = 20_000

interface Budget {
  calls: number
  /** Milliseconds since 1970. */
  at: number
}

/** A token bucket of calls for each client, in this server's memory. */
class CallBudget {
  readonly #name: string
  readonly #limit: typeof CHANGE_LIMIT
  readonly #budgets = new LRUCache<string, Budget>({ max: MAX_CLIENTS })

  constructor(name: string, limit: typeof CHANGE_LIMIT) {
    this.#name = name
    this.#limit = limit
  }

  /** @throws ProblemError 429 with the seconds until the next call */
  take(clientId: string, now: Date): void {
    const { max, perSecond } = this.#limit
    const calls = this.#left(clientId, now)
    if (calls < 1)
      throw new ProblemError('too-many-changes', {
        detail: `A client makes at most ${max} changes at once and ${perSecond} a second. A bulk call is one change.`,
        retryAfterSeconds: Math.ceil((1 - calls) / perSecond),
      })
    this.#budgets.set(clientId, { calls: calls - 1, at: now.getTime() })
  }

  /** What is left, in the headers of draft-ietf-httpapi-ratelimit-headers: calls, and seconds until all are there again. */
  headers(clientId: string, now: Date): Record<string, string> {
    const { max, perSecond } = this.#limit
    const left = this.#left(clientId, now)
    return {
      'ratelimit-policy': `"${this.#name}";q=${max};w=${max / perSecond}`,
      ratelimit: `"${this.#name}";r=${Math.floor(left)};t=${Math.ceil((max - left) / perSecond)}`,
    }
  }

  #left(clientId: string, now: Date): number {
    const { max, perSecond } = this.#limit
    const budget = this.#budgets.get(clientId)
    if (!budget) return max
    // The clock may be set back.
    return Math.min(max, budget.calls + (Math.max(0, now.getTime() - budget.at) / 1000) * perSecond)
  }
}

interface ChangeGateParts {
  now: () => Date
  /** True while less of the disk is free than MIN_FREE_DISK says. */
  isDiskFull: () => Promise<boolean>
  /** True while an operator has the installation read only. */
  isReadOnly: () => boolean
}

/**
 * Refuses changes before their body is read: while the installation is read only or its disk full, and when a client makes too many. Reports of devices have
 * limits by device; reads, sign-ins, alerts and deletions work on a full disk.
 */
export class ChangeGate {
  readonly #parts: ChangeGateParts
  readonly #changes = new CallBudget('changes', CHANGE_LIMIT)
  readonly #alerts = new CallBudget('alerts', ALERT_LIMIT)

  constructor(parts: ChangeGateParts) {
    this.#parts = parts
  }

  /**
   * Tells a user what is left of the client's changes, also by a refusal.
   * @throws ProblemError 429 `too-many-changes`, 503 `read-only`, `disk-full`
   */
  async check(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      this.#take(endpoint, clientOf(request))
    } finally {
      if (request.session)
        reply.headers(this.#budgetOf(endpoint).headers(request.session.clientId, this.#parts.now()))
    }
    if (endpoint.worksOnFullDisk || !(await this.#parts.isDiskFull())) return
    throw new ProblemError('disk-full', {
      detail:
        "Too little of the server's disk is free. Nothing was changed. Reads, deletions and alerts work; free space, then try again.",
      retryAfterSeconds: 60,
    })
  }

  #take(endpoint: Endpoint, clientId: string): void {
    if (!endpoint.worksReadOnly && this.#parts.isReadOnly())
      throw new ProblemError('read-only', { retryAfterSeconds: 60 })
    if (isChange(endpoint)) this.#budgetOf(endpoint).take(clientId, this.#parts.now())
  }

  #budgetOf({ priority }: Endpoint): CallBudget {
    return isOfAlert(priority) ? this.#alerts : this.#changes
  }
}
