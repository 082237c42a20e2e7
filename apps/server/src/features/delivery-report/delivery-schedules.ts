import type { Reads } from '../../platform/database/client-scope.ts'
import type { Broadcast } from '../manifests/manifests.ts'
import { type CountedDay, daysOf, type DeliveryPeriod } from './delivery-period.ts'
import { findMemberships, type PlayingPublication, type Slots } from './delivery-report-queries.ts'
import { type Schedule, scheduleOf } from './schedule.ts'

/** Scheduled plays of all devices in one statement; the database takes about a second for them. */
const MAX_SLOTS = 250_000
/** The first part is small, so that the first rows of a report come soon; each further one is up to four times as large. */
const FIRST_SLOTS = 20_000

export interface Member {
  uid: string
  /** The moment from which its plays count: when it joined the group. */
  from: number
}

/** What a variant's devices play in a day. */
export interface DaySchedule {
  day: string
  /** A smart playlist promises the plays of its plan; a simple one, which restarts at each opening, those of its schedule. */
  promised: Schedule
  planned: Schedule
}

/** Devices with one schedule. */
interface Variant {
  members: Member[]
  days: DaySchedule[]
}

/** Some days of a publication. */
export interface ScheduledPart {
  from: number
  until: number
  firstDay: string
  lastDay: string
  variants: Variant[]
  /** It ends before its day, because the maximum of plays is reached. */
  isCut: boolean
}

export interface SoughtSchedules {
  publication: PlayingPublication
  /** Null: every media item. */
  mediaUid: string | null
  period: DeliveryPeriod
  /** The search ends after this many plays of all devices. The period must have one zone. */
  maxPlays: number
}

/** Devices with one zone and the same hours have one schedule. */
export function variantsOf({ manifest, devices }: Broadcast) {
  const byHours = Map.groupBy(devices, device =>
    [device.timeZone, device.openingTime, device.closingTime].join(' '),
  )
  return [...byHours.values()].flatMap(alike => {
    const [first] = alike
    if (!first) return []
    const uids = alike.map(({ uid }) => uid)
    const open = { ...manifest, device: { ...manifest.device, ...first } }
    const always = { ...open, device: { ...open.device, openingTime: null, closingTime: null } }
    const { openingTime, closingTime } = first
    const isAlwaysOpen = openingTime === null || closingTime === null || openingTime === closingTime
    return [{ uids, open, always: isAlwaysOpen ? open : always }]
  })
}

interface Shops extends Pick<ReturnType<typeof variantsOf>[number], 'open' | 'always'> {
  members: Member[]
  days: CountedDay[]
}

async function shopsOf(reads: Reads, broadcast: Broadcast, sought: SoughtSchedules): Promise<Shops[]> {
  const { publication, period } = sought
  const memberships = await findMemberships(reads, {
    groupUid: publication.groupUid,
    deviceUids: broadcast.devices.map(({ uid }) => uid),
    since: period.from,
  })
  const memberOf = (uid: string) => ({ uid, from: (memberships.get(uid) ?? period.from).getTime() })
  return variantsOf(broadcast).map(({ uids, open, always }) => ({
    open,
    always,
    members: uids.map(memberOf),
    days: daysOf(period, open.device.timeZone),
  }))
}

async function scheduleDay(
  { open, always }: Shops,
  { publication, mediaUid }: SoughtSchedules,
  { day, from, until, max }: CountedDay & { max: number },
): Promise<DaySchedule> {
  const sought = { publicationUid: publication.uid, mediaUid, from, until, max }
  const planned = await scheduleOf(open, sought)
  const hasMore = publication.form === 'smart' && always !== open
  return { day, planned, promised: hasMore ? await scheduleOf(always, sought) : planned }
}

/** The schedules of a day. All variants end together at the earliest end of one that has `max` plays. */
async function scheduleVariants(
  shops: readonly Shops[],
  sought: SoughtSchedules,
  { day, until, max }: { day: string; until: number; max: number },
): Promise<ScheduledPart> {
  const bounds = shops.map(({ days }) => days.find(one => one.day === day))
  const variants: Variant[] = []
  const cuts: number[] = []
  for (const [n, shop] of shops.entries()) {
    const counted = bounds[n]
    const end = Math.min(counted?.until ?? 0, until)
    const days =
      counted && counted.from < end ? [await scheduleDay(shop, sought, { ...counted, until: end, max })] : []
    variants.push({ members: shop.members, days })
    for (const { planned, promised } of days)
      cuts.push(...[planned.until, promised.until].filter(reached => reached < end))
  }
  if (cuts.length > 0) return scheduleVariants(shops, sought, { day, until: Math.min(...cuts), max })
  const present = bounds.filter(bound => bound !== undefined)
  return {
    from: Math.min(...present.map(bound => bound.from)),
    until: Math.min(until, Math.max(...present.map(bound => bound.until))),
    firstDay: day,
    lastDay: day,
    variants,
    isCut: until < Infinity,
  }
}

const slotCount = ({ variants }: ScheduledPart) =>
  variants.reduce(
    (sum, { members, days }) =>
      sum + members.length * days.reduce((plays, { planned }) => plays + planned.plays.length, 0),
    0,
  )

/** A device's day without plays takes as much memory as a play. */
const sizeOf = (part: ScheduledPart) =>
  part.variants.reduce((sum, { members, days }) => sum + members.length * days.length, slotCount(part))

const join = (a: ScheduledPart, b: ScheduledPart): ScheduledPart => ({
  from: Math.min(a.from, b.from),
  until: Math.max(a.until, b.until),
  firstDay: a.firstDay,
  lastDay: b.lastDay,
  variants: a.variants.map(({ members, days }, n) => ({
    members,
    days: [...days, ...(b.variants[n]?.days ?? [])],
  })),
  isCut: b.isCut,
})

/** The schedules of a publication's devices, some days at a time, so that neither memory nor a statement grows with the period. */
export async function* schedulesOf(
  reads: Reads,
  broadcast: Broadcast,
  sought: SoughtSchedules,
): AsyncGenerator<ScheduledPart> {
  const shops = await shopsOf(reads, broadcast, sought)
  const days = new Set(shops.flatMap(shop => shop.days.map(({ day }) => day)))
  let waiting: ScheduledPart | null = null
  let plays = 0
  let maxSlots = FIRST_SLOTS
  for (const day of [...days].toSorted()) {
    const max = Math.ceil((sought.maxPlays - plays) / broadcast.devices.length)
    const part = await scheduleVariants(shops, sought, { day, until: Infinity, max })
    plays += slotCount(part)
    if (waiting && sizeOf(waiting) + sizeOf(part) > maxSlots) {
      yield waiting
      waiting = null
      maxSlots = Math.min(MAX_SLOTS, maxSlots * 4)
    }
    waiting = waiting ? join(waiting, part) : part
    if (part.isCut || plays >= sought.maxPlays) break
  }
  if (waiting) yield waiting
}

/** The scheduled plays of a part as rows for a statement. */
export const slotsOf = ({ variants }: ScheduledPart): Slots => ({
  devices: variants.flatMap(({ members }, variant) => members.map(member => ({ ...member, variant }))),
  plays: variants.flatMap(({ days }, variant) =>
    days.flatMap(({ day, planned }) => planned.plays.map(at => ({ variant, at, day }))),
  ),
})
