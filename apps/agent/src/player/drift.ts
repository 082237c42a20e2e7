/** The most that a track is played faster or slower, which nobody hears: 1.7 cents. */
const MAX_CHANGE = 0.001
/** A track that is late would be on time after so long. */
const HORIZON_MS = 20_000

/** The speed of a track that is late (or, negative, early) on its schedule: sound cards' clocks are not the shop's. */
export const speedFor = (lateMs: number): number =>
  1 + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, lateMs / HORIZON_MS))
