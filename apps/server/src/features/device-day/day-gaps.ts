import { GapReason, type DayGap } from '@floorcast/contract/device-day.ts'
import type { DayBounds } from './day-minutes.ts'
import { MINUTE_MS, runsOf } from './day-minutes.ts'
import type { DayConnectivity, DaySilence, DaySpan } from './device-day-queries.ts'

/** A minute with less than so many scheduled seconds has no gap, nor one with so many played ones. */
const MIN_SCHEDULED_SECONDS = 45
const MIN_PLAYED_SECONDS = 15
/** The log of a play comes when it has ended: later than its end by this at most, if the device reports. */
const LOG_DELAY_MS = 3 * MINUTE_MS

interface GapSources {
  /** The seconds of each minute. */
  scheduled: Float64Array
  played: Float64Array
  silences: readonly DaySilence[]
  /** Ascending. */
  unreported: readonly DaySpan[]
  connectivity: readonly DayConnectivity[]
  /** The last contact of the device; null: none. */
  lastContactAt: number | null
  now: number
}

/** What was scheduled and not played, and why. */
export function findGaps(day: DayBounds, sources: GapSources): DayGap[] {
  const { scheduled, played, now } = sources
  const reasonAt = makeReasons(sources)
  const valueOf = (minute: number) => {
    const at = day.from + minute * MINUTE_MS
    if (at + MINUTE_MS > now - LOG_DELAY_MS) return null
    if ((scheduled[minute] ?? 0) < MIN_SCHEDULED_SECONDS || (played[minute] ?? 0) >= MIN_PLAYED_SECONDS)
      return null
    return reasonAt(at + MINUTE_MS / 2)
  }
  return runsOf(day, valueOf, reason => reason).map(({ from, until, value }) => ({
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    because: value,
  }))
}

/** Answers for instants in ascending order. */
function makeReasons({
  silences,
  unreported,
  connectivity,
  lastContactAt,
}: GapSources): (at: number) => GapReason {
  let silence = -1
  let interval = -1
  let quiet = 0
  return at => {
    while (Date.parse(silences[silence + 1]?.at ?? '') <= at) silence += 1
    while (Date.parse(connectivity[interval + 1]?.from ?? '') <= at) interval += 1
    while (Date.parse(unreported[quiet]?.until ?? '') <= at) quiet += 1
    const said = GapReason.safeParse(silences[silence]?.because).data
    if (said !== undefined) return said
    if (lastContactAt === null || lastContactAt <= at) return 'not-reported'
    if (Date.parse(unreported[quiet]?.from ?? '') <= at) return 'unreported'
    return connectivity[interval]?.state === 'online' ? 'unknown' : 'off'
  }
}
