import { gapReasons, type PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { notFound } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import {
  countFates,
  countMade,
  findJoinings,
  findPublications,
  hasMedia,
  type Period,
  type PlayingPublication,
} from './delivery-report-queries.ts'
import { onAirFrom, playsFrom, type Schedule, scheduleOf } from './schedule.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const USUAL_DAYS = 7
/** Plays of all devices that one answer looks up: some seconds' work of the database. */
const MAX_PLAYS = 1_000_000

interface Asked {
  from?: string | undefined
  to?: string | undefined
}

/** The days asked for, as far as they have passed. */
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
  /** From when on it is counted: since it is in the group. */
  from: number
}

interface Variant {
  members: Member[]
  promised: Schedule
  planned: Schedule
}

/** A smart playlist promises what its plan has; a simple one, which begins anew at each opening, what its schedule has. */
async function schedulesOf(broadcast: Broadcast, counting: Counting): Promise<Variant[]> {
  const { publication, mediaUid, period } = counting
  const most = Math.ceil(MAX_PLAYS / broadcast.devices.length)
  const until = period.until.getTime()
  const sought = { publicationUid: publication.uid, mediaUid, from: period.from.getTime(), until, most }
  const joinings = await findJoinings(counting.reads, {
    groupUid: publication.groupUid,
    deviceUids: broadcast.devices.map(({ uid }) => uid),
    since: period.from,
  })
  const memberOf = (uid: string) => ({ uid, from: (joinings.get(uid) ?? period.from).getTime() })
  const variants: Variant[] = []
  for (const { uids, open, always } of variantsOf(broadcast)) {
    const planned = await scheduleOf(open, sought)
    const hasMore = publication.form === 'smart' && always !== open
    const promised = hasMore ? await scheduleOf(always, sought) : planned
    variants.push({ members: uids.map(memberOf), planned, promised })
  }
  const reached = Math.min(until, ...variants.flatMap(each => [each.planned.until, each.promised.until]))
  // All devices are counted over one time.
  if (reached === until) return variants
  return schedulesOf(broadcast, { ...counting, period: { ...period, until: new Date(reached) } })
}

/** Plays an hour of air on one device, by the playlist alone: its next 24 hours in a shop that never closes. */
async function promisedAnHour(broadcast: Broadcast, counting: Counting): Promise<number | null> {
  const [variant] = variantsOf(broadcast)
  if (!variant) return null
  const { publication, mediaUid, period } = counting
  const start = publication.state === 'delayed' ? nextStart(broadcast, publication.uid) : 0
  const from = Math.max(period.until.getTime(), start)
  const sought = { publicationUid: publication.uid, mediaUid, from, until: from + DAY, most: MAX_PLAYS }
  const schedule = await scheduleOf(variant.always, sought)
  const onAir = onAirFrom(schedule, from)
  return onAir > 0 ? schedule.plays.length / (onAir / HOUR) : null
}

/** The moment that a delayed publication waits for, to within the zones of the earth. */
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

async function fatesOf(counting: Counting, variants: readonly Variant[]) {
  const { reads, publication, mediaUid, period } = counting
  const devices = variants.flatMap(({ members }, variant) => members.map(member => ({ ...member, variant })))
  const plays = variants.flatMap(({ planned }, variant) => planned.plays.map(at => ({ variant, at })))
  const counted = { publicationUid: publication.uid, mediaUid, ...period }
  const rows = await countFates(reads, counted, { devices, plays })
  return new Map(rows.map(row => [row.fate, row.plays]))
}

/** What all devices together have, each since it is in the group. */
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
  const fates = await fatesOf({ ...counting, period }, variants)
  const made = await countMade(reads, { publicationUid: publication.uid, mediaUid, ...period })
  const { promised, planned, hours } = sumsOf(variants)
  fates.set('closed', (fates.get('closed') ?? 0) + promised - planned)
  return {
    ...headOf(publication, period),
    devices: broadcast?.devices.length ?? 0,
    promised,
    planned,
    made,
    extra: made - (fates.get('made') ?? 0),
    gaps: gapReasons.flatMap(why => {
      const plays = fates.get(why) ?? 0
      return plays > 0 ? [{ why, plays }] : []
    }),
    hours,
    promisedAnHour: broadcast && (await promisedAnHour(broadcast, counting)),
    plannedAnHour: hours > 0 ? planned / hours : null,
    madeAnHour: hours > 0 ? made / hours : null,
  }
}

/** What each publication promised, planned and made of a media item's plays, and why they differ. @throws ProblemError 404 */
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
