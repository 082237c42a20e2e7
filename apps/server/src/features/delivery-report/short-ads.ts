import type { MediaType } from '@floorcast/contract/media.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { countDeliveries } from './delivery-counts.ts'
import { DEVICE_ZONES, localPeriod } from './delivery-period.ts'
import { findAds, findAllPublications } from './delivery-report-queries.ts'

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
export async function findShortAds(reads: Reads, now: Date, signal: AbortSignal): Promise<ShortAd[]> {
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
