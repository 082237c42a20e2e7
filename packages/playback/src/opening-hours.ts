import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { DAY, type DayNumber, type Ms, parseTimeOfDay } from './instant.ts'
import { dayAt, instantOfWall, zoneOf } from './zone.ts'

type Device = DeviceManifest['device']

/** A period from opening (inclusive) to closing (exclusive). It belongs to the day on which it opens. */
export interface OpenPeriod {
  day: DayNumber
  from: Ms
  until: Ms
}

export type Opening =
  | { state: 'always' }
  | { state: 'open'; period: OpenPeriod }
  | { state: 'closed'; until: Ms }

interface Hours {
  opening: Ms
  /** More than a day if the period crosses midnight. */
  closing: Ms
}

function hoursOf(device: Device): Hours | null {
  const opening = parseTimeOfDay(device.openingTime ?? '')
  const closing = parseTimeOfDay(device.closingTime ?? '')
  if (Number.isNaN(opening) || Number.isNaN(closing) || opening === closing) return null
  return { opening, closing: closing < opening ? closing + DAY : closing }
}

function periodOf(zone: string, hours: Hours, day: DayNumber): OpenPeriod {
  return {
    day,
    from: instantOfWall(zone, day * DAY + hours.opening),
    until: instantOfWall(zone, day * DAY + hours.closing, 'last'),
  }
}

/**
 * The state of the opening hours at an instant. A clock change may skip a short period, or extend one into the next day's
 * opening. In the second case, the next day's period takes over.
 */
export function openingAt(device: Device, at: Ms): Opening {
  const hours = hoursOf(device)
  if (!hours) return { state: 'always' }
  const zone = zoneOf(device)
  const today = dayAt(zone, at)
  const periods = [-2, -1, 0, 1, 2, 3].map(step => periodOf(zone, hours, today + step))
  const real = periods.filter(period => period.from < period.until)
  const next = real.find(period => period.from > at)?.from ?? at + DAY
  const current = real.findLast(period => period.from <= at && at < period.until)
  if (!current) return { state: 'closed', until: next }
  return { state: 'open', period: { ...current, until: Math.min(current.until, next) } }
}
