interface Damage {
  count: number
  /** By the agent's time. */
  fetchAt: number
}

const MINUTE_MS = 60_000
const MAX_WAIT_MS = 60 * MINUTE_MS

/**
 * The files whose bytes on the disk were others than they were sent. That is the disk's fault, so that each is fetched again: at
 * once, then after a minute, two, and so on up to an hour. A file that was heard whole is undamaged.
 */
export class DamagedFiles {
  readonly #files = new Map<string, Damage>()
  /** Files whose bytes are being checked. */
  readonly #checking = new Set<string>()

  add(sha256: string, now: number): void {
    const count = (this.#files.get(sha256)?.count ?? 0) + 1
    const waitMs = count === 1 ? 0 : Math.min(MAX_WAIT_MS, MINUTE_MS * 2 ** (count - 2))
    this.#files.set(sha256, { count, fetchAt: now + waitMs })
  }
  forgive(sha256: string): void {
    this.#files.delete(sha256)
  }
  /** Whether a file may be fetched at a time. A clock that was set back since delays it by no more than the longest wait. */
  isWanted(sha256: string, now: number): boolean {
    const fetchAt = this.#files.get(sha256)?.fetchAt ?? -Infinity
    return !this.#checking.has(sha256) && (now >= fetchAt || fetchAt - now > MAX_WAIT_MS)
  }
  /** Nothing is fetched in a file's place while `check` reads it. */
  async during<T>(sha256: string, check: () => Promise<T>): Promise<T> {
    this.#checking.add(sha256)
    try {
      return await check()
    } finally {
      this.#checking.delete(sha256)
    }
  }
}
