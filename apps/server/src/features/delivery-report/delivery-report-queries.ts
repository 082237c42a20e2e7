import type { MediaType } from '@floorcast/contract/media.ts'
import type { GapReason } from '@floorcast/contract/delivery-report.ts'
import type { PlaylistForm } from '@floorcast/contract/playlists.ts'
import type { PublicationState } from '@floorcast/contract/publications.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import { daysAround as widenDays, type PlayReads } from '../archive/archive.ts'
import { zoneOfEach } from '../tags/tags-sql.ts'
import { BEGAN_IN_TIME, IS_DELIVERED, QUARTER } from '../statistics/statistics-sql.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'
import { DEVICE_ZONES, type DeliveryPeriod } from './delivery-period.ts'

export async function hasMedia(reads: Reads, uid: string): Promise<boolean> {
  const row = await reads
    .selectFrom('mediaItems')
    .select('uid')
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The names of the ads among some media items, without those in the bin. */
export async function findAds(
  reads: Reads,
  uids: readonly string[],
): Promise<Map<string, { name: string; contentType: MediaType }>> {
  if (uids.length === 0) return new Map()
  const rows = await reads
    .selectFrom('mediaItems')
    .select(['uid', 'name', 'contentType'])
    .where('uid', 'in', uids)
    .where('contentType', 'in', ['ads', 'videosAds'])
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ uid, name, contentType }) => [uid, { name, contentType }]))
}

export interface Period {
  from: Date
  until: Date
}

export interface PlayingPublication {
  uid: string
  name: string
  state: PublicationState
  groupUid: string
  groupName: string
  playlistUid: string
  playlistName: string
  form: PlaylistForm
  /** The start of its present program; null while it is off. */
  since: string | null
}

const playingPublications = (now: Date) => sql`
    select p.uid, p.name, ${publicationStateAt(now)} as state, g.uid as group_uid, g.name as group_name,
      l.uid as playlist_uid, l.name as playlist_name, l.form,
      case when p.state <> 'disabled' then greatest(p.activated_at, (
        select max(a.at) from audit_entries a
        where a.thing_uid = p.uid and a.action in ('replace-playlist', 'return-playlist'))) end as since
    from publications p join groups g on g.uid = p.group_uid join playlists l on l.uid = p.playlist_uid`

/** Every publication, also of the recycle bin. */
export async function findAllPublications(reads: Reads, now: Date): Promise<PlayingPublication[]> {
  const { rows } = await sql<PlayingPublication>`
    ${playingPublications(now)} order by p.sort_name, p.uid`.execute(reads)
  return rows
}

/** The publications that play a media item now or later, and those that played it in the period. */
export async function findPublications(
  reads: PlayReads,
  mediaUid: string,
  { period, now, max }: { period: Period; now: Date; max: number },
): Promise<PlayingPublication[]> {
  // What is counted next is of these days.
  await reads.showPlays({ ...widenDays({ from: period.from, to: period.until }, 4), mediaUid })
  const { rows } = await sql<PlayingPublication>`
    ${playingPublications(now)}
    where (p.state <> 'disabled' and exists (
        select from playlist_items i where i.playlist_uid = p.playlist_uid and i.media_uid = ${mediaUid}))
      or p.uid in (select h.publication_uid from plays h
        where h.media_uid = ${mediaUid} and h.left_out is null and h.day between ${period.from}::date - 2 and ${period.until}::date + 2
          and (h.started_at >= ${period.from} and h.started_at < ${period.until}
            or h.scheduled_at >= ${period.from} and h.scheduled_at < ${period.until}))
    order by p.state = 'disabled', p.sort_name, p.uid limit ${max}`.execute(reads)
  return rows
}

/** The times at which devices joined their present group, since a moment. */
export async function findMemberships(
  reads: Reads,
  { groupUid, deviceUids, since }: { groupUid: string; deviceUids: readonly string[]; since: Date },
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ uid: string; joinedAt: string }>`
    select thing_uid as uid, max(at) as joined_at from audit_entries
    where thing_uid = any(${deviceUids}::uuid[]) and at > ${since} and action = 'join-group'
      and changes #>> '{groupUid,1}' = ${groupUid}
    group by thing_uid`.execute(reads)
  return new Map(rows.map(({ uid, joinedAt }) => [uid, new Date(joinedAt)]))
}

export interface Grain {
  day: boolean
  device: boolean
  /** For a count of every media item. */
  media: boolean
}

/** Complete plays of a publication; `isKnown` is false before its present program began, and while it is off. */
export interface Delivered {
  publicationUid: string
  isKnown: boolean
  day: string | null
  deviceUid: string | null
  mediaUid: string | null
  plays: number
}

interface Counted {
  period: DeliveryPeriod
  /** Null: every media item. */
  mediaUid: string | null
  by: Grain
  /** Only some plays; without it all of the period. */
  among?: SomePlays
}

/** Which of the plays of a period are counted. */
export type SomePlays = { startDay: string; scheduledOn: readonly string[] } | QuarterSpan

/** Plays that began on one day (UTC) and were scheduled on some days (UTC). */
const beganOn = ({ startDay, scheduledOn }: { startDay: string; scheduledOn: readonly string[] }) => sql`
  p.day = ${startDay}::date and (p.scheduled_at at time zone 'UTC')::date = any(${scheduledOn}::date[])`

/** Those of a quarter hour, which the index by start finds. */
const beganWithin = ({ quarter, firstAt, lastAt }: QuarterSpan) => sql`
  p.day between (${firstAt}::timestamptz at time zone 'UTC')::date and (${lastAt}::timestamptz at time zone 'UTC')::date
  and p.started_at between ${firstAt}::timestamptz and ${lastAt}::timestamptz
  and p.scheduled_at >= ${quarter}::timestamptz and p.scheduled_at < ${quarter}::timestamptz + interval '15 minutes'`

/** Which plays can be of these days in any zone, without a look at their zones. */
const daysAround = ({ firstDay, lastDay }: DeliveryPeriod) => sql`
  p.day between ${firstDay}::date - 2 and ${lastDay}::date + 2
  and p.scheduled_at >= ${firstDay}::timestamp at time zone 'UTC' - interval '24 hours'
  and p.scheduled_at < ${lastDay}::timestamp at time zone 'UTC' + interval '48 hours'`

/** The days on which these plays began. */
function startDaysOf({ among, period: { firstDay, lastDay } }: Counted) {
  if (among === undefined) return widenDays({ from: firstDay, to: lastDay }, 2)
  if ('quarter' in among) return widenDays({ from: among.firstAt, to: among.lastAt }, 0)
  return { from: among.startDay, to: among.startDay }
}

const amongOf = ({ among, period }: Counted) => {
  if (among === undefined) return daysAround(period)
  return 'quarter' in among ? beganWithin(among) : beganOn(among)
}

/** In SQL: publications with the starts of their present programs. */
const publicationsOf = (publications: readonly Pick<PlayingPublication, 'uid' | 'since'>[]) => sql`
  unnest(${publications.map(({ uid }) => uid)}::uuid[], ${publications.map(({ since }) => since)}::timestamptz[])
    as s(uid, since)`

/**
 * Counts the plays that were heard whole, one by one, by the day for which they were scheduled: in a zone, or with `device` in
 * that of the device when the play was stored. Those of an implausible clock count nowhere. They are counted by quarter hours
 * first, because the offsets of zones are some: the day of each play would take as long as all else.
 */
export async function countDelivered(
  reads: PlayReads,
  publications: readonly Pick<PlayingPublication, 'uid' | 'since'>[],
  counted: Counted,
): Promise<Delivered[]> {
  const { period, mediaUid, by } = counted
  await reads.showPlays({ ...startDaysOf(counted), ...(mediaUid !== null && { mediaUid }) })
  const isOwnZone = period.zone === DEVICE_ZONES
  // Plays of a former version that are not counted yet have no local day.
  const ownDay = sql`coalesce(p.scheduled_day, p.local_day, (p.scheduled_at at time zone coalesce(z.zone, 'UTC'))::date)`
  const day = isOwnZone ? sql`c.own_day` : sql`(c.at at time zone ${period.zone})::date`
  const { rows } = await sql<Delivered>`${sql.raw(PLAN_EACH_TIME)}
    with zones as materialized (
      select d.uid, ${zoneOfEach.zone} as zone
      from devices d join clients c on c.uid = d.client_id ${zoneOfEach.joins} where ${isOwnZone}::boolean),
    counts as materialized (
      select p.publication_uid, coalesce(p.scheduled_at >= s.since, false) as is_known,
        ${by.device ? sql`p.device_uid` : sql`null::uuid`} as device_uid,
        ${by.media ? sql`p.media_uid` : sql`null::uuid`} as media_uid,
        ${isOwnZone ? ownDay : sql`null::date`} as own_day, ${isOwnZone ? sql`null::timestamptz` : QUARTER} as at,
        count(*) as plays
      from plays p
      join ${publicationsOf(publications)} on s.uid = p.publication_uid
      left join zones z on z.uid = p.device_uid
      where ${mediaUid === null ? sql`true` : sql`p.media_uid = ${mediaUid}`}
        and ${amongOf(counted)} and ${IS_DELIVERED}
        and p.scheduled_at >= ${period.from} and p.scheduled_at < ${period.until}
      group by 1, 2, 3, 4, 5, 6)
    select c.publication_uid, c.is_known, ${by.day ? sql`to_char(${day}, 'YYYY-MM-DD')` : sql`null`} as day, c.device_uid,
      c.media_uid, sum(c.plays) as plays
    from counts c where ${day} between ${period.firstDay}::date and ${period.lastDay}::date
    group by 1, 2, 3, 4, 5 order by 3, 4, 5`.execute(reads)
  return rows
}

/**
 * The same from the roll-up by quarter hours, without some of them and without the plays scheduled on some days (UTC). Tracks are
 * summed first: the day of each row would take as long as all else.
 */
export async function sumDelivered(
  reads: Reads,
  publications: readonly Pick<PlayingPublication, 'uid' | 'since'>[],
  { period, by, without }: SummedPlays,
): Promise<Delivered[]> {
  const day =
    period.zone === DEVICE_ZONES ? sql`q.scheduled_day` : sql`(q.quarter at time zone ${period.zone})::date`
  const { rows } = await sql<Delivered>`${sql.raw(PLAN_EACH_TIME)}
    with sums as materialized (
      select publication_uid, quarter, scheduled_day, ${by.media ? sql`media_uid` : sql`null::uuid`} as media_uid,
        sum(plays) as plays
      from delivered_quarters where quarter >= ${period.from} and quarter < ${period.until} group by 1, 2, 3, 4)
    select q.publication_uid, coalesce(q.quarter >= s.since, false) as is_known,
      ${by.day ? sql`to_char(${day}, 'YYYY-MM-DD')` : sql`null`} as day, null as device_uid, q.media_uid,
      sum(q.plays)::integer as plays
    from sums q join ${publicationsOf(publications)} on s.uid = q.publication_uid
    where ${day} between ${period.firstDay}::date and ${period.lastDay}::date
      and q.quarter <> all(${without.quarters}::timestamptz[])
      and (q.quarter at time zone 'UTC')::date <> all(${without.days}::date[])
    group by 1, 2, 3, 4, 5`.execute(reads)
  return rows
}

interface SummedPlays {
  period: DeliveryPeriod
  by: Grain
  without: { quarters: readonly string[]; days: readonly string[] }
}

/** A quarter hour of schedules, with the first and the last start of its delivered plays. */
export interface QuarterSpan {
  quarter: string
  firstAt: string
  lastAt: string
}

/** Those of some quarters that have delivered plays. */
export async function findQuarterSpans(reads: Reads, quarters: readonly string[]): Promise<QuarterSpan[]> {
  if (quarters.length === 0) return []
  const { rows } = await sql<QuarterSpan>`
    select quarter, min(first_at) as first_at, max(last_at) as last_at from delivered_quarters
    where quarter = any(${quarters}::timestamptz[]) group by quarter order by quarter`.execute(reads)
  return rows
}

export interface Slots {
  /** Devices, each with the moment from which its plays count. */
  devices: readonly { uid: string; variant: number; from: number }[]
  /** The scheduled starts of plays, by variant, with their days. */
  plays: readonly { variant: number; at: number; day: string }[]
}

export interface Outcome {
  outcome: GapReason | 'made'
  day: string | null
  deviceUid: string | null
  plays: number
}

/** What came of a play that the player has reported: it was heard whole, or not, or passed over because the player came too late. */
const REPORTED = sql`
        when p.result = 'complete' then 'made'
        when p.result in ('cut', 'failed') and p.why in ('alert', 'closed') then p.why
        when p.result = 'failed' and p.why = 'agent-stopped' then 'device-off'
        when p.result = 'failed' and p.why in ('clock', 'schedule') then 'started-late'
        when p.result is not null then p.result`

/**
 * Counts the outcomes of scheduled plays between two instants; `made` counts those heard whole. By days of devices' own zones, a play
 * is of the day that it had when it was stored: a device with another zone since was not due then.
 */
export async function countOutcomes(
  reads: PlayReads,
  {
    publicationUid,
    mediaUid,
    from,
    until,
    by,
    isOwnZone,
  }: Period & { publicationUid: string; mediaUid: string; by: Grain; isOwnZone: boolean },
  { devices, plays }: Slots,
): Promise<Outcome[]> {
  await reads.showPlays({ ...widenDays({ from, to: until }, 3), mediaUid })
  const moments = plays.map(({ at }) => new Date(at).toISOString())
  const said = sql`device_logs l where l.device_uid = d.uid and l.kind = 'playlist'
    and l.day between ${from}::date - 2 and ${until}::date + 2`
  const { rows } = await sql<Outcome>`
    with device as (
      select * from unnest(${devices.map(({ uid }) => uid)}::uuid[], ${devices.map(({ variant }) => variant)}::int[],
        ${devices.map(device => new Date(device.from).toISOString())}::timestamptz[]) as d(uid, variant, joined_at)),
    slot as (
      select * from unnest(${plays.map(({ variant }) => variant)}::int[], ${moments}::timestamptz[],
        ${plays.map(({ day }) => day)}::text[]) as s(variant, at, day)),
    play as materialized (
      select distinct on (p.device_uid, p.scheduled_at, o.own_day) p.device_uid, p.scheduled_at, o.own_day, p.result, p.why,
        p.left_out
      from plays p cross join lateral (
        select ${isOwnZone ? sql`coalesce(p.scheduled_day, p.local_day)` : sql`null::date`} as own_day) o
      where p.media_uid = ${mediaUid} and p.publication_uid = ${publicationUid}
        and p.day between ${from}::date - 2 and ${until}::date + 2
        and p.scheduled_at >= ${from} and p.scheduled_at < ${until} and not p.is_clock_doubted
        and ${BEGAN_IN_TIME}
      order by p.device_uid, p.scheduled_at, o.own_day, p.left_out is not null, p.result = 'complete' desc, p.seconds_played desc)
    select outcome, ${by.day ? sql`day` : sql`null`} as day, ${by.device ? sql`uid` : sql`null::uuid`} as device_uid,
      count(*) as plays from (
      select d.uid, s.day, case
        when p.left_out is not null then 'left-out'
        ${REPORTED}
        when t.last_contact_at is null then 'never-up'
        when s.at > t.last_contact_at then 'not-reported'
        when exists (select from alert_receipts r where r.device_uid = d.uid and r.started_at <= s.at
          and (r.ended_at is null or r.ended_at > s.at)) then 'alert'
        when said.status = 'silent' and said.why in ('not-downloaded', 'closed') then said.why
        when said.status = 'began' and said.publication_uid = ${publicationUid} then 'device-off'
        when exists (select from ${said} and l.at > s.at
          and l.details ->> 'publicationUid' = ${publicationUid}) then 'started-late'
        when said.status is not null then 'not-on-air'
        else 'device-off' end as outcome
      from device d join slot s on s.variant = d.variant and s.at >= d.joined_at
      left join play p on p.device_uid = d.uid and p.scheduled_at = s.at and coalesce(p.own_day, s.day::date) = s.day::date
      left join device_states t on t.device_uid = d.uid
      left join lateral (
        select l.details ->> 'status' as status, l.details ->> 'why' as why,
          l.details ->> 'publicationUid' as publication_uid
        from ${said} and p.device_uid is null and l.at <= s.at order by l.at desc limit 1) said on true
    ) outcomes group by 1, 2, 3`.execute(reads)
  return rows
}
