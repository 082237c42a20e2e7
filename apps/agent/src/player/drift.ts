/** The most that a track is played faster or slower, which nobody hears: 1.7 cents. */
const MAX_CHANGE = 0.001
/** A track that is late would be on time after so long. */
const HORIZON_MS = 10_000
/** A track this close to its schedule plays as it is: without resampling, joins are exact to the sample. */
const TOLERANCE_MS = 2
/** A correction ends this close to the schedule, so that the next one is far away. */
const CORRECTED_MS = 0.5

/** The speed of a track that is late (or, negative, early) on its schedule and plays at `speed`: sound cards' clocks are not the shop's. */
export function speedFor(lateMs: number, speed: number): number {
  const toleranceMs = speed === 1 ? TOLERANCE_MS : CORRECTED_MS
  if (Math.abs(lateMs) < toleranceMs) return 1
  return 1 + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, lateMs / HORIZON_MS))
}

/** The speed of one mpv, which resamples when it is not 1. */
export class PlaySpeed {
  readonly #apply: (speed: number) => Promise<void>
  #speed = 1

  constructor(apply: (speed: number) => Promise<void>) {
    this.#apply = apply
  }

  correct(lateMs: number): Promise<void> {
    return this.#set(speedFor(lateMs, this.#speed))
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
