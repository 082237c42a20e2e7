import { gapReasons, type PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { notFound } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import {
  countOutcomes,
  countDelivered,
  findMemberships,
  findPublications,
  hasMedia,
  type Period,
  type PlayingPublication,
} from './delivery-report-queries.ts'
import { onAirFrom, playsFrom, type Schedule, scheduleOf } from './schedule.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const USUAL_DAYS = 7
/** Maximum plays of all devices in one answer: the database takes some seconds for them. */
const MAX_PLAYS = 1_000_000

interface Asked {
  from?: string | undefined
  to?: string | undefined
}

/** The requested days, up to now. */
function periodOf({ from, to }: Asked, now: Date): Period {
  const [first, last] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
  if (Number.isNaN(first) || Number.isNaN(last))
    return { from: new Date(now.getTime() - USUAL_DAYS * DAY), until: now }
  const until = Math.min(last + DAY, now.getTime())
  return { from: new Date(Math.min(first, until)), until: new Date(until) }
}

/** Devices with one zone and the same hours have one schedule. */
function variantsOf({ manifest, devices }: Broadcast) {
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

interface Counting {
  reads: Reads
  publication: PlayingPublication
  mediaUid: string
  period: Period
}

interface Member {
  uid: string
  /** The moment from which its plays count: when it joined the group. */
  from: number
}

interface Variant {
  members: Member[]
  promised: Schedule
  planned: Schedule
}

/** A smart playlist promises the plays of its plan; a simple one, which restarts at each opening, those of its schedule. */
async function schedulesOf(broadcast: Broadcast, counting: Counting): Promise<Variant[]> {
  const { publication, mediaUid, period } = counting
  const max = Math.ceil(MAX_PLAYS / broadcast.devices.length)
  const until = period.until.getTime()
  const sought = { publicationUid: publication.uid, mediaUid, from: period.from.getTime(), until, max }
  const memberships = await findMemberships(counting.reads, {
    groupUid: publication.groupUid,
    deviceUids: broadcast.devices.map(({ uid }) => uid),
    since: period.from,
  })
  const memberOf = (uid: string) => ({ uid, from: (memberships.get(uid) ?? period.from).getTime() })
  const variants: Variant[] = []
  for (const { uids, open, always } of variantsOf(broadcast)) {
    const planned = await scheduleOf(open, sought)
    const hasMore = publication.form === 'smart' && always !== open
    const promised = hasMore ? await scheduleOf(always, sought) : planned
    variants.push({ members: uids.map(memberOf), planned, promised })
  }
  const reached = Math.min(until, ...variants.flatMap(each => [each.planned.until, each.promised.until]))
  // The same period applies to all devices.
  if (reached === until) return variants
  return schedulesOf(broadcast, { ...counting, period: { ...period, until: new Date(reached) } })
}

/** Plays per hour on one device by the playlist alone, over the next 24 hours in a shop that never closes. */
async function promisedAnHour(broadcast: Broadcast, counting: Counting): Promise<number | null> {
  const [variant] = variantsOf(broadcast)
  if (!variant) return null
  const { publication, mediaUid, period } = counting
  const start = publication.state === 'delayed' ? nextStart(broadcast, publication.uid) : 0
  const from = Math.max(period.until.getTime(), start)
  const sought = { publicationUid: publication.uid, mediaUid, from, until: from + DAY, max: MAX_PLAYS }
  const schedule = await scheduleOf(variant.always, sought)
  const onAir = onAirFrom(schedule, from)
  return onAir > 0 ? schedule.plays.length / (onAir / HOUR) : null
}

/** The start of a delayed publication; for a wall time, the start in the last zone. */
function nextStart({ manifest }: Broadcast, uid: string): number {
  const startsAt = manifest.publications.find(publication => publication.uid === uid)?.startsAt
  if (!startsAt) return 0
  return 'at' in startsAt ? Date.parse(startsAt.at) : Date.parse(`${startsAt.wall}Z`) + 12 * HOUR
}

const headOf = (publication: PlayingPublication, period: Period) => ({
  publication: { uid: publication.uid, name: publication.name },
  playlist: { uid: publication.playlistUid, name: publication.playlistName, form: publication.form },
  group: { uid: publication.groupUid, name: publication.groupName },
  state: publication.state,
  since: period.from.toISOString(),
  until: period.until.toISOString(),
})

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

async function outcomesOf(counting: Counting, variants: readonly Variant[]) {
  const { reads, publication, mediaUid, period } = counting
  const devices = variants.flatMap(({ members }, variant) => members.map(member => ({ ...member, variant })))
  const plays = variants.flatMap(({ planned }, variant) => planned.plays.map(at => ({ variant, at })))
  const counted = { publicationUid: publication.uid, mediaUid, ...period }
  const rows = await countOutcomes(reads, counted, { devices, plays })
  return new Map(rows.map(row => [row.outcome, row.plays]))
}

/** The sums over all devices, each since it joined the group. */
function sumsOf(variants: readonly Variant[]) {
  const over = (count: (variant: Variant, from: number) => number) =>
    sumOf(variants.flatMap(variant => variant.members.map(({ from }) => count(variant, from))))
  return {
    promised: over(({ promised }, from) => playsFrom(promised, from)),
    planned: over(({ planned }, from) => playsFrom(planned, from)),
    hours: over(({ planned }, from) => onAirFrom(planned, from)) / HOUR,
  }
}

async function deliveryOf(counting: Counting, broadcast: Broadcast | null): Promise<PublicationDelivery> {
  const { reads, publication, mediaUid } = counting
  const variants = broadcast ? await schedulesOf(broadcast, counting) : []
  const until = variants[0] ? new Date(variants[0].planned.until) : counting.period.until
  const period = { ...counting.period, until }
  const outcomes = await outcomesOf({ ...counting, period }, variants)
  const made = await countDelivered(reads, { publicationUid: publication.uid, mediaUid, ...period })
  const { promised, planned, hours } = sumsOf(variants)
  outcomes.set('closed', (outcomes.get('closed') ?? 0) + promised - planned)
  return {
    ...headOf(publication, period),
    devices: broadcast?.devices.length ?? 0,
    promised,
    planned,
    made,
    extra: made - (outcomes.get('made') ?? 0),
    gaps: gapReasons.flatMap(why => {
      const plays = outcomes.get(why) ?? 0
      return plays > 0 ? [{ why, plays }] : []
    }),
    hours,
    promisedAnHour: broadcast && (await promisedAnHour(broadcast, counting)),
    plannedAnHour: hours > 0 ? planned / hours : null,
    madeAnHour: hours > 0 ? made / hours : null,
  }
}

/** The promised, scheduled and delivered plays of a media item by publication, and why they differ. @throws ProblemError 404 */
export async function readDelivery(ctx: RequestContext, mediaUid: string, asked: Asked) {
  const { reads } = ctx.scope
  if (!(await hasMedia(reads, mediaUid))) throw notFound()
  const period = periodOf(asked, ctx.now)
  const publications: PublicationDelivery[] = []
  for (const publication of await findPublications(reads, mediaUid, { period, now: ctx.now })) {
    const since = Math.max(period.from.getTime(), Date.parse(publication.since ?? '') || 0)
    const from = new Date(Math.min(since, period.until.getTime()))
    const isOn = publication.since !== null
    const counting = { reads, publication, mediaUid, period: { ...period, from } }
    const broadcast = isOn ? await readBroadcast(reads, publication.groupUid) : null
    publications.push(await deliveryOf(counting, broadcast))
  }
  return { from: period.from.toISOString(), to: period.until.toISOString(), publications }
}
