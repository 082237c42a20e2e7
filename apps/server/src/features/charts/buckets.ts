import type { ChartRange } from '@floorcast/contract/charts.ts'

/** Moments at the same distance, the oldest first. */
export interface Buckets {
  stepSeconds: number
  times: readonly Date[]
}

const HOUR = 3600
export const RANGE_SECONDS: Readonly<Record<ChartRange, number>> = {
  '1h': HOUR,
  '24h': 24 * HOUR,
  '7d': 7 * 24 * HOUR,
  '45d': 45 * 24 * HOUR,
}

/** The steps of what is sampled each minute: at most 288 points. */
const SAMPLE_STEPS: Readonly<Record<ChartRange, number>> = {
  '1h': 60,
  '24h': HOUR / 6,
  '7d': HOUR,
  '45d': 4 * HOUR,
}

/** The steps of plays, which are counted by hour. */
const PLAY_STEPS: Readonly<Record<ChartRange, number>> = {
  '1h': 300,
  '24h': HOUR,
  '7d': 3 * HOUR,
  '45d': 24 * HOUR,
}

/** Times are multiples of the step in UTC; the last one is not after `now`. */
function bucketsOf(now: Date, range: ChartRange, stepSeconds: number): Buckets {
  const stepMs = stepSeconds * 1000
  const last = Math.floor(now.getTime() / stepMs) * stepMs
  const count = RANGE_SECONDS[range] / stepSeconds
  const times = Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * stepMs))
  return { stepSeconds, times }
}

export const sampleBuckets = (now: Date, range: ChartRange) => bucketsOf(now, range, SAMPLE_STEPS[range])
export const playBuckets = (now: Date, range: ChartRange) => bucketsOf(now, range, PLAY_STEPS[range])
/** Days in UTC, today included. */
export const dayBuckets = (now: Date, range: ChartRange) => bucketsOf(now, range, 24 * HOUR)

export const firstOf = ({ times }: Buckets): Date => times[0] ?? new Date(0)
