import { type RawBuilder, sql } from 'kysely'
import { effectiveZone } from '../tags/tags-sql.ts'

/*
 * Roll-ups of plays: `play_days` by device, track, playlist, publication and the device's local day, `play_hours` by client and
 * hour. They count plays that were heard and whose clock was plausible, in the transaction that stores the plays. So they are
 * sums of what the table plays has, whenever one looks. docs/decisions/0193.
 */

/** What `play_names` has names of. */
export const nameKinds = ['device', 'media', 'playlist'] as const

/** A play that the roll-ups count: heard at least in part, with a plausible clock. */
export const IS_COUNTED = sql`result <> 'failed' and not is_clock_doubted`

/** What was heard of a play in whole milliseconds, whose sum is the same in any order. */
export const PLAYED_MS = sql`floor(seconds_played * 1000 + 0.5)::bigint`

const ownersZone = effectiveZone({
  policy: sql`
    (select coalesce(d.tag_policy, c.tag_policy)
      from clients c left join devices d on d.client_id = c.uid and d.uid = o.device_uid where c.uid = o.client_id)`,
  device: sql`o.device_uid`,
  group: sql`o.group_uid`,
  client: sql`o.client_id`,
})

/** The rows of `owners` (client_id, device_uid, group_uid) with the effective time zone that the device's manifest has now. */
export const zonesOf = (owners: RawBuilder<unknown>) => sql`
  select o.client_id, o.device_uid, ${ownersZone} as zone from ${owners} as o`

/** The local day of a play in `zone`. If its clock is doubted, the day of its receipt. */
export const localDayIn = (zone: RawBuilder<unknown>) => sql`
  ((case when is_clock_doubted then received_at else started_at end) at time zone ${zone})::date`

/** The key of `play_days`. */
export const DAY_KEY = sql`client_id, device_uid, local_day, media_uid, playlist_uid, publication_uid, content_type`

/** Sums of `plays` (columns of the table plays) by the key of `play_days`. */
export const sumByDay = (plays: RawBuilder<unknown>) => sql`
  select ${DAY_KEY}, count(*)::integer as plays,
    (count(*) filter (where result = 'complete'))::integer as complete_plays, sum(${PLAYED_MS})::bigint as played_ms,
    min(started_at) as first_at, max(started_at) as last_at
  from ${plays} where ${IS_COUNTED} group by ${DAY_KEY}`

/** Adds the rows of `sums` to `play_days`, in the order of their keys: two transactions cannot deadlock. */
export const addDays = (sums: RawBuilder<unknown>) => sql`
  insert into play_days as d (${DAY_KEY}, plays, complete_plays, played_ms, first_at, last_at)
  select ${DAY_KEY}, plays, complete_plays, played_ms, first_at, last_at from ${sums} order by ${DAY_KEY}
  on conflict (${DAY_KEY}) do update set plays = d.plays + excluded.plays,
    complete_plays = d.complete_plays + excluded.complete_plays, played_ms = d.played_ms + excluded.played_ms,
    first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)`

/** Adds the rows of `sums` (client_id, hour, content_type, plays, played_ms) to `play_hours`, in the order of their keys. */
export const addHours = (sums: RawBuilder<unknown>) => sql`
  insert into play_hours as h (client_id, hour, content_type, plays, played_ms)
  select client_id, hour, content_type, sum(plays), sum(played_ms) from ${sums} group by 1, 2, 3 order by 1, 2, 3
  on conflict (client_id, hour, content_type) do update
    set plays = h.plays + excluded.plays, played_ms = h.played_ms + excluded.played_ms`

/** Saves the names of what `plays` (columns of the table plays) name. Known names cost a look into an index each. */
export const saveNames = (plays: RawBuilder<unknown>) => sql`
  insert into play_names as n (client_id, kind, uid, name, named_at)
  select client_id, kind, uid, name, started_at
  from (
    select distinct on (client_id, v.kind, v.uid) client_id, v.kind, v.uid, v.name, started_at
    from ${plays} cross join lateral (values
      ('device', device_uid, device_name), ('media', media_uid, track_name), ('playlist', playlist_uid, playlist_name)
    ) as v(kind, uid, name)
    where v.uid is not null and v.name is not null and ${IS_COUNTED}
    order by client_id, v.kind, v.uid, started_at desc
  ) as newest
  where not exists (
    select from play_names k where k.client_id = newest.client_id and k.kind = newest.kind and k.uid = newest.uid
      and (k.name = newest.name or k.named_at > newest.started_at))
  order by client_id, kind, uid
  on conflict (client_id, kind, uid) do update set name = excluded.name, named_at = excluded.named_at
    where n.named_at <= excluded.named_at`
