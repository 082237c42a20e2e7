import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ZoneOffsets } from '@floorcast/contract/manifest.ts'
import { DAY, type DayNumber, dayOfDate, MINUTE, type Ms, parseDateTime } from './instant.ts'

/** Wall time of a zone in milliseconds, counted as if the zone were UTC. */
export type WallMs = number

/** The zone's offset during one UTC day: `before`, and from `changesAt` on `after`. */
interface OffsetDay {
  before: Ms
  after: Ms
  changesAt: Ms
}

/** `Intl.DateTimeFormat` provides the offsets, because Node 24 has `Temporal` only behind a flag. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const offsetDays = new Map<string, Map<DayNumber, OffsetDay>>()
const MAX_CACHED_DAYS = 20_000

function makeFormatter(timeZone: string): Intl.DateTimeFormat {
  const number = 'numeric'
  const fields = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const
  return new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', { timeZone, hourCycle: 'h23', ...fields })
}

type Zoned = Pick<DeviceManifest['device'], 'timeZone' | 'zoneOffsets'>

interface OffsetTable {
  from: Ms
  until: Ms
  offsets: { from: Ms; offset: Ms }[]
}
const tables = new Map<string, OffsetTable>()
const MAX_TABLES = 1000
const tableNames = new WeakMap<ZoneOffsets, string>()

/** A device's zone for the functions below: its IANA name, followed by the server's offsets where the manifest has them. */
export function zoneOf({ timeZone, zoneOffsets }: Zoned): string {
  if (!zoneOffsets) return timeZone
  const known = tableNames.get(zoneOffsets)
  if (known !== undefined) return known
  const name = `${timeZone} ${JSON.stringify(zoneOffsets)}`
  tableNames.set(zoneOffsets, name)
  return name
}

function tableOf(zone: string): OffsetTable | null {
  const space = zone.indexOf(' ')
  if (space < 0) return null
  const known = tables.get(zone)
  if (known) return known
  const { from, until, offsets } = JSON.parse(zone.slice(space)) as ZoneOffsets
  const table = {
    from: parseDateTime(from),
    until: parseDateTime(until),
    offsets: offsets.map(each => ({ from: parseDateTime(each.from), offset: each.minutes * MINUTE })),
  }
  if (tables.size >= MAX_TABLES) tables.clear()
  tables.set(zone, table)
  return table
}

/** A zone's offsets from `from` until `until`, each from an instant on. */
export function listOffsets(
  zone: string,
  { from, until }: { from: Ms; until: Ms },
): { from: Ms; offset: Ms }[] {
  const offsets: { from: Ms; offset: Ms }[] = []
  for (let at = from; at < until; at = nextClockChange(zone, at, until))
    offsets.push({ from: at, offset: offsetAt(zone, at) })
  return offsets
}

/** An unknown zone counts as UTC, so that a shop with a misspelled zone continues to play. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  let created: Intl.DateTimeFormat
  try {
    created = makeFormatter(zone)
  } catch {
    created = makeFormatter('UTC')
  }
  formatters.set(zone, created)
  return created
}

function readOffset(zone: string, at: Ms): Ms {
  const table = tableOf(zone)
  if (table && at >= table.from && at < table.until)
    return (table.offsets.findLast(({ from }) => from <= at) ?? table.offsets[0])?.offset ?? 0
  return readOwnOffset(zone.split(' ', 1)[0] ?? zone, at)
}

function readOwnOffset(zone: string, at: Ms): Ms {
  const second = Math.floor(at / 1000) * 1000
  const read = new Map<string, number>()
  for (const part of formatterOf(zone).formatToParts(second)) read.set(part.type, Number(part.value))
  const get = (field: string) => read.get(field) ?? 0
  const days = dayOfDate(get('year'), get('month'), get('day'))
  const wall = days * DAY + ((get('hour') * 60 + get('minute')) * 60 + get('second')) * 1000
  return wall - second
}

/** The first instant in (from, to] with another offset than `from`. */
function findChange(zone: string, from: Ms, to: Ms): Ms {
  const before = readOffset(zone, from)
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (readOffset(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

function readOffsetDay(zone: string, day: DayNumber): OffsetDay {
  const from = day * DAY
  const before = readOffset(zone, from)
  const after = readOffset(zone, from + DAY)
  return { before, after, changesAt: before === after ? Infinity : findChange(zone, from, from + DAY) }
}

/** Called some thousand times for one cue of a shop that never closes, so each map's key is the plain value. */
function offsetDayOf(zone: string, day: DayNumber): OffsetDay {
  const days = offsetDays.get(zone) ?? new Map<DayNumber, OffsetDay>()
  const known = days.get(day)
  if (known) return known
  if (days.size >= MAX_CACHED_DAYS) days.clear()
  const read = readOffsetDay(zone, day)
  days.set(day, read)
  offsetDays.set(zone, days)
  return read
}

/** The zone's offset from UTC at an instant. */
export function offsetAt(zone: string, at: Ms): Ms {
  const day = offsetDayOf(zone, Math.floor(at / DAY))
  return at < day.changesAt ? day.before : day.after
}

export const wallAt = (zone: string, at: Ms): WallMs => at + offsetAt(zone, at)
export const dayAt = (zone: string, at: Ms): DayNumber => Math.floor(wallAt(zone, at) / DAY)

/** The next clock change in (at, limit]; Infinity without one. */
export function nextClockChange(zone: string, at: Ms, limit: Ms): Ms {
  for (let day = Math.floor(at / DAY); day * DAY <= limit; day += 1) {
    const { changesAt } = offsetDayOf(zone, day)
    if (changesAt > at && changesAt <= limit) return changesAt
  }
  return Infinity
}

/**
 * The instant at which a zone's clock shows `wall`. A wall time that a clock change skips is the instant of the change. For
 * a wall time that occurs twice, `which` chooses one.
 */
export function instantOfWall(zone: string, wall: WallMs, which: 'first' | 'last' = 'first'): Ms {
  const early = offsetAt(zone, wall - DAY)
  const late = offsetAt(zone, wall + DAY)
  if (early === late) return wall - early
  for (const offset of which === 'first' ? [early, late] : [late, early])
    if (offsetAt(zone, wall - offset) === offset) return wall - offset
  return findChange(zone, wall - DAY, wall + DAY)
}
