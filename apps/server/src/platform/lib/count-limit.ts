import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ProblemError } from './errors.ts'

interface CountLimitOptions {
  /** Events of one key in a window after which `check` refuses. */
  max: number
  windowSeconds: number
  now: () => Date
}

/** The events of a key in its window. */
interface Count {
  count: number
  endsAt: Date
}

/** Keys that are counted at the same time: beyond it, the count goes that was used longest ago. */
const MAX_KEYS = 50_000

const tooMany = (endsAt: Date, now: Date) =>
  new ProblemError('too-many-requests', {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)),
  })

/**
 * Counts events by key in this server's memory, to protect the server: several servers allow as many times as much. Unlike a rate limit
 * it counts only what the caller adds, so that calls that end well can be free.
 */
export class CountLimit {
  readonly #options: CountLimitOptions
  /** `max` would reserve 1 MB. */
  readonly #counts = new LRUCache<string, Count>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 })

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
    throw tooMany(counted.endsAt, this.#options.now())
  }

  add(key: string): void {
    const counted = this.#counted(key)
    if (counted) return void (counted.count += 1)
    const endsAt = new Date(this.#options.now().getTime() + this.#options.windowSeconds * 1000)
    this.#counts.set(key, { count: 1, endsAt })
  }

  #counted(key: string) {
    const counted = this.#counts.get(key)
    return counted && counted.endsAt > this.#options.now() ? counted : undefined
  }
}

/** Counts that all servers share. Keys are SHA-256 hashes. */
export interface CountStore {
  /** Counts an event if the count is below `max`. @returns null if it counted; else when the window ends */
  take(key: Buffer, limit: { max: number; windowSeconds: number; at: Date }): Promise<Date | null>
  /** Takes an event back that was counted in advance. */
  giveBack(key: Buffer, at: Date): Promise<void>
  /** Null: nothing is counted now. */
  read(key: Buffer, at: Date): Promise<Count | null>
}

/**
 * Counts events by key in the database, to protect secrets: all servers together allow what one allows, and a restart forgets nothing.
 * Why: docs/decisions/0350.
 */
export class SharedCountLimit {
  readonly #store: CountStore
  readonly #options: CountLimitOptions & { name: string }

  /** @param options `name`: limits of one name share their counts, on whatever server */
  constructor(store: CountStore, options: CountLimitOptions & { name: string }) {
    this.#store = store
    this.#options = options
  }

  /** The key has reached the limit. */
  async isReached(key: string): Promise<boolean> {
    return ((await this.#read(key))?.count ?? 0) >= this.#options.max
  }

  /** @throws ProblemError 429 with the seconds to wait if the key has reached the limit */
  async check(key: string): Promise<void> {
    const counted = await this.#read(key)
    if (counted && counted.count >= this.#options.max) throw tooMany(counted.endsAt, this.#options.now())
  }

  /** Counts one, at most up to the limit. */
  async add(key: string): Promise<void> {
    await this.#take(key)
  }

  /** Counts one in advance, so that calls at the same time do not pass the limit together. @throws ProblemError 429 */
  async take(key: string): Promise<void> {
    const endsAt = await this.#take(key)
    if (endsAt) throw tooMany(endsAt, this.#options.now())
  }

  /** Does the work and counts it if it fails in a way that `isCounted` names. @throws ProblemError 429 before the work */
  async countFailures<Result>(
    key: string,
    isCounted: (error: unknown) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.take(key)
    try {
      const result = await work()
      await this.#giveBack(key)
      return result
    } catch (error) {
      if (!isCounted(error)) await this.#giveBack(key)
      throw error
    }
  }

  /** What the caller is told does not depend on it: a count that could not be taken back ends with its window. */
  async #giveBack(key: string): Promise<void> {
    await this.#store.giveBack(this.#hash(key), this.#options.now()).catch(() => {})
  }

  #take(key: string): Promise<Date | null> {
    const { max, windowSeconds, now } = this.#options
    return this.#store.take(this.#hash(key), { max, windowSeconds, at: now() })
  }

  #read(key: string): Promise<Count | null> {
    return this.#store.read(this.#hash(key), this.#options.now())
  }

  /** The database has no use for emails and addresses of strangers. */
  #hash(key: string): Buffer {
    return createHash('sha256').update(`${this.#options.name}\n${key}`).digest()
  }
}
