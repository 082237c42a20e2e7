import { type RawBuilder, sql } from 'kysely'
import { effectiveZone } from '../tags/tags-sql.ts'

/*
 * Roll-ups of plays: `play_days` by device, track, playlist, publication and the device's local day, `play_media_days` by track
 * and local day with the devices that played it, `play_hours` by client and hour, `play_group_hours` by group and hour, and
 * `delivered_quarters` by publication, track and quarter hour of the schedule. They count plays that are believed and
 * were heard, the last one those heard whole, in the transaction that stores the plays. So they are sums of what the table
 * plays has, whenever one looks. docs/decisions/0193, 0209, 0213.
 */

/** What `play_names` has names of. */
export const nameKinds = ['device', 'media', 'playlist'] as const

/** A play that can have been: its clock is plausible, and the server has not left it out (`LeftOut`). */
export const IS_BELIEVED = sql`not is_clock_doubted and left_out is null`

/** A play that the roll-ups count: heard at least in part, and believed. */
export const IS_COUNTED = sql`result <> 'failed' and ${IS_BELIEVED}`

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

/** The local day of a play in `zone`. If its clock is implausible, the day of its receipt. */
export const localDayIn = (zone: RawBuilder<unknown>) => sql`
  ((case when is_clock_doubted then received_at else started_at end) at time zone ${zone})::date`

/**
 * The day in `zone` for which a play was scheduled, null if it is `localDay`, that of the start. The day of nearly every play is
 * null, and takes no room in its row.
 */
export const scheduledDayIn = (zone: RawBuilder<unknown>, localDay: RawBuilder<unknown>) => sql`
  case when not is_clock_doubted then nullif((scheduled_at at time zone ${zone})::date, ${localDay}) end`

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

/** Devices of a row of `play_media_days`, each a bit. */
const BLOCK = sql.lit(1024)
const NO_DEVICES = sql`0::bit(${BLOCK})`

/** In SQL: the block of a device by its number in `play_devices`, and its bit there. */
export const blockOf = (number: RawBuilder<unknown>) => sql`${number} / ${BLOCK}`
export const bitOf = (number: RawBuilder<unknown>) => sql`${number} % ${BLOCK}`
export const bitSetOf = (number: RawBuilder<unknown>) => sql`set_bit(${NO_DEVICES}, ${bitOf(number)}, 1)`

/** The key of `play_media_days`. */
export const MEDIA_DAY_KEY = sql`client_id, local_day, media_uid, content_type, device_block`

/** The sums of `play_media_days`. */
export const MEDIA_DAY_SUMS = sql`plays, complete_plays, played_ms, first_at, last_at, devices`

/**
 * Sums of `days` (columns of `play_days`) by the key of `play_media_days`. A device has a number since it was added; without one
 * its plays would count, and the rebuild would number it.
 */
export const sumByMedia = (days: RawBuilder<unknown>) => sql`
  select d.client_id, d.local_day, d.media_uid, d.content_type, ${blockOf(sql`coalesce(n.number, 0)`)} as device_block,
    sum(d.plays)::integer as plays, sum(d.complete_plays)::integer as complete_plays, sum(d.played_ms)::bigint as played_ms,
    min(d.first_at) as first_at, max(d.last_at) as last_at,
    coalesce(bit_or(${bitSetOf(sql`n.number`)}), ${NO_DEVICES}) as devices
  from ${days} as d left join play_devices n on n.client_id = d.client_id and n.device_uid = d.device_uid
  group by 1, 2, 3, 4, 5`

/** Adds the rows of `sums` to `play_media_days`, in the order of their keys. Servers wait for each other at these rows. */
export const addMediaDays = (sums: RawBuilder<unknown>) => sql`
  insert into play_media_days as d (${MEDIA_DAY_KEY}, ${MEDIA_DAY_SUMS})
  select ${MEDIA_DAY_KEY}, ${MEDIA_DAY_SUMS} from ${sums} order by ${MEDIA_DAY_KEY}
  on conflict (${MEDIA_DAY_KEY}) do update set plays = d.plays + excluded.plays,
    complete_plays = d.complete_plays + excluded.complete_plays, played_ms = d.played_ms + excluded.played_ms,
    first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at),
    devices = d.devices | excluded.devices`

/** Sums of `plays` (columns of the table plays) by client, group, hour and kind. */
export const sumByHour = (plays: RawBuilder<unknown>) => sql`
  select client_id, group_uid, date_trunc('hour', started_at, 'UTC') as hour, content_type, count(*)::integer as plays,
    sum(${PLAYED_MS})::bigint as played_ms
  from ${plays} where ${IS_COUNTED} group by 1, 2, 3, 4`

/**
 * Adds the rows of `sums` (client_id, group_uid, hour, content_type, plays, played_ms) to `play_hours`, in the order of their
 * keys.
 */
export const addHours = (sums: RawBuilder<unknown>) => sql`
  insert into play_hours as h (client_id, hour, content_type, plays, played_ms)
  select client_id, hour, content_type, sum(plays), sum(played_ms) from ${sums} group by 1, 2, 3 order by 1, 2, 3
  on conflict (client_id, hour, content_type) do update
    set plays = h.plays + excluded.plays, played_ms = h.played_ms + excluded.played_ms`

/** Adds those of a group to `play_group_hours` likewise. */
export const addGroupHours = (sums: RawBuilder<unknown>) => sql`
  insert into play_group_hours as h (client_id, group_uid, hour, content_type, plays, played_ms)
  select client_id, group_uid, hour, content_type, sum(plays), sum(played_ms) from ${sums}
  where group_uid is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (client_id, group_uid, hour, content_type) do update
    set plays = h.plays + excluded.plays, played_ms = h.played_ms + excluded.played_ms`

/**
 * A play that began more than a day (UTC) before or after that of its schedule counts for none. Without `coalesce` PostgreSQL would
 * expect one play in two hundred to begin in time.
 */
export const BEGAN_IN_TIME = sql`coalesce(day - (scheduled_at at time zone 'UTC')::date between -1 and 1, false)`

/** A delivered play was heard whole. */
export const IS_DELIVERED = sql`result = 'complete' and ${IS_BELIEVED} and ${BEGAN_IN_TIME}`

/** The begin of a play's quarter hour. */
export const QUARTER = sql`date_bin('15 minutes', scheduled_at, timestamptz 'epoch')`

/** The key of `delivered_quarters`, and its sums. */
export const QUARTER_KEY = sql`client_id, quarter, publication_uid, media_uid, scheduled_day`
export const QUARTER_SUMS = sql`plays, first_at, last_at`

/** Sums of `plays` (columns of the table plays) by the key of `delivered_quarters`. */
export const sumByQuarter = (plays: RawBuilder<unknown>) => sql`
  select client_id, ${QUARTER} as quarter, publication_uid, media_uid, coalesce(scheduled_day, local_day) as scheduled_day,
    count(*)::integer as plays, min(started_at) as first_at, max(started_at) as last_at
  from ${plays} where ${IS_DELIVERED} and publication_uid is not null group by 1, 2, 3, 4, 5`

/** Adds the rows of `sums` to `delivered_quarters`, in the order of their keys. */
export const addQuarters = (sums: RawBuilder<unknown>) => sql`
  insert into delivered_quarters as q (${QUARTER_KEY}, ${QUARTER_SUMS})
  select ${QUARTER_KEY}, ${QUARTER_SUMS} from ${sums} order by ${QUARTER_KEY}
  on conflict (${QUARTER_KEY}) do update set plays = q.plays + excluded.plays,
    first_at = least(q.first_at, excluded.first_at), last_at = greatest(q.last_at, excluded.last_at)`

/** Saves the names of what `plays` (columns of the table plays) name. Known names cost a look into an index each. */
export const saveNames = (plays: RawBuilder<unknown>) => sql`
  insert into play_names as n (client_id, kind, uid, name, named_at)
  select client_id, kind, uid, name, started_at
  from (
    select distinct on (client_id, v.kind, v.uid) client_id, v.kind, v.uid, v.name, started_at
    from (
      select client_id, device_uid, device_name, media_uid, track_name, playlist_uid, playlist_name, max(started_at) as started_at
      from ${plays} where ${IS_COUNTED} group by 1, 2, 3, 4, 5, 6, 7
    ) as named cross join lateral (values
      ('device', device_uid, device_name), ('media', media_uid, track_name), ('playlist', playlist_uid, playlist_name)
    ) as v(kind, uid, name)
    where v.uid is not null and v.name is not null
    order by client_id, v.kind, v.uid, started_at desc
  ) as newest
  where not exists (
    select from play_names k where k.client_id = newest.client_id and k.kind = newest.kind and k.uid = newest.uid
      and (k.name = newest.name or k.named_at > newest.started_at))
  order by client_id, kind, uid
  on conflict (client_id, kind, uid) do update set name = excluded.name, named_at = excluded.named_at
    where n.named_at <= excluded.named_at`
