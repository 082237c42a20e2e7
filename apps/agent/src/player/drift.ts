/** The most that a track is played faster or slower, which nobody hears: 1.7 cents. */
const MAX_CHANGE = 0.001
/** A track that is late would be on time after so long. */
const HORIZON_MS = 20_000

/** A track this close to its schedule plays as it is: without resampling, joins are exact to the sample. */
const TOLERANCE_MS = 2

/** The speed of a track that is late (or, negative, early) on its schedule: sound cards' clocks are not the shop's. */
export const speedFor = (lateMs: number): number =>
  Math.abs(lateMs) < TOLERANCE_MS ? 1 : 1 + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, lateMs / HORIZON_MS))
