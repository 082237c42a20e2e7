const DAY_MS = 86_400_000

/** The days until an instant, begun ones as whole; 0 or less once it has passed. @param nowMs in ms since the epoch */
export const daysUntil = (instant: string, nowMs: number): number =>
  Math.ceil((Date.parse(instant) - nowMs) / DAY_MS)
