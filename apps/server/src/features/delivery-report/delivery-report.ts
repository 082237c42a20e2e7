import type { PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { notFound } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import { findKeptFrom } from '../statistics/statistics.ts'
import { countDeliveries, type DeliveryCount } from './delivery-counts.ts'
import { utcPeriod, withKeptPlays } from './delivery-period.ts'
import {
  findPublications,
  hasMedia,
  type Period,
  type PlayingPublication,
} from './delivery-report-queries.ts'
import { variantsOf } from './delivery-schedules.ts'
import { onAirFrom, scheduleOf } from './schedule.ts'

export { countDeliveries, type DeliveryCount } from './delivery-counts.ts'
export { countDaysTogether, countDeliveryDays, type DeliveryDays } from './delivery-days.ts'
export { findShortAds, type ShortAd } from './short-ads.ts'
export { localPeriod } from './delivery-period.ts'
export { findAllPublications, findPublications } from './delivery-report-queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const USUAL_DAYS = 7
/** Maximum plays of all devices in one answer: the database takes some seconds for them. */
const MAX_PLAYS = 1_000_000
const MAX_PUBLICATIONS = 200

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

interface Counting {
  reads: Reads
  publication: PlayingPublication
  mediaUid: string
  period: Period
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

async function deliveryOf(counting: Counting): Promise<PublicationDelivery> {
  const { reads, publication, mediaUid } = counting
  const isOn = publication.since !== null
  const broadcast = isOn ? await readBroadcast(reads, publication.groupUid) : null
  const counts = countDeliveries(reads, {
    publications: [publication],
    mediaUid,
    period: utcPeriod(counting.period.from, counting.period.until),
    by: { day: false, device: false, media: false },
    maxPlays: MAX_PLAYS,
    broadcastOf: () => Promise.resolve(broadcast),
  })
  let count: DeliveryCount | undefined
  for await (const whole of counts) count = whole
  const { schedule = null, delivered: made = 0, until = counting.period.until } = count ?? {}
  const period = { ...counting.period, until }
  const hours = (schedule?.onAirMs ?? 0) / HOUR
  const planned = schedule?.scheduled ?? 0
  return {
    ...headOf(publication, period),
    devices: broadcast?.devices.length ?? 0,
    promised: schedule?.promised ?? 0,
    planned,
    made,
    extra: schedule?.unscheduled ?? made,
    gaps: [...(schedule?.gaps ?? [])].map(([why, plays]) => ({ why, plays })),
    hours,
    promisedAnHour: broadcast && (await promisedAnHour(broadcast, { ...counting, period })),
    plannedAnHour: hours > 0 ? planned / hours : null,
    madeAnHour: hours > 0 ? made / hours : null,
  }
}

/** The promised, scheduled and delivered plays of a media item by publication, and why they differ. @throws ProblemError 404 */
export async function readDelivery(ctx: RequestContext, mediaUid: string, asked: Asked) {
  const { reads } = ctx.scope
  if (!(await hasMedia(reads, mediaUid))) throw notFound()
  const period = withKeptPlays(periodOf(asked, ctx.now), await findKeptFrom(reads))
  const publications: PublicationDelivery[] = []
  const sought = { period, now: ctx.now, max: MAX_PUBLICATIONS }
  for (const publication of await findPublications(reads, mediaUid, sought)) {
    const since = Math.max(period.from.getTime(), Date.parse(publication.since ?? '') || 0)
    const from = new Date(Math.min(since, period.until.getTime()))
    publications.push(await deliveryOf({ reads, publication, mediaUid, period: { ...period, from } }))
  }
  return { from: period.from.toISOString(), to: period.until.toISOString(), publications }
}
