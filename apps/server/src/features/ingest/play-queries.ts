import type { MediaType } from '@floorcast/contract/media.ts'
import { type RawBuilder, sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'

/** A file as a play names it. */
export interface NamedFile {
  clientId: string
  mediaUid: string
  sha256: string
}

export interface FoundFile extends NamedFile {
  /** Null: the media item never had this file. */
  contentType: MediaType | null
  durationSeconds: number | null
  /** The client has or had the media item. */
  isKnownMedia: boolean
}

/** What the clients have or had of some files: one look into an index for each. */
export async function findFiles(writes: IngestWrites, files: readonly NamedFile[]): Promise<FoundFile[]> {
  const { rows } = await sql<FoundFile>`
    select x.client_id, x.media_uid, x.sha256, l.content_type, l.duration_seconds,
      l.sha256 is not null or exists(
        select from media_lengths o where o.client_id = x.client_id and o.media_uid = x.media_uid) as is_known_media
    from unnest(${files.map(file => file.clientId)}::uuid[], ${files.map(file => file.mediaUid)}::uuid[],
      ${files.map(file => file.sha256)}::text[]) as x(client_id, media_uid, sha256)
    left join lateral (
      select * from media_lengths k
      where k.client_id = x.client_id and k.media_uid = x.media_uid and k.sha256 = x.sha256 limit 1) l on true
  `.execute(writes)
  return rows
}

/** A publication as a play names it. */
export interface NamedPublication {
  clientId: string
  uid: string
}

/** Those of some publications that their clients have, also in the recycle bin. */
export async function findOwnPublications(
  writes: IngestWrites,
  publications: readonly NamedPublication[],
): Promise<NamedPublication[]> {
  const { rows } = await sql<NamedPublication>`
    select p.client_id, p.uid
    from unnest(${publications.map(({ clientId }) => clientId)}::uuid[], ${publications.map(({ uid }) => uid)}::uuid[])
      as x(client_id, uid)
    join publications p on p.uid = x.uid and p.client_id = x.client_id and p.uid = any(${publications.map(({ uid }) => uid)}::uuid[])
  `.execute(writes)
  return rows
}

/** Until when the plays of a device last that are about to be stored. */
export interface PlayedUntil {
  deviceUid: string
  clientId: string
  /** ISO 8601. */
  playedUntil: string
}

/** The end of each device's timeline before some plays; null or missing: it is not known. */
export type FormerEnds = ReadonlyMap<string, string | null>

/**
 * In SQL: extends timelines of devices, in the order of devices, and returns until when each lasted before; null for a device without
 * counted plays that this version has stored.
 */
export const extendTimelines = (devices: readonly PlayedUntil[]): RawBuilder<unknown> => sql`
  insert into device_timelines as t (device_uid, client_id, played_until)
  select * from unnest(${devices.map(device => device.deviceUid)}::uuid[], ${devices.map(device => device.clientId)}::uuid[],
    ${devices.map(device => device.playedUntil)}::timestamptz[]) as x(device_uid, client_id, played_until)
  order by device_uid
  on conflict (device_uid) do update
    set former_until = t.played_until, played_until = greatest(t.played_until, excluded.played_until)
  returning device_uid, former_until`

/** A part of a device's time. */
export interface PlayRange {
  deviceUid: string
  clientId: string
  from: Date
  until: Date
}

export interface CountedPlay {
  deviceUid: string
  contentType: MediaType
  startedAt: string
  endedAt: string
  secondsPlayed: number
  durationSeconds: number
}

const DAY_MS = 86_400_000
const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The days on which plays of a range begin, and the one before: a play may last over midnight. */
function daysOf(ranges: readonly PlayRange[]): string[] {
  const days = new Set<string>()
  for (const { from, until } of ranges)
    for (let at = from.getTime() - DAY_MS; at < until.getTime() + DAY_MS; at += DAY_MS)
      days.add(utcDay(Math.min(at, until.getTime())))
  return [...days]
}

/** The stored plays that count and that begin in one of these ranges, or are the last one to begin before it. */
export async function findCountedPlays(
  writes: IngestWrites,
  ranges: readonly PlayRange[],
): Promise<CountedPlay[]> {
  const days = daysOf(ranges)
  const columns = sql`
    p.device_uid, p.content_type, p.started_at, p.ended_at, p.seconds_played, p.duration_seconds`
  const counted = sql`
    p.client_id = x.client_id and p.device_uid = x.device_uid and p.day = any(${days}::date[])
      and p.result <> 'failed' and not p.is_clock_doubted and p.left_out is null`
  const { rows } = await sql<CountedPlay>`${sql.raw(PLAN_EACH_TIME)}
    select p.* from unnest(
      ${ranges.map(range => range.deviceUid)}::uuid[], ${ranges.map(range => range.clientId)}::uuid[],
      ${ranges.map(range => range.from.toISOString())}::timestamptz[],
      ${ranges.map(range => range.until.toISOString())}::timestamptz[]) as x(device_uid, client_id, from_at, until_at)
    cross join lateral (
      (select ${columns} from plays p where ${counted} and p.started_at < x.from_at order by p.started_at desc limit 1)
      union all
      (select ${columns} from plays p where ${counted} and p.started_at >= x.from_at and p.started_at < x.until_at)) p
  `.execute(writes)
  return rows
}
