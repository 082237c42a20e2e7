import type { Log } from './log.ts'

const QUIET_MS = 5 * 60_000

interface NoticeOptions {
  /** A key has at most one line in this time. */
  quietMs?: number
}

/** Keys that are remembered; with more, as in an attack from many addresses, the rest share one. */
const MAX_KEYS = 1000

interface Notice {
  fields: object
  message: string
  until: number
  suppressed: number
}

/** Warns once for each key in five minutes (or `quietMs`), and then says how many of these warnings it left out. */
export class NoticeLog {
  readonly #log: Log
  readonly #quietMs: number
  readonly #notices = new Map<string, Notice>()

  constructor(log: Log, { quietMs = QUIET_MS }: NoticeOptions = {}) {
    this.#log = log
    this.#quietMs = quietMs
  }

  warn(key: string, fields: object, message: string): void {
    const known = this.#notices.has(key) || this.#notices.size < MAX_KEYS ? key : 'others'
    const notice = this.#notices.get(known)
    if (notice && performance.now() < notice.until) {
      notice.suppressed += 1
      return
    }
    this.#notices.delete(known)
    this.#sayEnded()
    this.#say(known, { fields, message, suppressed: notice?.suppressed ?? 0 })
  }

  /** Forgets the notices whose time is over; one that left warnings out has a line more, and its time again. */
  #sayEnded(): void {
    const now = performance.now()
    for (const [key, notice] of this.#notices) {
      if (now < notice.until) continue
      this.#notices.delete(key)
      if (notice.suppressed > 0) this.#say(key, notice)
    }
  }

  #say(key: string, { fields, message, suppressed }: Omit<Notice, 'until'>): void {
    this.#notices.set(key, { fields, message, until: performance.now() + this.#quietMs, suppressed: 0 })
    this.#log.warn(suppressed > 0 ? { ...fields, suppressed } : fields, message)
  }
}
