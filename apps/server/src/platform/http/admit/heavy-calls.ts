import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { FairQueue, type FairQueueLimits } from '../../lib/fair-queue.ts'
import { callerIsGone } from './admission-queue.ts'

/*
 * Heavy calls (docs/decisions/0173): imports, bulk changes, copies of a plan and exports. Each waits for a slot before its
 * body is read, so that few bodies are in memory. Clients take turns; a client has one slot.
 */

const LIMITS: FairQueueLimits = { places: 4, maxWaiting: 40, maxWaitingAClient: 8 }
/** Shorter than the patience of callers. */
const MAX_WAIT_MS = 10_000
const MAX_RETRY_SECONDS = 30
/** Reports have the same number of connections (database.ts). */
const REPORT_LIMITS: FairQueueLimits = { places: 3, maxWaiting: 12, maxWaitingAClient: 3 }
/** The open reports of a client: made, and still being read. Each may take 1 GiB of the disk. */
const MAX_OPEN_REPORTS = 6
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

/** The turn of a call that has a slot. */
export interface HeavyTurn {
  /** Aborts when the caller is gone. */
  signal: AbortSignal
  /** Frees the slot: the rest costs no more than sending. */
  end: () => void
  /** The call waits for its reader. If all slots do and others wait, `makeRoom` is to end the one that has waited longest. */
  holdBack: (makeRoom: () => void) => void
  /** It waits no more. */
  goOn: () => void
}

interface HeavyCallsOptions {
  maxWaitMs?: number
  /** A slot is free when its answer begins to be sent, or when the turn is ended, at the latest with the answer. */
  holds?: 'to-answer' | 'to-end'
  /** Calls of a client from their beginning to the end of their answers; no bound by default. */
  maxOpenAClient?: number
}

export class HeavyCalls {
  readonly #queue: FairQueue
  readonly #limits: FairQueueLimits
  readonly #maxWaitMs: number
  readonly #calls = new WeakMap<FastifyRequest, HeavyCall>()
  readonly #holds: 'to-answer' | 'to-end'
  readonly #maxOpenAClient: number
  readonly #openOf = new Map<string, number>()
  /** Calls that wait for their readers, the longest first, and what ends them. */
  readonly #heldBack = new Map<HeavyCall, () => void>()
  #meanMs = 1000

  constructor(limits: FairQueueLimits = LIMITS, options: HeavyCallsOptions = {}) {
    this.#queue = new FairQueue(limits)
    this.#limits = limits
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS
    this.#holds = options.holds ?? 'to-answer'
    this.#maxOpenAClient = options.maxOpenAClient ?? Infinity
  }

  get state(): { inWork: number; waiting: number } {
    return this.#queue.state
  }

  /** Waits for a slot, before the body is read. @throws ProblemError 429 with the time to come back */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const clientId = request.session?.clientId ?? ''
    const gone = new AbortController()
    this.#open(clientId, reply)
    reply.raw.once('close', () => {
      gone.abort(callerIsGone())
      if (this.#holds === 'to-end' || this.#calls.get(request)?.isInWork === false) this.#free(request)
    })
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(this.#maxWaitMs)])
    const entering = this.#queue.enter({ clientId, signal })
    this.#makeRoom()
    const free = await entering.catch(() => {
      throw gone.signal.aborted ? callerIsGone() : this.#refusal()
    })
    this.#calls.set(request, {
      signal: gone.signal,
      isInWork: false,
      since: performance.now(),
      free,
    })
    if (gone.signal.aborted) this.#free(request)
    gone.signal.throwIfAborted()
  }

  /** The handler begins: from now on its end frees the slot. */
  begin(request: FastifyRequest): HeavyTurn | undefined {
    const call = this.#calls.get(request)
    if (!call) return undefined
    call.isInWork = true
    return {
      signal: call.signal,
      end: () => this.#free(request),
      holdBack: makeRoom => {
        if (!this.#heldBack.has(call)) this.#heldBack.set(call, makeRoom)
        this.#makeRoom()
      },
      goOn: () => void this.#heldBack.delete(call),
    }
  }

  /** Frees the slot of a call that begins to answer, if it has one. */
  leave(request: FastifyRequest): void {
    if (this.#holds === 'to-answer') this.#free(request)
  }

  /** @throws ProblemError 429 if the client has too many open */
  #open(clientId: string, reply: FastifyReply): void {
    const open = this.#openOf.get(clientId) ?? 0
    if (open >= this.#maxOpenAClient) throw this.#refusal()
    this.#openOf.set(clientId, open + 1)
    reply.raw.once('close', () => {
      const rest = (this.#openOf.get(clientId) ?? 1) - 1
      if (rest > 0) this.#openOf.set(clientId, rest)
      else this.#openOf.delete(clientId)
    })
  }

  /** When all slots wait for slow readers and others for a slot, ends the one that has waited longest. */
  #makeRoom(): void {
    const [longest] = this.#heldBack.values()
    if (this.#queue.state.waiting > 0 && this.#heldBack.size >= this.#limits.places) longest?.()
  }

  #free(request: FastifyRequest): void {
    const call = this.#calls.get(request)
    if (!call) return
    this.#calls.delete(request)
    this.#heldBack.delete(call)
    this.#meanMs += (performance.now() - call.since - this.#meanMs) * NEWEST
    call.free()
  }

  #refusal(): ProblemError {
    const seconds = (this.#meanMs / 1000) * ((this.#queue.state.waiting + 1) / this.#limits.places)
    return new ProblemError('heavy-busy', {
      detail:
        'The server is busy with imports, bulk changes and exports. Nothing was changed. Come back after the time of Retry-After.',
      retryAfterSeconds: Math.ceil(Math.min(MAX_RETRY_SECONDS, seconds * (1 + Math.random()))),
    })
  }
}

/** The slots of a server: those of reports are apart, because a file takes minutes. */
export const openSlots = (heavy = new HeavyCalls()): Record<Endpoint['slots'], HeavyCalls> => ({
  heavy,
  reports: new HeavyCalls(REPORT_LIMITS, { holds: 'to-end', maxOpenAClient: MAX_OPEN_REPORTS }),
  previews: new HeavyCalls(PREVIEW_LIMITS),
})
