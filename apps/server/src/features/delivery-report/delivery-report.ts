import type { PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/lib/errors.ts'
import { type PlayReads, readPlays } from '../archive/archive.ts'
import { type Broadcast, readBroadcast } from '../manifests/manifests.ts'
import { findRestoredPlays } from '../redeliveries/redeliveries.ts'
import { findKeptFrom } from '../statistics/statistics.ts'
import { countDeliveries, type DeliveryCount } from './delivery-counts.ts'
import { utcPeriod, withKeptPlays, DEVICE_ZONES, localPeriod } from './delivery-period.ts'
import {
  findPublications,
  hasMedia,
  type Period,
  type PlayingPublication,
  findAds,
  findAllPublications,
} from './delivery-report-queries.ts'
import { variantsOf } from './delivery-schedules.ts'
import { onAirFrom, scheduleOf } from './schedule.ts'

export { countDeliveries, type DeliveryCount } from './delivery-counts.ts'
export { countDaysTogether, countDeliveryDays, type DeliveryDays } from './delivery-days.ts'
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
  reads: PlayReads
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
export const readDelivery = (
  context: Pick<Context, 'database' | 'files' | 'log'>,
  ctx: RequestContext,
  { mediaUid, ...asked }: Asked & { mediaUid: string },
) => readPlays(context, ctx.scope, reads => countDelivery(reads, ctx, { mediaUid, ...asked }))

async function countDelivery(
  reads: PlayReads,
  ctx: RequestContext,
  { mediaUid, ...asked }: Asked & { mediaUid: string },
) {
  if (!(await hasMedia(reads, mediaUid))) throw notFound()
  const period = withKeptPlays(periodOf(asked, ctx.now), await findKeptFrom(reads))
  const publications: PublicationDelivery[] = []
  const sought = { period, now: ctx.now, max: MAX_PUBLICATIONS }
  for (const publication of await findPublications(reads, mediaUid, sought)) {
    const since = Math.max(period.from.getTime(), Date.parse(publication.since ?? '') || 0)
    const from = new Date(Math.min(since, period.until.getTime()))
    publications.push(await deliveryOf({ reads, publication, mediaUid, period: { ...period, from } }))
  }
  return {
    from: period.from.toISOString(),
    to: period.until.toISOString(),
    publications,
    restored: await findRestoredPlays(reads, period, ctx.now),
  }
}

/** An ad that was delivered less often than planned on a day of the devices' own zones. */
export interface ShortAd {
  uid: string
  name: string
  contentType: MediaType
  day: string
  planned: number
  delivered: number
}

/** A higher share is never reached: a device restarts, or an alert plays. */
const ENOUGH = 0.95
const DAY_MS = 86_400_000

/**
 * The ads that fell short on the UTC day before `now`, those that miss the most plays first. Takes seconds for a large fleet.
 * @throws the signal's reason, between two statements
 */
export async function findShortAds(reads: PlayReads, now: Date, signal: AbortSignal): Promise<ShortAd[]> {
  const day = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10)
  const publications = await findAllPublications(reads, now)
  const asked = {
    publications: publications.filter(({ since }) => since !== null),
    mediaUid: null,
    period: localPeriod({ from: day, to: day, zone: DEVICE_ZONES }, now),
    by: { day: false, device: false, media: true },
  }
  const sums = new Map<string, { planned: number; delivered: number }>()
  for await (const { mediaUid, schedule, delivered } of countDeliveries(reads, { ...asked, signal })) {
    if (mediaUid === null || schedule === null) continue
    const sum = sums.get(mediaUid) ?? { planned: 0, delivered: 0 }
    sum.planned += schedule.scheduled
    sum.delivered += delivered
    sums.set(mediaUid, sum)
  }
  const short = [...sums].filter(([, { planned, delivered }]) => delivered < ENOUGH * planned)
  const ads = await findAds(
    reads,
    short.map(([uid]) => uid),
  )
  return short
    .flatMap(([uid, sum]) => {
      const ad = ads.get(uid)
      return ad ? [{ uid, ...ad, day, ...sum }] : []
    })
    .toSorted((a, b) => b.planned - b.delivered - (a.planned - a.delivered) || (a.uid < b.uid ? -1 : 1))
}
