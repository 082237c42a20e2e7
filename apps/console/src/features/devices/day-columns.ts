import type { PlayedSpan, ScheduledSpan } from '@floorcast/contract/device-day.ts'

/** What sounds in each column of a drawn day, in seconds. */
interface DayColumns {
  sounding: Float64Array
  ads: Float64Array
}

interface DrawnSpan {
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Columns of equal width. */
  columns: number
}

/** Sums spans by column: a column is longer than a minute, and spans that end within it count by their part of it. */
export function columnsOf(
  spans: readonly (ScheduledSpan | PlayedSpan)[],
  { from, until, columns }: DrawnSpan,
): DayColumns {
  const [sounding, ads] = [new Float64Array(columns), new Float64Array(columns)]
  const length = (until - from) / columns
  for (const span of spans) {
    if (span.kind === 'silent') continue
    const end = Math.min(until, Date.parse(span.until))
    for (let at = Math.max(from, Date.parse(span.from)); at < end;) {
      const column = Math.min(columns - 1, Math.floor((at - from) / length))
      const next = column === columns - 1 ? end : Math.min(end, from + (column + 1) * length)
      const seconds = Math.max(0, next - at) / 1000
      sounding[column] = (sounding[column] ?? 0) + seconds
      ads[column] = (ads[column] ?? 0) + seconds * span.adShare
      // Rounding may put an edge into the column before it.
      at = Math.max(next, at + 1)
    }
  }
  return { sounding, ads }
}
