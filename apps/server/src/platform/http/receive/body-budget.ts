import { getHeapStatistics } from 'node:v8'
import { ProblemError } from '../../lib/errors.ts'

/** Bodies up to this length are not counted: the bounds of connections and queues bound them. */
export const SMALL_BODY_BYTES = 16_384

/** A sixteenth of the heap: parsed, a body takes some times its bytes. */
const budgetOfHeap = () => Math.floor(getHeapStatistics().heap_size_limit / 16)

/** Of one user or device at a time. A browser has six calls, and the console sends one large body; a device sends one. */
const MAX_LARGE_OF_CALLER = 8

/** A body in memory, from its first byte to the end of its call. */
export interface HeldBody {
  client: string
  bytes: number
  isComplete: boolean
  /** No more of it comes. */
  endReceiving: () => void
  /** Ends the call and frees the bytes. */
  abort: (reason: ProblemError) => void
}

const busy = () =>
  new ProblemError(503, 'busy', {
    detail: 'The server receives too many large bodies. Come back after the time of Retry-After.',
    retryAfterSeconds: 5,
  })

const tooMany = () =>
  new ProblemError(429, 'too-many-requests', {
    detail: `You are sending ${MAX_LARGE_OF_CALLER} large bodies already. Wait until one of them is done.`,
    retryAfterSeconds: 5,
  })

/**
 * Bounds the bytes of bodies in memory. They count as they come, not as they are announced. Where they are too many, the
 * client with the most of them loses the oldest body that is not complete.
 */
export class BodyBudget {
  readonly #maxBytes: number
  readonly #bodies = new Map<string, Set<HeldBody>>()
  /** The large bodies of each user or device that come now. */
  readonly #receiving = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes = budgetOfHeap()) {
    this.#maxBytes = maxBytes
  }

  /** Counts a large body before it is read. @returns what ends it @throws ProblemError 429 if the caller sends many already */
  receive(caller: string): () => void {
    const count = this.#receiving.get(caller) ?? 0
    if (count >= MAX_LARGE_OF_CALLER) throw tooMany()
    this.#receiving.set(caller, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#receiving.get(caller) ?? 1) - 1
      if (left > 0) this.#receiving.set(caller, left)
      else this.#receiving.delete(caller)
    }
  }

  hold(body: HeldBody, bytes: number): void {
    const own = this.#bodies.get(body.client) ?? new Set()
    this.#bodies.set(body.client, own.add(body))
    body.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#maxBytes) {
      const victim = this.#oldestOfLargest()
      if (!victim) return
      this.release(victim)
      victim.abort(busy())
    }
  }

  release(body: HeldBody): void {
    const own = this.#bodies.get(body.client)
    if (!own?.delete(body)) return
    if (own.size === 0) this.#bodies.delete(body.client)
    this.#bytes -= body.bytes
  }

  #oldestOfLargest(): HeldBody | null {
    let largest: { bytes: number; oldest: HeldBody } | null = null
    for (const own of this.#bodies.values()) {
      const oldest = [...own].find(({ isComplete }) => !isComplete)
      const bytes = [...own].reduce((sum, body) => sum + body.bytes, 0)
      if (oldest && bytes > (largest?.bytes ?? 0)) largest = { bytes, oldest }
    }
    return largest?.oldest ?? null
  }
}
