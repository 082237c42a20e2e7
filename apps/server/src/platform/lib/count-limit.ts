import { LRUCache } from 'lru-cache'
import { ProblemError } from './errors.ts'

interface CountLimitOptions {
  /** Events of one key in a window after which `check` refuses. */
  max: number
  windowSeconds: number
  now: () => Date
}

/** Keys that are counted at the same time: beyond it, the count goes that was used longest ago. */
const MAX_KEYS = 50_000

/**
 * Counts events by key, such as failures by address, in this server's memory. Unlike a rate limit it counts only what the
 * caller adds, so that calls that end well can be free.
 */
export class CountLimit {
  readonly #options: CountLimitOptions
  /** `max` would reserve 1 MB. */
  readonly #counts = new LRUCache<string, { count: number; endsAt: number }>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  })

  constructor(options: CountLimitOptions) {
    this.#options = options
  }

  /** The key has reached the limit. */
  isReached(key: string): boolean {
    return (this.#counted(key)?.count ?? 0) >= this.#options.max
  }

  /** @throws ProblemError 429 with the seconds to wait if the key has reached the limit */
  check(key: string): void {
    const counted = this.#counted(key)
    if (!counted || counted.count < this.#options.max) return
    const waitSeconds = Math.ceil((counted.endsAt - this.#options.now().getTime()) / 1000)
    throw new ProblemError(429, 'too-many-requests', { retryAfterSeconds: waitSeconds })
  }

  add(key: string): void {
    const counted = this.#counted(key)
    if (counted) return void (counted.count += 1)
    const endsAt = this.#options.now().getTime() + this.#options.windowSeconds * 1000
    this.#counts.set(key, { count: 1, endsAt })
  }

  /** Counts one in advance, so that calls at the same time do not pass the limit together. @throws ProblemError 429 */
  take(key: string): void {
    this.check(key)
    this.add(key)
  }

  /** Gives back what was taken in advance: the call ended well. */
  giveBack(key: string): void {
    const counted = this.#counted(key)
    if (counted) counted.count -= 1
  }

  /** Does the work and counts it if it fails in a way that `isCounted` names. @throws ProblemError 429 before the work */
  async countFailures<Result>(
    key: string,
    isCounted: (error: unknown) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.take(key)
    try {
      const result = await work()
      this.giveBack(key)
      return result
    } catch (error) {
      if (!isCounted(error)) this.giveBack(key)
      throw error
    }
  }

  #counted(key: string) {
    const counted = this.#counts.get(key)
    return counted && counted.endsAt > this.#options.now().getTime() ? counted : undefined
  }
}
