import { REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import type { Clock, Steady } from './clock.ts'

/** Reported time gains or loses at most this share of the time that passes, as NTP slews a clock: 49 ms take 98 s. */
const MAX_SLEW_RATE = 0.0005
/** The agent reports an instant within seconds, so older segments are no longer needed. */
const MAX_SEGMENTS = 8

/** From `from` on, the anchor (milliseconds since 1970 minus the steady clock) moves towards its target. */
interface Segment {
  from: Steady
  anchorMs: number
  targetMs: number
}

const anchorAt = ({ from, anchorMs, targetMs }: Segment, steady: Steady): number => {
  const maxSlewMs = Math.max(0, steady - from) * MAX_SLEW_RATE
  return anchorMs + Math.max(-maxSlewMs, Math.min(maxSlewMs, targetMs - anchorMs))
}

/**
 * The time in which plays are reported. With the agent's clock alone, a correction of 49 ms between two tracks would look
 * like an overlap or a gap.
 *
 * - While sound continues, reported time runs with the steady clock and approaches the agent's clock slowly. The end of a
 *   track therefore equals the start of the next one, whatever corrects the agent's clock between them.
 * - After silence, reported time is the agent's clock again, but not before the last reported end. That end is on the disk,
 *   so the rule also holds after a restart.
 *
 * A single anchor for all sound would drift by seconds a week in a shop that never closes.
 */
export class ReportingClock {
  readonly #clock: Clock
  readonly #segments: Segment[]
  /** The corrections from before the server had confirmed the time. Reported time jumps with them. */
  readonly #jumps: { at: Steady; byMs: number }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.#segments = [{ from: clock.steady(), anchorMs: clock.anchorMs, targetMs: clock.anchorMs }]
    clock.onMove((byMs, isCorrection) => {
      const now = clock.steady()
      if (isCorrection) this.#jumps.push({ at: now, byMs })
      const anchorMs = this.#anchorAt(now) + (isCorrection ? byMs : 0)
      this.#add({ from: now, anchorMs, targetMs: clock.anchorMs })
    })
  }

  /** The error of reported times of `steady`, as the server's first answers proved. */
  correctionOf(steady: Steady): number {
    return this.#jumps.reduce((sum, { at, byMs }) => (steady < at ? sum + byMs : sum), 0)
  }

  /** The reported time of `steady`, in milliseconds since 1970. A later call returns the same value. */
  toReported(steady: Steady): number {
    return Math.round(steady + this.#anchorAt(steady))
  }

  /**
   * Prepares for sound after silence: reported time restarts at the agent's clock, but not before `reportedUntil`, the
   * reported end of the previous sound. If the clock was set back by over 30 s, its earlier times were wrong, and reported
   * time follows it.
   */
  resume(reportedUntil: number): void {
    const { anchorMs: targetMs } = this.#clock
    const from = this.#clock.steady()
    const aheadMs = reportedUntil - (from + targetMs)
    this.#add({
      from,
      anchorMs: aheadMs > 0 && aheadMs <= REJOIN_AFTER_MS ? targetMs + aheadMs : targetMs,
      targetMs,
    })
  }

  #anchorAt(steady: Steady): number {
    const segment = this.#segments.findLast(({ from }) => from <= steady) ?? this.#segments[0]
    return segment ? anchorAt(segment, steady) : this.#clock.anchorMs
  }

  #add(segment: Segment): void {
    this.#segments.push(segment)
    if (this.#segments.length > MAX_SEGMENTS) this.#segments.shift()
  }
}
