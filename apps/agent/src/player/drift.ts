/** The most that a track is played faster or slower, which nobody hears: 1.7 cents. */
const MAX_CHANGE = 0.001
/** The corrected speed brings a late track on time within this time: at the next check. */
const HORIZON_MS = 5000
/** A track this close to its schedule plays as it is: without resampling, joins are exact to the sample. */
const TOLERANCE_MS = 2
/** A correction ends this close to the schedule, so that the next one is far away. */
const CORRECTED_MS = 0.5

/**
 * The speed of a track that is late (or, negative, early) on its schedule: sound cards' clocks are not the shop's. It is to be
 * exact while it is being corrected, and before a crossfade: there are two tracks whose levels belong together.
 */
export function speedFor(lateMs: number, isExact: boolean): number {
  if (Math.abs(lateMs) < (isExact ? CORRECTED_MS : TOLERANCE_MS)) return 1
  return 1 + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, lateMs / HORIZON_MS))
}

/** The speed of one mpv, which resamples when it is not 1. */
export class PlaySpeed {
  readonly #apply: (speed: number) => Promise<void>
  #speed = 1

  constructor(apply: (speed: number) => Promise<void>) {
    this.#apply = apply
  }

  correct(lateMs: number, isExact: boolean): Promise<void> {
    return this.#set(speedFor(lateMs, isExact || this.#speed !== 1))
  }
  reset(): Promise<void> {
    return this.#set(1)
  }
  /** A new mpv plays files as they are. */
  forget(): void {
    this.#speed = 1
  }

  async #set(speed: number): Promise<void> {
    const rounded = Math.round(speed * 1e6) / 1e6
    if (rounded === this.#speed) return
    this.#speed = rounded
    await this.#apply(rounded)
  }
}
