import { StartDateTime } from '@floorcast/contract/publications.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { fillMoment, readMoment } from '../../ui/dates/wall-moment.ts'

/** The time zone of a start: one instant everywhere, or the wall time in each device's zone. */
export type StartClock = 'devices' | 'mine'

/** A moment without a zone is a wall time on each device. */
const hasZone = (moment: string) => /(?:Z|[+-]\d\d:?\d\d)$/.test(moment)

/** Describes the start of a delayed publication, with its time zone. */
export function describeStart({ t, format }: { t: Translate; format: Format }, startsAt: string): string {
  if (hasZone(startsAt)) return t('publications:startMine', { moment: format.dateTime(startsAt) })
  return t('publications:startDevices', { moment: format.dateTime(startsAt) })
}

/**
 * The start for the delaystart call.
 * @param field the value of a moment's field, YYYY-MM-DDTHH:MM
 * @returns null if it is not a moment
 */
export function readStart(field: string, clock: StartClock): string | null {
  const at = readMoment(field)
  if (at === null) return null
  return StartDateTime.safeParse(clock === 'mine' ? new Date(at).toISOString() : `${field}:00`).data ?? null
}

/** The westernmost time zone is this far behind UTC: before that, a wall time may still lie ahead. */
const westernmostHours = 12

/** Whether a moment is over for every device, whatever its zone. @param nowMs ms since the epoch */
export function isOver(startdatetime: string, nowMs: number): boolean {
  if (hasZone(startdatetime)) return Date.parse(startdatetime) < nowMs
  return Date.parse(`${startdatetime}Z`) + westernmostHours * 3_600_000 < nowMs
}

/** The fields of a stored start: the moment as the console shows it, and its clock. */
export function startFieldsOf(startsAt: string): { field: string; clock: StartClock } {
  if (hasZone(startsAt)) return { field: fillMoment(new Date(startsAt)), clock: 'mine' }
  return { field: startsAt.slice(0, 16), clock: 'devices' }
}
