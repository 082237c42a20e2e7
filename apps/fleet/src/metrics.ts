/** Counts and answer times of one kind of call. */
export interface CallSummary {
  sent: number
  acknowledged: number
  errors: number
  /** Milliseconds; null without an answer. */
  p50: number | null
  p95: number | null
  p99: number | null
}

/** The number of answer times that are kept; older ones are overwritten. */
const MAX_TIMES = 200_000

/** Counts calls of one kind and times their answers. */
export class CallMetrics {
  #sent = 0
  #acknowledged = 0
  #errors = 0
  readonly #times: number[] = []

  get counts() {
    return { sent: this.#sent, acknowledged: this.#acknowledged, errors: this.#errors }
  }

  /** Makes and times one call. It counts an error and rethrows it. */
  async time<T>(call: () => Promise<T>): Promise<T> {
    const end = this.begin()
    try {
      const answer = await call()
      end(true)
      return answer
    } catch (error) {
      end(false)
      throw error
    }
  }

  /** Counts a call whose answer arrives separately. Call the returned function at its end. */
  begin(): (isAnswered: boolean) => void {
    const sentAt = performance.now()
    this.#sent += 1
    return isAnswered => {
      if (!isAnswered) return void (this.#errors += 1)
      this.#times[this.#acknowledged % MAX_TIMES] = performance.now() - sentAt
      this.#acknowledged += 1
    }
  }

  summary(): CallSummary {
    const times = this.#times.toSorted((a, b) => a - b)
    const at = (share: number) => {
      const time = times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)]
      return time === undefined ? null : Math.round(time * 100) / 100
    }
    return { ...this.counts, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
  }
}

/** All counters of a fleet. */
export class Metrics {
  readonly sessions = new CallMetrics()
  readonly manifests = new CallMetrics()
  readonly media = new CallMetrics()
  readonly heartbeats = new CallMetrics()
  readonly batches = new CallMetrics()
  connected = 0
  /** Connections that ended unexpectedly. */
  dropped = 0
  replaced = 0
  messages = 0
  plays = 0
  events = { sent: 0, accepted: 0, duplicates: 0, refused: 0 }

  /** The line that is printed each second. */
  line(seconds: number, devices: number): string {
    const { heartbeats, batches, sessions, manifests } = this
    const errors = [heartbeats, batches, sessions, manifests].reduce(
      (sum, { counts }) => sum + counts.errors,
      0,
    )
    return [
      `${Math.round(seconds)} s`,
      `${this.connected} of ${devices} connected`,
      `${heartbeats.counts.acknowledged} heartbeats`,
      `${this.plays} plays`,
      `${this.events.accepted} events stored`,
      `${errors} errors`,
      `heartbeat p95 ${heartbeats.summary().p95 ?? '-'} ms`,
    ].join(' · ')
  }

  summary() {
    return {
      sessions: this.sessions.summary(),
      manifests: this.manifests.summary(),
      media: this.media.summary(),
      heartbeats: this.heartbeats.summary(),
      batches: this.batches.summary(),
      events: this.events,
      plays: this.plays,
      channels: {
        connected: this.connected,
        dropped: this.dropped,
        replaced: this.replaced,
        messages: this.messages,
      },
    }
  }
}

/** A `fetch` that counts the device protocol's calls by path, except heartbeats, which the device client counts. */
export const countCalls =
  ({ sessions, manifests, batches }: Metrics): typeof fetch =>
  async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const calls = pathname.endsWith('/device/session')
      ? sessions
      : pathname.includes('/iplay/manifest/')
        ? manifests
        : pathname.includes('/iplay/send/list/')
          ? batches
          : null
    const end = calls?.begin()
    try {
      const answer = await fetch(input, init)
      end?.(answer.ok || answer.status === 304)
      return answer
    } catch (error) {
      end?.(false)
      throw error
    }
  }
