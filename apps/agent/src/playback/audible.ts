import type { Steady } from '../health/clock.ts'

/** mpv says 'end-file' this long before the sound ends, until a track of known length has shown it exactly. */
const USUAL_LEAD = 330
/** A lead outside of this means that the file is not as long as it was said to be. */
const LEAST_LEAD = -250
const MOST_LEAD = 900
/** Of a lead's difference from the first one this much is believed to be the sound card's clock, the rest is jitter. */
const BELIEF = 0.2

/**
 * Finds when a track's sound really ends. In gapless mode mpv hands the last samples to the sound card some 300 ms before
 * they are heard, and says so then; the exact length says when they will be. Over a chain of tracks the sound card's
 * clock leaves the machine's, which the lead shows.
 */
export class AudibleChain {
  #lead: number | null = null

  /** When the sound ends of a track heard from `startedAt`, `length` ms long, whose end mpv told at `toldAt`. */
  endOf(startedAt: Steady, length: number, toldAt: Steady): Steady {
    const expected = startedAt + length
    const lead = expected - toldAt
    if (lead < LEAST_LEAD || lead > MOST_LEAD) return toldAt + (this.#lead ?? USUAL_LEAD)
    this.#lead ??= lead
    const correction = (this.#lead - lead) * BELIEF
    return expected + correction
  }

  /** A new chain begins: sound started after silence. */
  reset(): void {
    this.#lead = null
  }
}
