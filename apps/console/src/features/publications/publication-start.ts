import { StartDateTime } from '@floorcast/contract/publications.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** Whose clock a picked moment is by: one instant everywhere, or that wall time in each device's zone. */
export type StartClock = 'devices' | 'mine'

/** A moment without a zone is each device's own wall time. */
const hasZone = (moment: string) => /(?:Z|[+-]\d\d:?\d\d)$/.test(moment)

/** When a delayed publication starts, in words, with whose clock is meant. */
export function describeStart({ t, format }: { t: Translate; format: Format }, startsAt: string): string {
  if (hasZone(startsAt)) return t('publications:startMine', { moment: format.dateTime(startsAt) })
  return t('publications:startDevices', { moment: format.dateTime(startsAt) })
}

/**
 * What the delaystart call is to be told.
 * @param field a `datetime-local` field's value, YYYY-MM-DDTHH:MM
 * @returns null while it is no moment
 */
export function readStart(field: string, clock: StartClock): string | null {
  const local = field.length === 16 ? `${field}:00` : field
  const at = Date.parse(local)
  if (Number.isNaN(at)) return null
  return StartDateTime.safeParse(clock === 'mine' ? new Date(at).toISOString() : local).data ?? null
}

/** The westernmost clocks are this far behind UTC: before that, a wall time may still lie ahead somewhere. */
const westernmostHours = 12

/** Whether a moment is over for every device, whatever its zone. @param nowMs ms since the epoch */
export function isOver(startdatetime: string, nowMs: number): boolean {
  if (hasZone(startdatetime)) return Date.parse(startdatetime) < nowMs
  return Date.parse(`${startdatetime}Z`) + westernmostHours * 3_600_000 < nowMs
}

/** A `datetime-local` field's value of a moment, by the reader's clock. */
export function fillStart(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
