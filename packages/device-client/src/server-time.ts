/** An answer with the server's time, in milliseconds since 1970. The others are the steady clock at both ends of the call. */
interface Answer {
  serverTime: number
  askedAt: number
  answeredAt: number
}

/** The server's time minus the steady clock, known to within `uncertaintyMs`. */
interface Sample {
  anchorMs: number
  uncertaintyMs: number
  answeredAt: number
}

/** A line that takes longer has stalled in one direction, so the middle of the call says nothing. */
const MAX_ROUND_TRIP_MS = 1000
/** A slow answer changes a clock that is off by this much more than the call explains. */
const MIN_ERROR_OF_SLOW_MS = 1000
const MAX_SAMPLES = 8
/** Two steady clocks differ by at most this share: quartz is off by 100 ppm at worst. */
const MAX_DRIFT = 0.0002
/** Smaller differences change nothing. */
const MIN_MOVE_MS = 20
/** Dates are right within this time. */
const PRECISE_MS = 200
/** On a line that is always slow, later answers add nothing. */
const MAX_IMPRECISE_ANSWERS = 3

/**
 * Derives the server's time from its answers.
 *
 * Among the last eight answers with a round trip under a second, the one with the shortest round trip counts. An answer that
 * contradicts an earlier one, because the server's clock was set, replaces it. An answer that took longer counts only if the
 * agent's time lies outside the call, which proves it wrong: over a satellite, a clock of 1970 is still corrected.
 */
export class ServerTime {
  #samples: Sample[] = []
  #answers = 0

  /** Whether the time is known to 0.2 s, or as well as the line allows. */
  get isPrecise(): boolean {
    const isKnown = this.#samples.some(({ uncertaintyMs }) => uncertaintyMs <= PRECISE_MS)
    return isKnown || this.#answers >= MAX_IMPRECISE_ANSWERS
  }

  /** The anchor (the server's time minus the steady clock) that replaces `currentMs`; null if that may stay. */
  apply({ serverTime, askedAt, answeredAt }: Answer, currentMs: number): number | null {
    this.#answers += 1
    const uncertaintyMs = Math.max(0, answeredAt - askedAt) / 2
    const sample = { anchorMs: serverTime - (askedAt + answeredAt) / 2, uncertaintyMs, answeredAt }
    this.#samples = this.#samples.filter(earlier => agree(earlier, sample))
    const errorOf = ({ anchorMs }: Sample) => Math.abs(anchorMs - currentMs)
    if (uncertaintyMs * 2 >= MAX_ROUND_TRIP_MS)
      return errorOf(sample) > uncertaintyMs + MIN_ERROR_OF_SLOW_MS ? sample.anchorMs : null
    this.#samples = [...this.#samples, sample].slice(-MAX_SAMPLES)
    const best = this.#samples.reduce((a, b) => (b.uncertaintyMs <= a.uncertaintyMs ? b : a))
    return errorOf(best) > Math.max(MIN_MOVE_MS, best.uncertaintyMs) ? best.anchorMs : null
  }
}

/** Whether both may be true: they differ by no more than their uncertainties and the drift between them. */
function agree(earlier: Sample, later: Sample): boolean {
  const driftMs = (later.answeredAt - earlier.answeredAt) * MAX_DRIFT
  const allowedMs = earlier.uncertaintyMs + later.uncertaintyMs + driftMs + MIN_MOVE_MS
  return Math.abs(later.anchorMs - earlier.anchorMs) <= allowedMs
}
