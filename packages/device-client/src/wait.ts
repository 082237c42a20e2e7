/** The longest wait of one call: timers take at most 24 days, and a caller that waits longer must read the clock again. */
const MAX_TIMER_MS = 10 * 60_000

export const sleep = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.max(0, Math.min(ms, MAX_TIMER_MS))))

/** The first promise to settle, or 'time' after `ms` (ten minutes at most; null means no limit). */
export async function firstOf<T>(promises: readonly Promise<T>[], ms: number | null): Promise<T | 'time'> {
  if (ms === null) return Promise.race(promises)
  let timer: ReturnType<typeof setTimeout> | undefined
  const time = new Promise<'time'>(resolve => {
    timer = setTimeout(() => resolve('time'), Math.max(0, Math.min(ms, MAX_TIMER_MS)))
  })
  try {
    return await Promise.race([...promises, time])
  } finally {
    clearTimeout(timer)
  }
}

/** Notifies waiting callers of changes. A count ensures that no change between a read and a wait is missed. */
export class ChangeNotifier {
  /** The number of `notify` calls. Read it before you read the state that may change. */
  count = 0
  #waiting = Promise.withResolvers<void>()
  readonly #listeners = new Set<() => void>()
  readonly #firstOf: typeof firstOf

  /** `wait` waits by another clock. */
  constructor(wait: typeof firstOf = firstOf) {
    this.#firstOf = wait
  }

  /** Resolves when `notify` has been called more than `count` times. */
  after(count: number): Promise<void> {
    return count < this.count ? Promise.resolve() : this.#waiting.promise
  }
  /**
   * The first promise to settle, 'changed' when `notify` has been called more than `count` times, or 'time' after `ms`. The next change may be
   * weeks away: in contrast to a race with `after`, nothing of this wait stays in memory until then.
   */
  async first<T>(
    count: number,
    promises: readonly Promise<T>[],
    ms: number | null,
  ): Promise<T | 'changed' | 'time'> {
    if (count < this.count) return 'changed'
    const { promise, resolve } = Promise.withResolvers<'changed'>()
    const tell = () => resolve('changed')
    this.#listeners.add(tell)
    try {
      return await this.#firstOf<T | 'changed'>([...promises, promise], ms)
    } finally {
      this.#listeners.delete(tell)
    }
  }
  notify(): void {
    this.count += 1
    for (const tell of this.#listeners) tell()
    const { resolve } = this.#waiting
    this.#waiting = Promise.withResolvers()
    resolve()
  }
}
