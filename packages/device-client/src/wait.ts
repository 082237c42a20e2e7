/** Node's and browsers' timers hold no longer delay; who waits longer looks at the clock again after it. */
const MAX_TIMER_MS = 10 * 60_000

export const sleep = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.max(0, Math.min(ms, MAX_TIMER_MS))))

/** The first of `happenings` to settle, or 'time' after `ms` (ten minutes at most; null: no limit). */
export async function firstOf<T>(happenings: readonly Promise<T>[], ms: number | null): Promise<T | 'time'> {
  if (ms === null) return Promise.race(happenings)
  let timer: ReturnType<typeof setTimeout> | undefined
  const time = new Promise<'time'>(resolve => {
    timer = setTimeout(() => resolve('time'), Math.max(0, Math.min(ms, MAX_TIMER_MS)))
  })
  try {
    return await Promise.race([...happenings, time])
  } finally {
    clearTimeout(timer)
  }
}

/** Wakes who waits for a change; a change between looking and waiting is not missed. */
export class ChangeNotifier {
  /** How often `notify` was called; read it before looking at what may change. */
  count = 0
  #waiting = Promise.withResolvers<void>()

  /** Resolves once `notify` has been called more than `count` times. */
  after(count: number): Promise<void> {
    return count < this.count ? Promise.resolve() : this.#waiting.promise
  }
  notify(): void {
    this.count += 1
    const { resolve } = this.#waiting
    this.#waiting = Promise.withResolvers()
    resolve()
  }
}
