import {
  addDays,
  addGroupHours,
  addHours,
  addMediaDays,
  addQuarters,
  IS_COUNTED,
  localDayIn,
  saveNames,
  scheduledDayIn,
  sumByDay,
  sumByHour,
  sumByMedia,
  sumByQuarter,
  zonesOf,
} from '@floorcast/server/features/statistics/statistics-sql.ts'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'

/*
 * Writes plays of many devices and days past the server: what its ingestion would have stored of the same events, some hundred
 * times faster. plays-fill.test.ts compares both.
 */

export interface PlaysFill {
  clientId: string
  /** The group that plays: each of its devices. */
  groupUid: string
  publicationUid: string
  playlistUid: string
  /** The first and the last day, YYYY-MM-DD. */
  from: string
  to: string
  /** The plays of each device. */
  playsADay: number
}

const DAY_MS = 86_400_000
/** Shops play from 7:00 UTC on. */
const OPENS = `7 hours`
const OPEN_SECONDS = 14 * 3600
/** The bytes that ingest/events.ts counts for a play beside its texts. */
const PLAY_BYTES = 625

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The plays of a day, as columns of the table plays without local_day. Every hundredth fails, another one is cut. */
const playsOf = (
  { clientId, groupUid, publicationUid, playlistUid, playsADay }: PlaysFill,
  day: string,
) => sql`
  select ${day}::date as day, d.uid as device_uid, overlay(overlay(md5(d.uid::text) placing '4' from 13) placing '8' from 17)::uuid as boot_uid,
    (${day}::date - date '2020-01-01')::bigint * ${playsADay} + n as sequence, d.client_id,
    gen_random_uuid() as event_uid, at + length as received_at, false as is_clock_doubted,
    d.name as device_name, d.group_uid, d.group_name, ${publicationUid}::uuid as publication_uid,
    ${playlistUid}::uuid as playlist_uid, p.name as playlist_name, t.item_uid, t.media_uid, t.sha256, t.track_name,
    t.content_type, at as scheduled_at, at as started_at, at + length as ended_at,
    extract(epoch from length)::float8 as seconds_played, t.duration_seconds, result,
    case result when 'cut' then 'alert' when 'failed' then 'decoder' end as why, null::text as left_out
  from (
      select v.uid, v.client_id, v.name, v.group_uid, g.name as group_name, row_number() over (order by v.uid) as nr
      from devices v join groups g on g.uid = v.group_uid
      where v.client_id = ${clientId} and v.group_uid = ${groupUid}) d
    cross join generate_series(1, ${playsADay}::int) n
    join playlists p on p.uid = ${playlistUid}
    join (
      select i.uid as item_uid, i.media_uid, f.sha256, m.name as track_name, m.content_type, f.duration_seconds,
        row_number() over (order by i.position) - 1 as place, count(*) over () as places
      from playlist_items i join media_items m on m.uid = i.media_uid
        join media_files f on f.media_uid = m.uid and f.file_version = m.file_version
      where i.playlist_uid = ${playlistUid}) t on t.place = (n + d.nr * 7) % t.places
    cross join lateral (select case n % 100 when 0 then 'failed' when 50 then 'cut' else 'complete' end as result) r
    cross join lateral (select ${day}::timestamp at time zone 'UTC' + ${OPENS}::interval
        + (n - 1) * ${OPEN_SECONDS / playsADay}::float8 * interval '1 second' as at,
      case result when 'failed' then 0 when 'cut' then t.duration_seconds / 2 else t.duration_seconds end
        * interval '1 second' as length) times`

const COLUMNS = sql.raw(
  `day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, is_clock_doubted, device_name, group_uid,
  group_name, publication_uid, playlist_uid, playlist_name, item_uid, media_uid, sha256, track_name, content_type,
  scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, why, left_out`,
)

/** One statement for a day: the rows, and what ingestion counts of them. */
const fillDay = (fill: PlaysFill, day: string) => sql`
  with made as materialized (${playsOf(fill, day)}),
  zone as materialized (${zonesOf(sql`(select distinct client_id, device_uid, group_uid from made)`)}),
  play as materialized (
    select local.*, ${scheduledDayIn(sql`zone`, sql`local_day`)} as scheduled_day
    from (
      select made.*, zone.zone, ${localDayIn(sql`zone.zone`)} as local_day
      from made join zone on zone.device_uid = made.device_uid) as local),
  stored as (
    insert into plays (${COLUMNS}, local_day, scheduled_day) select ${COLUMNS}, local_day, scheduled_day from play),
  names as (${saveNames(sql`play`)}),
  sums as (${sumByDay(sql`play`)}),
  days as (${addDays(sql`sums`)}),
  media_sums as (${sumByMedia(sql`sums`)}),
  media_days as (${addMediaDays(sql`media_sums`)}),
  quarter_sums as (${sumByQuarter(sql`play`)}),
  quarters as (${addQuarters(sql`quarter_sums`)}),
  heard as (${sumByHour(sql`play`)}),
  hours as (${addHours(sql`heard`)}),
  group_hours as (${addGroupHours(sql`heard`)}),
  boots as (
    insert into device_boots as b (device_uid, boot_uid, client_id, received, first_seen_at, last_seen_at)
    select device_uid, boot_uid, client_id, int8multirange(int8range(min(sequence), max(sequence), '[]')),
      min(received_at), max(received_at)
    from play group by 1, 2, 3 order by 1
    on conflict (device_uid, boot_uid) do update
      set received = b.received + excluded.received, last_seen_at = excluded.last_seen_at),
  states as (
    insert into device_states as s (device_uid, client_id, last_contact_at, last_played_name, last_played_at)
    select distinct on (device_uid) device_uid, client_id, received_at, track_name, started_at
    from play where ${IS_COUNTED} order by device_uid, started_at desc
    on conflict (device_uid) do update set last_contact_at = excluded.last_contact_at,
      last_played_name = excluded.last_played_name, last_played_at = excluded.last_played_at
      where s.last_played_at is null or s.last_played_at < excluded.last_played_at)
  insert into history_counts as c (client_id, kind, day, row_count, byte_count)
  select client_id, 'plays', day, count(*), sum(${PLAY_BYTES} + octet_length(device_name) + octet_length(playlist_name)
    + octet_length(track_name) + coalesce(octet_length(why), 0))
  from play group by 1, 3
  on conflict (client_id, kind, day) do update
    set row_count = c.row_count + excluded.row_count, byte_count = c.byte_count + excluded.byte_count`

/** Fills day after day. The pool is a superuser's. @returns the plays written */
export async function fillPlays(
  superuser: Pool,
  fill: PlaysFill,
  said: (day: string) => void,
): Promise<number> {
  const database = new Kysely<object>({ dialect: new PostgresDialect({ pool: superuser }) })
  const [first, last] = [Date.parse(fill.from), Date.parse(fill.to)]
  for (let at = first; at <= last; at += DAY_MS) {
    const day = dayAt(at)
    await sql`select make_day_partitions(${day}::date, ${day}::date)`.execute(database)
    await fillDay(fill, day).execute(database)
    said(day)
  }
  const { rows } = await sql<{ plays: string }>`
    select sum(row_count)::text as plays from history_counts
    where client_id = ${fill.clientId} and kind = 'plays' and day between ${fill.from}::date and ${fill.to}::date
  `.execute(database)
  await sql`analyze`.execute(database)
  return Number(rows[0]?.plays ?? 0)
}
