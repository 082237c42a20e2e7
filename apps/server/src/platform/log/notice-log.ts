import type { Log } from './log.ts'

const QUIET_MS = 5 * 60_000
/** Keys that are remembered; with more, as in an attack from many addresses, the rest share one. */
const MAX_KEYS = 1000

interface Notice {
  fields: object
  message: string
  until: number
  suppressed: number
}

/** Warns once for each key in five minutes, and then says how many of these warnings it left out. */
export class NoticeLog {
  readonly #log: Log
  readonly #notices = new Map<string, Notice>()

  constructor(log: Log) {
    this.#log = log
  }

  warn(key: string, fields: object, message: string): void {
    const known = this.#notices.has(key) || this.#notices.size < MAX_KEYS ? key : 'others'
    const notice = this.#notices.get(known)
    if (notice && performance.now() < notice.until) {
      notice.suppressed += 1
      return
    }
    this.#sayEnded()
    this.#notices.set(known, { fields, message, until: performance.now() + QUIET_MS, suppressed: 0 })
    this.#log.warn(fields, message)
  }

  /** Forgets the notices whose time is over. */
  #sayEnded(): void {
    const now = performance.now()
    for (const [key, { fields, message, until, suppressed }] of this.#notices) {
      if (now < until) continue
      this.#notices.delete(key)
      if (suppressed > 0) this.#log.warn({ ...fields, suppressed }, message)
    }
  }
}
