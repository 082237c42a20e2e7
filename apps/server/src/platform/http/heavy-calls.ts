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

export class HeavyCalls {
  readonly #queue: FairQueue
  readonly #limits: FairQueueLimits
  readonly #maxWaitMs: number
  readonly #calls = new WeakMap<FastifyRequest, HeavyCall>()
  #meanMs = 1000

  constructor(limits: FairQueueLimits = LIMITS, maxWaitMs = MAX_WAIT_MS) {
    this.#queue = new FairQueue(limits)
    this.#limits = limits
    this.#maxWaitMs = maxWaitMs
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
      if (this.#calls.get(request)?.isInWork === false) this.leave(request)
    })
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(this.#maxWaitMs)])
    const free = await this.#queue.enter({ clientId, signal }).catch(() => {
      throw gone.signal.aborted ? callerIsGone() : this.#refusal()
    })
    this.#calls.set(request, { signal: gone.signal, isInWork: false, since: performance.now(), free })
    if (gone.signal.aborted) this.leave(request)
    gone.signal.throwIfAborted()
  }

  /** The handler begins: from now on its end frees the slot. @returns a signal that aborts when the caller is gone */
  begin(request: FastifyRequest): AbortSignal | undefined {
    const call = this.#calls.get(request)
    if (call) call.isInWork = true
    return call?.signal
  }

  /** Frees the slot of a call, if it has one. */
  leave(request: FastifyRequest): void {
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
