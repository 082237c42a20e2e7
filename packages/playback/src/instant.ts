/** An instant in milliseconds since 1970-01-01T00:00Z. */
export type Ms = number
/** Calendar days since 1970-01-01, without a zone. */
export type DayNumber = number

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The day number of a Gregorian date; `month` from 1. */
export function dayOfDate(year: number, month: number, day: number): DayNumber {
  // Years start in March here, so that the leap day is the last day of its year.
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The day number of `YYYY-MM-DD`; NaN for anything else. */
export function parseDay(text: string): DayNumber {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return parts ? dayOfDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) : Number.NaN
}

/** Milliseconds of `HH:MM` since midnight, in wall time; NaN for anything else. */
export function parseTimeOfDay(text: string): Ms {
  const parts = /^(\d\d):(\d\d)$/.exec(text)
  return parts ? Number(parts[1]) * HOUR + Number(parts[2]) * MINUTE : Number.NaN
}

const DATE_AND_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(\.\d+)?)?Z?$/

/**
 * Milliseconds of an ISO 8601 date and time, read as UTC. With `Z`, the result is the instant. Without it, the result is a
 * wall time, counted as if its zone were UTC. NaN for anything else.
 */
export function parseDateTime(text: string): Ms {
  const parts = DATE_AND_TIME.exec(text)
  if (!parts) return Number.NaN
  const seconds = Number(parts[3] ?? 0) + Number(parts[4] ?? 0)
  return parseDay(parts[1] ?? '') * DAY + parseTimeOfDay(parts[2] ?? '') + Math.round(seconds * SECOND)
}

/** Whole milliseconds of a duration in seconds. All times of a cue are whole, so that a long iteration does not drift. */
export const toMs = (seconds: number): Ms => Math.round(seconds * SECOND)
