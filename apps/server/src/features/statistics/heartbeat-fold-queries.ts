import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'

const eachTime = sql.raw(PLAN_EACH_TIME)

/** Heartbeats of a day for the log at most: a device that changes more often shows its first ones. */
const MAX_ENTRIES = 100
/** What a row takes beside its arrays, with its index. */
const ROW_BYTES = sql.lit(150)

const bytesOf = (row: string) =>
  sql`(${ROW_BYTES} + ${sql.join(
    ['reports', 'temperature_celsius', 'free_memory_bytes', 'reported', 'entries'].map(
      column => sql`coalesce(pg_column_size(${sql.ref(`${row}.${column}`)}), 0)`,
    ),
    sql` + `,
  )})`

/** A day with rows of single heartbeats. */
export interface UnfoldedDay {
  day: string
  rowCount: number
}

/** The days before `before` of which single heartbeats are counted, the oldest first. */
export async function listUnfoldedDays(reads: Reads, before: string): Promise<UnfoldedDay[]> {
  const { rows } = await sql<UnfoldedDay>`
    select day, row_count - folded_rows as row_count from history_counts
    where kind = 'heartbeats' and day < ${before} and row_count > folded_rows order by day`.execute(reads)
  return rows
}

/**
 * The heartbeats of a day by devices: `gone` are their rows, `kept` the days that are folded already and get late rows. `next` is what the
 * next row says of the day after its last row, and `rest` the state of a device that has no next row.
 */
const sourcesOf = (day: string, deviceUids: readonly string[]) => {
  const omitted = sql`
    omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes`
  const isOfDay = sql`omitted_until >= b.begins_at and omitted_until < b.ends_at`
  return sql`
    bounds as (select ${day}::date::timestamp at time zone 'UTC' as begins_at, (${day}::date + 1)::timestamp at time zone 'UTC' as ends_at),
    kept as materialized (
      select * from heartbeat_days where day = ${day}::date and device_uid = any(${deviceUids}::uuid[]) for update
    ),
    gone as (
      delete from heartbeats where day = ${day}::date and device_uid = any(${deviceUids}::uuid[])
      returning device_uid, received_at, uid, device_clock_at, program_version, temperature_celsius, free_memory_bytes, ip_address,
        volume, now_playing_name, heartbeat_seconds, ${omitted}
    ),
    next as materialized (
      select n.* from bounds b
      cross join (select distinct device_uid from gone) device
      cross join lateral (
        select h.device_uid, h.received_at, h.uid, h.day, h.heartbeat_seconds, ${omitted} from heartbeats h
        where h.device_uid = device.device_uid and h.day > ${day}::date and h.omitted_reports is not null
        order by h.received_at limit 1
      ) n
      where ${isOfDay}
    ),
    rest as materialized (
      select s.device_uid, s.kept_at, s.heartbeat_seconds, ${omitted} from device_states s cross join bounds b
      where s.device_uid = any(${deviceUids}::uuid[]) and ${isOfDay} and s.device_uid in (select device_uid from gone)
      order by s.device_uid for update of s
    ),
    moved as (
      update heartbeats h set omitted_reports = 0, omitted_until = null, omitted_temperature_celsius = null,
        omitted_free_memory_bytes = null
      from next n where h.day > ${day}::date and h.day = n.day and h.device_uid = n.device_uid and h.received_at = n.received_at and h.uid = n.uid
    ),
    rested as (
      update device_states s set omitted_reports = 0, omitted_until = null, omitted_temperature_celsius = null,
        omitted_free_memory_bytes = null
      from rest r where s.device_uid = r.device_uid
    )`
}

/** As a device's day reads them: one heartbeat, or those without a row that follow each other. */
const BEATS = sql`
  known as (
    select device_uid, received_at, heartbeat_seconds, omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes
    from gone
    union all
    select device_uid, received_at, heartbeat_seconds, omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes
    from next
  ),
  beats as (
    select device_uid, received_at as from_at, received_at as until_at, heartbeat_seconds as seconds, 1 as reports, temperature_celsius,
      free_memory_bytes
    from gone
    union all
    select k.* from bounds b cross join lateral (
      select device_uid, coalesce(lag(received_at) over rows, omitted_until) as from_at, omitted_until as until_at,
        coalesce(lag(heartbeat_seconds) over rows, heartbeat_seconds) as seconds, omitted_reports as reports, omitted_temperature_celsius,
        omitted_free_memory_bytes
      from known where omitted_reports is not null window rows as (partition by device_uid order by received_at)
    ) k
    where k.until_at >= b.begins_at and k.until_at < b.ends_at
    union all
    select device_uid, kept_at, omitted_until, heartbeat_seconds, omitted_reports, omitted_temperature_celsius, omitted_free_memory_bytes
    from rest
  )`

const QUARTERS = sql`
  quarters as (
    select device_uid, number, least(sum(reports), 32767)::smallint as reports, max(temperature_celsius) as temperature_celsius,
      min(free_memory_bytes) as free_memory_bytes
    from (
      select device_uid, floor(extract(epoch from until_at - b.begins_at) / 900)::integer + 1 as number, reports, temperature_celsius,
        free_memory_bytes
      from beats cross join bounds b
      union all
      select k.device_uid, q.number::integer, q.reports, q.temperature_celsius, q.free_memory_bytes
      from kept k cross join lateral unnest(k.reports, k.temperature_celsius, k.free_memory_bytes)
        with ordinality as q (reports, temperature_celsius, free_memory_bytes, number)
      where q.reports is not null
    ) counted group by device_uid, number
  ),
  arrays as (
    select device.device_uid, array_agg(q.reports order by n) as reports,
      case when count(q.temperature_celsius) > 0 then array_agg(q.temperature_celsius order by n) end as temperature_celsius,
      case when count(q.free_memory_bytes) > 0 then array_agg(q.free_memory_bytes order by n) end as free_memory_bytes
    from (select distinct device_uid from quarters) device cross join generate_series(1, 96) n
    left join quarters q on q.device_uid = device.device_uid and q.number = n
    group by device.device_uid
  )`

/** A run ends where three heartbeats are missed, as in a device's day. The runs of a folded day stay apart. */
const RUNS = sql`
  spans as (
    select b.device_uid, b.from_at, b.until_at, b.seconds, coalesce(b.seconds, s.heartbeat_seconds, 60) as due
    from beats b left join device_states s on s.device_uid = b.device_uid
    union all
    select k.device_uid, lower(r.run), upper(r.run), k.heartbeat_seconds,
      case when r.is_last then coalesce(k.heartbeat_seconds, s.heartbeat_seconds, 60) else 0 end
    from kept k left join device_states s on s.device_uid = k.device_uid
    cross join lateral (
      select run, row_number() over (order by run desc) = 1 as is_last from unnest(k.reported) run
    ) r
  ),
  reached as (
    select device_uid, from_at, until_at, seconds, due, max(until_at) over before as reached_at
    from spans window before as (partition by device_uid order by from_at, until_at)
  ),
  begun as (
    select device_uid, from_at, until_at, seconds,
      coalesce(from_at >= lag(reached_at) over before + (3.3 * lag(due) over before + 1) * interval '1 second', true) as is_first
    from reached window before as (partition by device_uid order by from_at, until_at)
  ),
  numbered as (
    select device_uid, from_at, until_at, seconds,
      count(*) filter (where is_first) over (partition by device_uid order by from_at, until_at) as run
    from begun
  ),
  runs as (
    select device_uid, range_agg(span order by run) as reported, (array_agg(seconds order by run desc))[1] as heartbeat_seconds
    from (
      select device_uid, run, tstzrange(min(from_at), max(until_at), '[]') as span,
        (array_agg(seconds order by from_at desc, until_at desc))[1] as seconds
      from numbered group by device_uid, run
    ) each_run
    group by device_uid
  )`

const ENTRIES = sql`
  lines as (
    select device_uid, uid, received_at, device_clock_at, program_version, volume, ip_address, now_playing_name, temperature_celsius
    from gone
    union all
    select k.device_uid, e.* from kept k cross join lateral jsonb_to_recordset(k.entries) as e (
      uid uuid, received_at timestamptz, device_clock_at timestamptz, program_version text, volume smallint, ip_address text,
      now_playing_name text, temperature_celsius real)
  ),
  changes as (
    select *, lag(uid) over before is null or (program_version, volume, ip_address, now_playing_name is null) is distinct from (
      lag(program_version) over before, lag(volume) over before, lag(ip_address) over before, lag(now_playing_name) over before is null
    ) as is_change
    from lines window before as (partition by device_uid order by received_at, uid)
  ),
  logged as (
    select device_uid, jsonb_agg(jsonb_strip_nulls(to_jsonb(entry) - 'device_uid' - 'is_change' - 'number') order by number) as entries
    from (
      select *, row_number() over (partition by device_uid order by received_at, uid) as number from changes where is_change
    ) entry
    where number <= ${sql.lit(MAX_ENTRIES)} group by device_uid
  )`

/**
 * Folds the heartbeats of some devices' day into a row for each of them, and deletes their rows. A day that is folded already takes late
 * rows in. Rows of devices that were deleted for good go. @returns the deleted rows
 */
export async function foldRows(
  writes: Writes,
  { clientId, day }: { clientId: string; day: string },
  deviceUids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ gone: number }>`${eachTime}
    with ${sourcesOf(day, deviceUids)}, ${BEATS}, ${QUARTERS}, ${RUNS}, ${ENTRIES},
    folded as (
      insert into heartbeat_days as f (
        client_id, device_uid, day, reports, temperature_celsius, free_memory_bytes, reported, heartbeat_seconds, entries)
      select ${clientId}::uuid, a.device_uid, ${day}::date, a.reports, a.temperature_celsius, a.free_memory_bytes, r.reported,
        r.heartbeat_seconds, l.entries
      from arrays a join runs r on r.device_uid = a.device_uid join logged l on l.device_uid = a.device_uid
      where a.device_uid in (select device_uid from gone) and exists (select from devices d where d.uid = a.device_uid)
      on conflict (client_id, device_uid, day) do update set reports = excluded.reports,
        temperature_celsius = excluded.temperature_celsius, free_memory_bytes = excluded.free_memory_bytes,
        reported = excluded.reported, heartbeat_seconds = excluded.heartbeat_seconds, entries = excluded.entries
      returning f.device_uid, ${bytesOf('f')} as bytes
    ),
    sums as (
      select (select count(*) from gone) as gone,
        (select count(*) from folded where device_uid not in (select device_uid from kept)) as rows,
        (select coalesce(sum(bytes), 0) from folded)
          - (select coalesce(sum(${bytesOf('k')}), 0) from kept k where device_uid in (select device_uid from folded)) as bytes
    ),
    counted as (
      update history_counts c set folded_rows = c.folded_rows + s.rows, folded_bytes = c.folded_bytes + s.bytes,
        row_count = c.row_count + s.rows - least(s.gone, c.row_count - c.folded_rows),
        byte_count = c.byte_count + s.bytes - (c.byte_count - c.folded_bytes) * least(s.gone, c.row_count - c.folded_rows)
          / greatest(c.row_count - c.folded_rows, 1)
      from sums s where c.kind = 'heartbeats' and c.day = ${day}::date and s.gone > 0
    )
    select gone from sums`.execute(writes)
  return rows[0]?.gone ?? 0
}

/** Ends the fold of a day whose rows are gone: its count is that of its folded rows, whatever was counted of others. */
export async function endFold(writes: Writes, day: string): Promise<void> {
  await sql`select from history_counts where kind = 'heartbeats' and day = ${day} for update`.execute(writes)
  await sql`${eachTime}
    update history_counts set row_count = folded_rows, byte_count = folded_bytes
    where kind = 'heartbeats' and day = ${day} and row_count > folded_rows and not exists (
      select from play_devices p where exists (
        select from heartbeats h where h.day = ${day} and h.device_uid = p.device_uid))`.execute(writes)
}

/** Deletes at most `max` folded days from before `before`. @returns how many */
export async function deleteFoldedDays(writes: Writes, before: string, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from heartbeat_days where (device_uid, day) in (
      select f.device_uid, f.day from devices d
      cross join lateral (select device_uid, day from heartbeat_days where device_uid = d.uid and day < ${before}::date) f
      limit ${max})`.execute(writes)
  return Number(numAffectedRows ?? 0n)
}
