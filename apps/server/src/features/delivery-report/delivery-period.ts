import { DAY, parseDay } from '@floorcast/playback/instant.ts'
import { instantOfWall } from '@floorcast/playback/zone.ts'

/** The zone of a period whose days are those of each device. */
export const DEVICE_ZONES = 'device'

/** The widest offsets of zones from UTC. */
const MAX_OFFSET = 14 * 3_600_000

/** The days that are counted, without the instants outside `from` and `until`. */
export interface DeliveryPeriod {
  /** `YYYY-MM-DD`, both inclusive. */
  firstDay: string
  lastDay: string
  /** An IANA zone, or `device` for that of each device. */
  zone: string
  from: Date
  until: Date
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Days of a zone, up to now. */
export function localPeriod(
  { from, to, zone }: { from: string; to: string; zone: string },
  now: Date,
): DeliveryPeriod {
  const until = Math.min(now.getTime(), Date.parse(to) + DAY + MAX_OFFSET)
  const begin = Math.min(Date.parse(from) - MAX_OFFSET, until)
  return { firstDay: from, lastDay: to, zone, from: new Date(begin), until: new Date(until) }
}

/** The time between two instants, in days of UTC. */
export const utcPeriod = (from: Date, until: Date): DeliveryPeriod => ({
  firstDay: dayOf(from.getTime()),
  lastDay: dayOf(until.getTime()),
  zone: 'UTC',
  from,
  until,
})

/** A period without the days (in UTC) whose plays were deleted: nobody knows any more what was delivered on them. */
export function withKeptPlays<P extends { from: Date; until: Date }>(period: P, keptFrom: string | null): P {
  const kept = keptFrom === null ? -Infinity : Date.parse(keptFrom)
  const from = Math.min(Math.max(period.from.getTime(), kept), period.until.getTime())
  return { ...period, from: new Date(from) }
}

/** Its days, in order. */
export function labelsOf({ firstDay, lastDay }: DeliveryPeriod): string[] {
  const [first, last] = [parseDay(firstDay), parseDay(lastDay)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => dayOf((first + n) * DAY))
}

/** Some days of it. */
export function daysWithin(period: DeliveryPeriod, firstDay: string, lastDay: string): DeliveryPeriod {
  const from = Math.max(period.from.getTime(), Date.parse(firstDay) - MAX_OFFSET)
  const until = Math.min(period.until.getTime(), Date.parse(lastDay) + DAY + MAX_OFFSET)
  return { ...period, firstDay, lastDay, from: new Date(Math.min(from, until)), until: new Date(until) }
}

/** A day, or what a period counts of it, in milliseconds. */
export interface CountedDay {
  day: string
  from: number
  until: number
}

/** The counted days of a device in `deviceZone`, in order. */
export function daysOf(period: DeliveryPeriod, deviceZone: string): CountedDay[] {
  const zone = period.zone === DEVICE_ZONES ? deviceZone : period.zone
  return labelsOf(period).flatMap(day => {
    const from = Math.max(period.from.getTime(), instantOfWall(zone, parseDay(day) * DAY))
    const until = Math.min(period.until.getTime(), instantOfWall(zone, (parseDay(day) + 1) * DAY))
    return from < until ? [{ day, from, until }] : []
  })
}
