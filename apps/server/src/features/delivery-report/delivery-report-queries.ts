import type { GapReason } from '@floorcast/contract/delivery-report.ts'
import type { PlaylistForm } from '@floorcast/contract/playlists.ts'
import type { PublicationState } from '@floorcast/contract/publications.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'

export async function hasMedia(reads: Reads, uid: string): Promise<boolean> {
  const row = await reads
    .selectFrom('mediaItems')
    .select('uid')
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface Period {
  from: Date
  until: Date
}

/** The device's day may differ from the server's, and a play may end after midnight. */
const days = ({ from, until }: Period) => sql`p.day between ${from}::date - 2 and ${until}::date + 2`

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

/** The publications that play a media item now or later, and those that played it in the period. */
export async function findPublications(
  reads: Reads,
  mediaUid: string,
  { period, now }: { period: Period; now: Date },
): Promise<PlayingPublication[]> {
  const { rows } = await sql<PlayingPublication>`
    select p.uid, p.name, ${publicationStateAt(now)} as state, g.uid as group_uid, g.name as group_name,
      l.uid as playlist_uid, l.name as playlist_name, l.form,
      case when p.state <> 'disabled' then greatest(p.activated_at, (
        select max(a.at) from audit_entries a
        where a.thing_uid = p.uid and a.action in ('replace-playlist', 'return-playlist'))) end as since
    from publications p join groups g on g.uid = p.group_uid join playlists l on l.uid = p.playlist_uid
    where (p.state <> 'disabled' and exists (
        select from playlist_items i where i.playlist_uid = p.playlist_uid and i.media_uid = ${mediaUid}))
      or p.uid in (select h.publication_uid from plays h
        where h.media_uid = ${mediaUid} and h.day between ${period.from}::date - 2 and ${period.until}::date + 2
          and h.started_at >= ${period.from} and h.started_at < ${period.until})
    order by p.state = 'disabled', lower(p.name), p.uid limit 200`.execute(reads)
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

interface Counted extends Period {
  publicationUid: string
  mediaUid: string
}

/** Counts plays that were heard whole. */
export async function countDelivered(reads: Reads, counted: Counted): Promise<number> {
  const { publicationUid, mediaUid, from, until } = counted
  const { rows } = await sql<{ plays: number }>`
    select count(*) as plays from plays p
    where p.media_uid = ${mediaUid} and p.publication_uid = ${publicationUid} and ${days(counted)}
      and p.scheduled_at >= ${from} and p.scheduled_at < ${until} and p.result = 'complete'`.execute(reads)
  return rows[0]?.plays ?? 0
}

export interface Slots {
  /** Devices, each with the moment from which its plays count. */
  devices: readonly { uid: string; variant: number; from: number }[]
  /** The scheduled starts of plays, by variant. */
  plays: readonly { variant: number; at: number }[]
}

/** Counts the outcomes of scheduled plays; `made` counts those heard whole. */
export async function countOutcomes(
  reads: Reads,
  counted: Counted,
  { devices, plays }: Slots,
): Promise<{ outcome: GapReason | 'made'; plays: number }[]> {
  const { publicationUid, mediaUid, from, until } = counted
  const moments = plays.map(({ at }) => new Date(at).toISOString())
  const said = sql`device_logs l where l.device_uid = d.uid and l.kind = 'playlist'
    and l.day between ${from}::date - 2 and ${until}::date + 2`
  const { rows } = await sql<{ outcome: GapReason | 'made'; plays: number }>`
    with device as (
      select * from unnest(${devices.map(({ uid }) => uid)}::uuid[], ${devices.map(({ variant }) => variant)}::int[],
        ${devices.map(device => new Date(device.from).toISOString())}::timestamptz[]) as d(uid, variant, joined_at)),
    slot as (
      select * from unnest(${plays.map(({ variant }) => variant)}::int[], ${moments}::timestamptz[]) as s(variant, at)),
    play as materialized (
      select distinct on (p.device_uid, p.scheduled_at) p.device_uid, p.scheduled_at, p.result, p.why
      from plays p
      where p.media_uid = ${mediaUid} and p.publication_uid = ${publicationUid} and ${days(counted)}
        and p.scheduled_at >= ${from} and p.scheduled_at < ${until}
      order by p.device_uid, p.scheduled_at, p.result = 'complete' desc, p.seconds_played desc)
    select outcome, count(*) as plays from (
      select case
        when p.result = 'complete' then 'made'
        when p.result = 'cut' and p.why in ('alert', 'closed') then p.why
        when p.result is not null then p.result
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
      left join play p on p.device_uid = d.uid and p.scheduled_at = s.at
      left join device_states t on t.device_uid = d.uid
      left join lateral (
        select l.details ->> 'status' as status, l.details ->> 'why' as why,
          l.details ->> 'publicationUid' as publication_uid
        from ${said} and p.device_uid is null and l.at <= s.at order by l.at desc limit 1) said on true
    ) outcomes group by outcome`.execute(reads)
  return rows
}
