import { DeviceEvent } from '@floorcast/contract/events.ts'
import { z } from 'zod'
import { whyNotPlayed } from './play-plausibility.ts'

/** A valid event with the day (UTC, YYYY-MM-DD) of its partition. */
export interface ValidEvent {
  event: DeviceEvent
  day: string
  /** True if the device's time is more than a day ahead of the server's, or more than 90 days behind. `day` is then the server's. */
  isClockDoubted: boolean
}

export interface EventNumber {
  bootId: string
  sequence: number
}

/** An event that is not stored and must not be sent again. Its number counts as received if it is readable. */
export interface RefusedEvent {
  id: string | null
  /** For the device: names what it has sent. */
  why: string
  /** For the log of the server: has nothing that the device has sent. */
  reason: string
  /** Null: none that this version knows. */
  kind: DeviceEvent['kind'] | null
  number: EventNumber | null
}

const DAY_MS = 86_400_000
const MAX_AHEAD_MS = DAY_MS
const MAX_BEHIND_MS = 90 * DAY_MS
/** Clocks start in 1970, so no clock has an earlier year. PostgreSQL has no year 0. */
const FIRST_YEAR = 1970
/** PostgreSQL's `integer`. */
const MAX_REVISION = 2_147_483_647

const Identity = z.object({ id: z.string().max(100) })
/** Of every kind of event. */
const FIELDS = [...new Set(DeviceEvent.options.flatMap(({ shape }) => Object.keys(shape)))]
const Kinded = z.object({ kind: z.enum(DeviceEvent.options.flatMap(({ shape }) => shape.kind.value)) })
const Numbered = z.object({ bootId: z.uuid(), sequence: z.int().min(1) })

/**
 * Validates each entry separately, so that a bad one stops no other. The order is kept. Values that PostgreSQL cannot hold
 * are refused with a reason: NUL and lone surrogates, years before 1970, revisions beyond an integer. So are plays that no
 * player can have played. The stored names are those at the time of the event, so that renaming and deleting change no proof
 * of play.
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
  if (!parsed.success) return refuse(entry, { why: wordsOf(parsed.error), reason: reasonOf(parsed.error) })
  const event = parsed.data
  const why = whyNotStorable(event) ?? (event.kind === 'playtrack' ? whyNotPlayed(event) : null)
  if (why) return refuse(entry, { why, reason: why })
  return { event, ...placeEvent(momentsOf(event), receivedAt) }
}

/**
 * All times of an event; the first one decides the day of its row. A play belongs to the day of its start, as in the roll-ups.
 * If the clock was corrected during a play, some of them are wrong.
 */
const momentsOf = (event: DeviceEvent): [string, ...string[]] =>
  event.kind === 'playtrack' ? [event.startedAt, event.at, event.scheduledAt, event.endedAt] : [event.at]

/** The day of an event's row: by the device's clock if all times of the event are plausible, else by the server's. */
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

function refuse(entry: unknown, said: Pick<RefusedEvent, 'why' | 'reason'>): RefusedEvent {
  return {
    id: Identity.safeParse(entry).data?.id ?? null,
    ...said,
    kind: Kinded.safeParse(entry).data?.kind ?? null,
    number: Numbered.safeParse(entry).data ?? null,
  }
}

/** Refuses an event that is valid on its own. @param why has nothing that the device has sent */
export const refuseValid = (
  { event: { id, kind } }: ValidEvent,
  why: string,
  number: EventNumber | null = null,
): RefusedEvent => ({ id, why, reason: why, kind, number })

function wordsOf(error: z.ZodError): string {
  const lines = error.issues.map(issue => `${issue.path.join('.') || 'event'}: ${issue.message}`)
  return lines.join('; ').slice(0, 300)
}

/** The field of the first fault and its kind. Names of fields that the schema does not have are the device's words. */
function reasonOf({ issues: [issue] }: z.ZodError): string {
  const field = FIELDS.find(name => name === issue?.path[0])
  return `${field ?? 'event'}: ${issue?.code ?? 'invalid'}`
}

/** Why PostgreSQL's types cannot hold an event that the schema allows; null if they can. */
function whyNotStorable(event: DeviceEvent): string | null {
  const isText = (value: unknown) =>
    typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
  // No field of an event has further fields.
  if (!Object.values(event).every(isText)) return 'event: holds characters that are no text'
  if (momentsOf(event).some(moment => Number(moment.slice(0, 4)) < FIRST_YEAR))
    return 'event: a time before 1970'
  if (event.kind === 'playlist' && event.revision !== null && Math.abs(event.revision) > MAX_REVISION)
    return 'revision: too large'
  return null
}
