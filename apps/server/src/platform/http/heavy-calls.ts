import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../lib/errors.ts'
import { FairQueue, type FairQueueLimits } from '../lib/fair-queue.ts'

/*
 * Heavy calls (docs/decisions/0173): imports, bulk changes, copies of a plan and exports. Each waits for a slot before its
 * body is read, so that few bodies are in memory. Clients take turns; a client has one slot.
 */

const LIMITS: FairQueueLimits = { places: 4, maxWaiting: 40, maxWaitingAClient: 8 }
/** Shorter than the patience of callers. */
const MAX_WAIT_MS = 10_000
const MAX_RETRY_SECONDS = 30
/** The connections of reports (database.ts) are as many. */
const REPORT_LIMITS: FairQueueLimits = { places: 3, maxWaiting: 12, maxWaitingAClient: 3 }
const PREVIEW_LIMITS: FairQueueLimits = { places: 2, maxWaiting: 12, maxWaitingAClient: 3 }
/** The weight of the newest call in the mean time of a call. */
const NEWEST = 0.2

interface HeavyCall {
  /** Aborts when the caller is gone. */
  signal: AbortSignal
  /** The handler has begun. */
  isInWork: boolean
  /** On the monotonic clock, in milliseconds. */
  since: number
  free: () => void
}

/** Nobody reads this answer. */
const callerIsGone = () => new ProblemError(503, 'busy')

interface HeavyCallsOptions {
  maxWaitMs?: number
  /** A slot is free when its answer begins to be sent, or when it was sent whole. */
  holds?: 'to-answer' | 'to-close'
}

export class HeavyCalls {
  readonly #queue: FairQueue
  readonly #limits: FairQueueLimits
  readonly #maxWaitMs: number
  readonly #calls = new WeakMap<FastifyRequest, HeavyCall>()
  readonly #holds: 'to-answer' | 'to-close'
  #meanMs = 1000

  constructor(limits: FairQueueLimits = LIMITS, options: HeavyCallsOptions = {}) {
    this.#queue = new FairQueue(limits)
    this.#limits = limits
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS
    this.#holds = options.holds ?? 'to-answer'
  }

  get state(): { inWork: number; waiting: number } {
    return this.#queue.state
  }

  /** Waits for a slot, before the body is read. @throws ProblemError 429 with the time to come back */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const clientId = request.session?.clientId ?? ''
    const gone = new AbortController()
    reply.raw.once('close', () => {
      gone.abort(callerIsGone())
      if (this.#holds === 'to-close' || this.#calls.get(request)?.isInWork === false) this.#free(request)
    })
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(this.#maxWaitMs)])
    const free = await this.#queue.enter({ clientId, signal }).catch(() => {
      throw gone.signal.aborted ? callerIsGone() : this.#refusal()
    })
    this.#calls.set(request, { signal: gone.signal, isInWork: false, since: performance.now(), free })
    if (gone.signal.aborted) this.#free(request)
    gone.signal.throwIfAborted()
  }

  /** The handler begins: from now on its end frees the slot. @returns a signal that aborts when the caller is gone */
  begin(request: FastifyRequest): AbortSignal | undefined {
    const call = this.#calls.get(request)
    if (call) call.isInWork = true
    return call?.signal
  }

  /** Frees the slot of a call that begins to answer, if it has one. */
  leave(request: FastifyRequest): void {
    if (this.#holds === 'to-answer') this.#free(request)
  }

  #free(request: FastifyRequest): void {
    const call = this.#calls.get(request)
    if (!call) return
    this.#calls.delete(request)
    this.#meanMs += (performance.now() - call.since - this.#meanMs) * NEWEST
    call.free()
  }

  #refusal(): ProblemError {
    const seconds = (this.#meanMs / 1000) * ((this.#queue.state.waiting + 1) / this.#limits.places)
    return new ProblemError(429, 'heavy-busy', {
      detail:
        'The server is busy with imports, bulk changes and exports. Nothing was changed. Come back after the time of Retry-After.',
      retryAfterSeconds: Math.ceil(Math.min(MAX_RETRY_SECONDS, seconds * (1 + Math.random()))),
    })
  }
}

/** The slots of a server: those of reports are apart, because a file takes minutes. */
export const openSlots = (heavy = new HeavyCalls()): Record<Endpoint['slots'], HeavyCalls> => ({
  heavy,
  reports: new HeavyCalls(REPORT_LIMITS, { holds: 'to-close' }),
  previews: new HeavyCalls(PREVIEW_LIMITS),
})
