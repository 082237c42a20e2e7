import type { LeftOut } from '@floorcast/contract/events.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { TagPolicy } from '@floorcast/contract/tags.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { daysAround, type PlayReads } from '../archive/archive.ts'
import { IS_COUNTED } from '../statistics/statistics-sql.ts'

/** What was played; its plays stay when it is deleted. */
export interface ProvenMedia {
  uid: string
  name: string
  contentType: MediaType
  clientName: string
}

export async function findMedia(reads: PlayReads, uid: string): Promise<ProvenMedia | undefined> {
  const { rows } = await sql<ProvenMedia>`
    select m.uid, m.name, m.content_type, c.name as client_name
    from media_items m join clients c on c.uid = m.client_id where m.uid = ${uid}`.execute(reads)
  return rows[0] ?? findPlayedMedia(reads, uid)
}

/** The newest play names what was deleted. */
async function findPlayedMedia(reads: PlayReads, mediaUid: string): Promise<ProvenMedia | undefined> {
  const { rows: days } = await sql<{ day: string | null }>`
    select max(local_day)::text as day from play_media_days where media_uid = ${mediaUid}`.execute(reads)
  const day = days[0]?.day
  if (day) await reads.showPlays({ ...daysAround({ from: day, to: day }, 1), mediaUid })
  const { rows } = await sql<ProvenMedia>`
    select p.media_uid as uid, p.track_name as name, p.content_type, c.name as client_name
    from plays p join clients c on c.uid = p.client_id where p.media_uid = ${mediaUid} and p.left_out is null
    order by p.started_at desc limit 1`.execute(reads)
  return rows[0]
}

/** The plays of a media item on some days, both inclusive. */
export interface Proven {
  mediaUid: string
  from: string
  to: string
  /** The days are those that the devices had when they played, as the reports count them. */
  isByLocalDay: boolean
}

/** The device's day may differ from the server's, and both from the zone's. */
const days = ({ from, to }: Proven) => sql`p.day between ${from}::date - 2 and ${to}::date + 2`

/** What the statements over the plays of a proof name. */
const PROVEN_COLUMNS =
  'client_id day device_uid device_name media_uid event_uid group_name publication_uid playlist_name scheduled_at started_at local_day seconds_played result why is_clock_doubted left_out'.split(
    ' ',
  )

/** Shows the plays of a proof. Before anything is written: the work may begin again with the archive. */
export const showDays = (reads: PlayReads, { mediaUid, from, to }: Proven) =>
  reads.showPlays({ ...daysAround({ from, to }, 2), mediaUid, columns: PROVEN_COLUMNS, index: 'started_at' })

export interface ProvenDevice {
  uid: string
  policy: TagPolicy
  groupUid: string | null
  storeNumber: string
  name: string
}

/** The devices of the client, also those in the bin. */
export async function findDevices(reads: Reads): Promise<ProvenDevice[]> {
  const { rows } = await sql<ProvenDevice>`
    select d.uid, d.name, d.group_uid, coalesce(d.tag_policy, c.tag_policy) as policy,
      coalesce(d.store_number, '') as store_number
    from devices d join clients c on c.uid = d.client_id`.execute(reads)
  return rows
}

/** The tags of devices, groups and the client that a proof reads. The client's have neither uid. */
export async function findTags(reads: Reads) {
  const { rows } = await sql<{
    deviceUid: string | null
    groupUid: string | null
    key: string
    value: string
    /** A time zone that PostgreSQL knows; others count as UTC, as in manifests. */
    isKnownZone: boolean
  }>`
    select device_uid, group_uid, key, value,
      key = 'timeZone' and value in (select name from pg_timezone_names) as is_known_zone
    from tags where key in ('timeZone', 'audience', 'zone', 'address', 'city', 'region', 'country')`.execute(
    reads,
  )
  return rows
}

export interface ProvenPlay {
  /** The place of the row in the order of the proof. */
  cursor: string
  eventUid: string
  deviceUid: string
  deviceName: string
  groupName: string | null
  publicationUid: string | null
  playlistName: string | null
  /** ISO 8601 in UTC, with three decimals of a second. */
  startedAt: string
  scheduledAt: string
  /** In the zone of the device or of the proof. */
  day: string
  hour: number
  result: string
  why: string | null
  secondsPlayed: number
  isClockDoubted: boolean
  /** Why it is no row of the proof; null: it is one. */
  leftOut: LeftOut | null
}

/** The zones of the days of devices. */
export interface ZonesOfDevices {
  /** By uid, of the devices that have another one than `otherwise`. */
  ofDevices: Readonly<Record<string, string>>
  otherwise: string
}

const DAY_MS = 86_400_000

/** The days of UTC on which plays of the period may begin: zones are up to 14 hours ahead and 12 behind, and a device may have had another one. */
export function utcDaysOf({ from, to }: Pick<Proven, 'from' | 'to'>): string[] {
  const [begin, end] = [Date.parse(from) - DAY_MS, Date.parse(to) + 2 * DAY_MS]
  return Array.from({ length: (end - begin) / DAY_MS + 1 }, (_, nr) =>
    new Date(begin + nr * DAY_MS).toISOString().slice(0, 10),
  )
}

/** Plays of before the upgrade that stores the local day take it from the device's present zone. */
function dayOf({ isByLocalDay }: Proven, zone: RawBuilder<unknown>) {
  const day = sql`(p.started_at at time zone ${zone})::date`
  return isByLocalDay ? sql`coalesce(p.local_day, ${day})` : day
}

const PAGE_ROWS = 5000
const utc = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The next shown plays that began on a day of UTC, after `last`, by start, device and event. Fewer than a page: there are no more. A day at a
 * time and without a join, PostgreSQL reads an index in this order: else each page may read all plays of all devices again.
 */
export async function readPage(
  reads: Reads,
  proven: Proven,
  { zones, day, last }: { zones: ZonesOfDevices; day: string; last: ProvenPlay | undefined },
): Promise<{ plays: ProvenPlay[]; hasMore: boolean }> {
  const zone = sql`coalesce(${JSON.stringify(zones.ofDevices)}::jsonb ->> p.device_uid::text, ${zones.otherwise})`
  const proofDay = dayOf(proven, zone)
  const after = last
    ? sql`and (p.started_at, p.device_uid, p.event_uid) > (${last.cursor}::timestamptz, ${last.deviceUid}::uuid, ${last.eventUid}::uuid)`
    : sql``
  const { rows } = await sql<ProvenPlay>`
    select p.started_at::text as cursor, p.event_uid, p.device_uid, p.device_name, p.group_name, p.publication_uid,
      p.playlist_name, ${utc('p.started_at')} as started_at, ${utc('p.scheduled_at')} as scheduled_at,
      to_char(p.proof_day, 'YYYY-MM-DD') as day, extract(hour from p.started_at at time zone p.zone)::int as hour,
      p.result, p.why, p.seconds_played, p.is_clock_doubted, p.left_out
    from (
      select p.event_uid, p.device_uid, p.device_name, p.group_name, p.publication_uid, p.playlist_name, p.started_at, p.scheduled_at,
        p.result, p.why, p.seconds_played, p.is_clock_doubted, p.left_out, ${proofDay} as proof_day, ${zone} as zone
      from plays p
      where p.media_uid = ${proven.mediaUid} and ${days(proven)}
        and p.started_at >= ${last?.cursor ?? day}::timestamptz and p.started_at < ${day}::timestamptz + interval '1 day'
        and ${proofDay} between ${proven.from}::date and ${proven.to}::date ${after}
      order by p.started_at, p.device_uid, p.event_uid limit ${PAGE_ROWS}) p
    order by p.started_at, p.device_uid, p.event_uid`.execute(reads)
  return { plays: rows, hasMore: rows.length === PAGE_ROWS }
}

/** The ad plays of a device on a day. */
export interface AdPlays {
  day: string
  deviceUid: string
  /** Its name at the time of the plays. */
  deviceName: string
  adPlays: number
  /** Null: no audience is known. */
  impressions: number | null
}

/** Zones and audiences; those of the client count for devices that were deleted for good. */
export interface Audiences {
  uids: readonly string[]
  zones: readonly string[]
  /** 24 numbers as an array of PostgreSQL. */
  audiences: readonly (string | null)[]
  client: { zone: string; audience: string | null }
}

/** Counts the ad plays of one publication, or of all but some, by device and day, with the arithmetic of the csv (proof-csv.ts). */
export async function sumAdPlays(
  reads: PlayReads,
  proven: Proven,
  { by, devices }: { by: { publication: string } | { noneOf: readonly string[] }; devices: Audiences },
): Promise<AdPlays[]> {
  await showDays(reads, proven)
  const { uids, zones, audiences, client } = devices
  const ofPublication =
    'publication' in by
      ? sql`p.publication_uid = ${by.publication}`
      : sql`(p.publication_uid is null or p.publication_uid <> all(${by.noneOf}::uuid[]))`
  const { rows } = await sql<AdPlays>`
    select to_char(day, 'YYYY-MM-DD') as day, device_uid, max(device_name) as device_name, count(*) as ad_plays,
      sum(floor(audience[hour] * milliseconds * 10000 / 3600000 + 0.5)) / 10000 as impressions
    from (
      select p.device_uid, p.device_name, floor(p.seconds_played * 1000 + 0.5) as milliseconds, ${dayOf(proven, sql`d.zone`)} as day,
        1 + extract(hour from p.started_at at time zone d.zone)::int as hour, d.audience
      from plays p
        left join unnest(${uids}::uuid[], ${zones}::text[], ${audiences}::text[]) as k(uid, zone, audience) on k.uid = p.device_uid
        cross join lateral (
          select coalesce(k.zone, ${client.zone}) as zone,
            (case when k.uid is null then ${client.audience} else k.audience end)::float8[] as audience) d
      where p.media_uid = ${proven.mediaUid} and ${ofPublication} and ${IS_COUNTED}
        and p.day between ${proven.from}::date - 1 and ${proven.to}::date + 1
    ) plays
    where day between ${proven.from}::date and ${proven.to}::date
    group by plays.day, device_uid`.execute(reads)
  return rows
}
