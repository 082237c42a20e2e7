const MINUTE = 60
const DAY = 86_400
const LAST_MINUTE = DAY - MINUTE

/** Seconds since midnight of HH:MM; null for anything else. */
export function secondsOfDay(time: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined || minutes === undefined
    ? null
    : Number(hours) * 60 * MINUTE + Number(minutes) * MINUTE
}

/** The window's seconds, 0 to 86,400. An end of 23:59 means midnight; equal or unreadable times give 0. */
export function windowSeconds({ startDay, endDay }: { startDay: string; endDay: string }): number {
  const start = secondsOfDay(startDay)
  const written = secondsOfDay(endDay)
  if (start === null || written === null || start === written) return 0
  const end = written === LAST_MINUTE ? DAY : written
  return end > start ? end - start : end - start + DAY
}
