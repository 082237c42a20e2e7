/** Counts and answer times of one kind of call. */
export interface CallSummary {
  sent: number
  acknowledged: number
  /** Calls that the server postponed: 503 or 429 with Retry-After. */
  later: number
  errors: number
  /** Calls that were sent at least ten seconds ago and have not ended in one of these ways. */
  unanswered: number
  /** Milliseconds; null without an answer. */
  p50: number | null
  p95: number | null
  p99: number | null
}

/** How a call ended. */
export type CallEnd = 'answered' | 'later' | 'failed'

/** The number of times that are kept; older ones are overwritten. */
const MAX_TIMES = 200_000
/** The number of newest times in the line that is printed each second. */
const RECENT_TIMES = 1000
const UNANSWERED_MS = 10_000

const roundedMs = (time: number | undefined) => (time === undefined ? null : Math.round(time * 100) / 100)

/** The value at a share of sorted times; undefined without any. */
const at = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))]

/** Collects times in milliseconds, and computes their percentiles. */
export class Times {
  #times: number[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(ms: number): void {
    this.#times[this.#count % MAX_TIMES] = ms
    this.#count += 1
  }

  reset(): void {
    this.#times = []
    this.#count = 0
  }

  summary() {
    const sorted = Float64Array.from(this.#times).sort()
    const [p50, p95, p99, last] = [0.5, 0.95, 0.99, 1].map(share => roundedMs(at(sorted, share)))
    return { p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null, last: last ?? null }
  }

  /** The 95th percentile of the newest times. */
  recentP95(): number | null {
    const end = this.#count % MAX_TIMES
    const recent = this.#count > MAX_TIMES ? this.#times : this.#times.slice(0, end)
    return roundedMs(at(Float64Array.from(recent.slice(-RECENT_TIMES)).sort(), 0.95))
  }
}

/** Counts calls of one kind and times their answers. */
export class CallMetrics {
  #sent = 0
  #acknowledged = 0
  #later = 0
  #errors = 0
  /** The calls that have not ended, oldest first. A reset forgets them. */
  readonly #open = new Set<{ sentAt: number }>()
  readonly #times = new Times()

  get counts() {
    return {
      sent: this.#sent,
      acknowledged: this.#acknowledged,
      later: this.#later,
      errors: this.#errors,
    }
  }

  /** Makes and times one call. It counts an error and rethrows it. */
  async time<T>(call: () => Promise<T>): Promise<T> {
    const end = this.begin()
    try {
      const answer = await call()
      end('answered')
      return answer
    } catch (error) {
      end('failed')
      throw error
    }
  }

  /** Counts a call whose answer arrives separately. Call the returned function at its end. */
  begin(): (end: CallEnd) => void {
    const call = { sentAt: performance.now() }
    this.#open.add(call)
    this.#sent += 1
    return end => {
      if (!this.#open.delete(call)) return
      if (end === 'failed') this.#errors += 1
      if (end === 'later') this.#later += 1
      if (end !== 'answered') return
      this.#times.add(performance.now() - call.sentAt)
      this.#acknowledged += 1
    }
  }

  reset(): void {
    this.#sent = this.#acknowledged = this.#later = this.#errors = 0
    this.#open.clear()
    this.#times.reset()
  }

  recentP95(): number | null {
    return this.#times.recentP95()
  }

  summary(): CallSummary {
    const { p50, p95, p99 } = this.#times.summary()
    return { ...this.counts, unanswered: this.#countUnanswered(), p50, p95, p99 }
  }

  #countUnanswered(): number {
    const sentBefore = performance.now() - UNANSWERED_MS
    let count = 0
    for (const { sentAt } of this.#open) {
      if (sentAt > sentBefore) break
      count += 1
    }
    return count
  }
}
