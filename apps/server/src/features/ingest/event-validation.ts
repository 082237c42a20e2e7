import { DeviceEvent } from '@floorcast/contract/events.ts'
import { z } from 'zod'

/** An event that may be stored, with the day (UTC, YYYY-MM-DD) of the partition it belongs to. */
export interface ValidEvent {
  event: DeviceEvent
  day: string
  /** The device's time is over a day ahead of the server's, or over 90 days behind; `day` is then the server's. */
  isClockDoubted: boolean
}

export interface EventNumber {
  bootId: string
  sequence: number
}

/** An event that is not stored and must not come again. Its number counts as received where it can be read. */
export interface RefusedEvent {
  id: string | null
  why: string
  number: EventNumber | null
}

const DAY_MS = 86_400_000
const MAX_AHEAD_MS = DAY_MS
const MAX_BEHIND_MS = 90 * DAY_MS
/** Clocks start at 1970; an earlier year is no clock's, and PostgreSQL takes no year 0. */
const FIRST_YEAR = 1970
/** PostgreSQL's `integer`. */
const MAX_REVISION = 2_147_483_647

const Identity = z.object({ id: z.string().max(100) })
const Numbered = z.object({ bootId: z.uuid(), sequence: z.int().min(1) })

/**
 * Validates each entry separately, so that a bad one stops no other. Order is kept. Values that PostgreSQL cannot hold
 * are refused with a reason: NUL and lone surrogates, years before 1970, revisions beyond an integer. Names are stored
 * as they were at the time of the event, so that renaming or deleting changes no proof of play.
 */
export function validateEvents(
  entries: readonly unknown[],
  receivedAt: Date,
): { valid: ValidEvent[]; refused: RefusedEvent[] } {
  const valid: ValidEvent[] = []
  const refused: RefusedEvent[] = []
  for (const entry of entries) {
    const result = validateEvent(entry, receivedAt)
    if ('why' in result) refused.push(result)
    else valid.push(result)
  }
  return { valid, refused }
}

function validateEvent(entry: unknown, receivedAt: Date): ValidEvent | RefusedEvent {
  const parsed = DeviceEvent.safeParse(entry)
  if (!parsed.success) return refuse(entry, wordsOf(parsed.error))
  const event = parsed.data
  const why = whyNotStorable(event)
  if (why) return refuse(entry, why)
  return { event, ...placeEvent(momentsOf(event), receivedAt) }
}

/** When it happened, then what else it says of time: a clock that was set right during a play has only half of them right. */
const momentsOf = (event: DeviceEvent): [string, ...string[]] =>
  event.kind === 'playtrack' ? [event.at, event.scheduledAt, event.startedAt, event.endedAt] : [event.at]

/** The day of an event's row: the device's if its clock is believable in all that it says, else the server's. */
export function placeEvent(
  moments: readonly [string, ...string[]],
  receivedAt: Date,
): { day: string; isClockDoubted: boolean } {
  const isClockDoubted = moments.some(moment => {
    const ahead = Date.parse(moment) - receivedAt.getTime()
    return ahead > MAX_AHEAD_MS || -ahead > MAX_BEHIND_MS
  })
  return { day: (isClockDoubted ? receivedAt.toISOString() : moments[0]).slice(0, 10), isClockDoubted }
}

function refuse(entry: unknown, why: string): RefusedEvent {
  return {
    id: Identity.safeParse(entry).data?.id ?? null,
    why,
    number: Numbered.safeParse(entry).data ?? null,
  }
}

function wordsOf(error: z.ZodError): string {
  const lines = error.issues.map(issue => `${issue.path.join('.') || 'event'}: ${issue.message}`)
  return lines.join('; ').slice(0, 300)
}

/** What the schema allows and PostgreSQL's types do not hold. */
function whyNotStorable(event: DeviceEvent): string | null {
  const text = JSON.stringify(event)
  // Well-formed JSON writes a lone surrogate as an escape; a whole pair stays as it is.
  if (/\\u0000|\\ud[89a-f]/.test(text.replaceAll('\\\\', '')))
    return 'event: holds characters that are no text'
  if (momentsOf(event).some(moment => Number(moment.slice(0, 4)) < FIRST_YEAR))
    return 'event: a time before 1970'
  if (event.kind === 'playlist' && event.revision !== null && Math.abs(event.revision) > MAX_REVISION)
    return 'revision: too large'
  return null
}
