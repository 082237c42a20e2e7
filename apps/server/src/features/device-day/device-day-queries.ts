import type { HealthPoint } from '@floorcast/contract/device-day.ts'
import type { Activity, Connectivity, NowPlaying } from '@floorcast/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { daysAround, type PlayReads } from '../archive/archive.ts'
import { IS_BELIEVED } from '../statistics/statistics-sql.ts'
import { activityAt, connectivityIntervals, nowPlayingAt } from '../devices/devices-sql.ts'

/** A device as its day needs it. */
export interface DayDevice {
  createdAt: string
  lastContactAt: string | null
  activity: Activity | null
  nowPlaying: NowPlaying | null
}

/** Undefined for a device in the recycle bin. */
export async function findDayDevice(reads: Reads, uid: string, now: Date): Promise<DayDevice | undefined> {
  const { rows } = await sql<DayDevice>`
    select d.created_at, s.last_contact_at, ${activityAt(now)} as activity, ${nowPlayingAt(now)} as now_playing
    from devices d left join device_states s on s.device_uid = d.uid
    where d.uid = ${uid} and d.deleted_at is null`.execute(reads)
  return rows[0]
}

interface DayPeriod {
  deviceUid: string
  from: Date
  until: Date
}

const utcDay = (at: Date) => at.toISOString().slice(0, 10)
const DAY_MS = 86_400_000

export interface DayPlay {
  startedAt: string
  endedAt: string
  isAd: boolean
}

/** A day of three-second tracks. */
const MAX_PLAYS = 30_000

/** What played in a period, by the plays of the device that are believed. A play is stored with the day of its start. */
export async function findDayPlays(
  reads: PlayReads,
  { deviceUid, from, until }: DayPeriod,
): Promise<DayPlay[]> {
  await reads.showPlays({ ...daysAround({ from, to: until }, 1), deviceUid })
  const before = new Date(from.getTime() - DAY_MS)
  const { rows } = await sql<DayPlay>`
    select started_at, ended_at, content_type in ('ads', 'videosAds') as is_ad from plays
    where device_uid = ${deviceUid} and day between ${utcDay(before)} and ${utcDay(until)}
      and started_at >= ${before} and started_at < ${until} and ended_at > ${from} and ended_at > started_at
      and ${IS_BELIEVED}
    order by started_at limit ${MAX_PLAYS}`.execute(reads)
  return rows
}

export interface DaySpan {
  from: string
  until: string
}

const MAX_UNREPORTED = 1000

/**
 * In SQL: the rows of a device's heartbeats in a period, and the next one of this version, which says what came in the period
 * since its last row (docs/decisions/0346).
 */
function rowsOf({ deviceUid, from, until }: DayPeriod): RawBuilder<unknown> {
  const columns = sql`
    received_at, heartbeat_seconds, temperature_celsius, free_memory_bytes, omitted_reports, omitted_until,
    omitted_temperature_celsius, omitted_free_memory_bytes`
  return sql`
    select ${columns} from heartbeats
    where device_uid = ${deviceUid} and received_at >= ${from} and received_at <= ${until}
      and day between ${utcDay(from)} and ${utcDay(until)}
    union all
    (select ${columns} from heartbeats
     where device_uid = ${deviceUid} and received_at > ${until} and day >= ${utcDay(until)} and omitted_reports is not null
     order by received_at limit 1)`
}

/** In SQL: the folded days that a period touches (docs/decisions/0352). */
const foldedOf = ({ deviceUid, from, until }: DayPeriod): RawBuilder<unknown> =>
  sql`heartbeat_days f where f.device_uid = ${deviceUid} and f.day between ${utcDay(from)} and ${utcDay(until)}`

/**
 * The times of a period without a report, from a heartbeat to the next one after three have been missed: the threshold is that of
 * 'late'. Those from before the first heartbeat that is stored are not told.
 */
export async function findDayUnreported(
  reads: Reads,
  { deviceUid, from, until }: DayPeriod,
): Promise<DaySpan[]> {
  const [before, after] = [new Date(from.getTime() - DAY_MS), new Date(until.getTime() + DAY_MS)]
  const { rows } = await sql<DaySpan>`
    with known as (${rowsOf({ deviceUid, from: before, until: after })}),
    reported as (
      select received_at as from_at, received_at as until_at, heartbeat_seconds from known
      union all
      -- Those without a row follow the row before: a row of this version, not one of a former version's server beside it.
      select coalesce(lag(received_at) over rows, omitted_until), omitted_until,
        coalesce(lag(heartbeat_seconds) over rows, heartbeat_seconds)
      from known where omitted_reports is not null window rows as (order by received_at)
      union all
      select kept_at, omitted_until, heartbeat_seconds from device_states where device_uid = ${deviceUid}
      union all
      -- Within a folded day three were missed after each run.
      select lower(run), upper(run), case when lead(run) over (partition by f.day order by run) is null then f.heartbeat_seconds else 0 end
      from (select * from ${foldedOf({ deviceUid, from: before, until: after })}) f cross join lateral unnest(f.reported) run
    )
    select greatest(h.until_at, ${from}::timestamptz) as "from", least(h.next_at, ${until}::timestamptz) as "until"
    from (
      select max(r.until_at) over (order by r.from_at, r.until_at) as until_at,
        coalesce(r.heartbeat_seconds, s.heartbeat_seconds, 60) as seconds,
        coalesce(lead(r.from_at) over (order by r.from_at, r.until_at), ${until}::timestamptz) as next_at
      from reported r left join device_states s on s.device_uid = ${deviceUid}
      where r.until_at >= ${before} and r.from_at <= ${after}
    ) h
    where h.next_at > ${from} and h.until_at < ${until}
      and h.next_at >= h.until_at + (3.3 * h.seconds + 1) * interval '1 second'
    order by h.until_at limit ${MAX_UNREPORTED}`.execute(reads)
  return rows
}

export interface DaySilence {
  at: string
  /** Null: it began to play. */
  because: string | null
}

const MAX_SILENCES = 2000

/** Since when the device said that it was silent, or played, in a period, and the last one before it. */
export async function findDaySilences(
  reads: Reads,
  { deviceUid, from, until }: DayPeriod,
): Promise<DaySilence[]> {
  const before = new Date(from.getTime() - 7 * DAY_MS)
  const { rows } = await sql<DaySilence>`
    select at, case when details ->> 'status' = 'silent' then coalesce(details ->> 'why', 'unknown') end as because
    from device_logs
    where device_uid = ${deviceUid} and kind = 'playlist' and day between ${utcDay(before)} and ${utcDay(until)}
      and at >= ${before} and at < ${until} and details ->> 'status' in ('silent', 'began') and not is_clock_doubted
    order by at desc limit ${MAX_SILENCES}`.execute(reads)
  return rows.toReversed()
}

export interface DayConnectivity {
  state: Connectivity
  from: string
  until: string
}

const MAX_INTERVALS = 1000

export async function findDayConnectivity(
  reads: Reads,
  { deviceUid, from, until, lastContactAt }: DayPeriod & { lastContactAt: string | null },
): Promise<DayConnectivity[]> {
  const intervals = connectivityIntervals({
    deviceUid: sql`${deviceUid}::uuid`,
    lastContactAt: sql`${lastContactAt}::timestamptz`,
    from: sql`${from}::timestamptz`,
    until: sql`${until}::timestamptz`,
  })
  const { rows } = await sql<DayConnectivity>`
    select i.state, i.from_at as "from", i.until_at as "until" from ${intervals} i
    order by i.from_at limit ${MAX_INTERVALS}`.execute(reads)
  return rows
}

/** The heartbeats of a period by the quarter of an hour, in which it begins, with its last instant: those without a row are of the quarter of the last of them. */
export async function sumHealth(reads: Reads, period: DayPeriod): Promise<HealthPoint[]> {
  const { deviceUid, from, until } = period
  const { rows } = await sql<HealthPoint>`
    with known as (${rowsOf(period)}),
    reported as (
      select received_at as at, 1 as reports, temperature_celsius, free_memory_bytes from known
      union all
      select omitted_until, omitted_reports, omitted_temperature_celsius, omitted_free_memory_bytes from known
      union all
      select omitted_until, omitted_reports, omitted_temperature_celsius, omitted_free_memory_bytes
      from device_states where device_uid = ${deviceUid}
      union all
      select f.day::timestamp at time zone 'UTC' + (q.number - 1) * interval '15 minutes', q.reports, q.temperature_celsius, q.free_memory_bytes
      from (select * from ${foldedOf(period)}) f
      cross join lateral unnest(f.reports, f.temperature_celsius, f.free_memory_bytes)
        with ordinality as q (reports, temperature_celsius, free_memory_bytes, number)
      where q.reports is not null
    )
    select date_bin('15 minutes', at, ${from}::timestamptz) as at, sum(reports)::int as heartbeats,
      max(temperature_celsius) as temperature_celsius, min(free_memory_bytes) as free_memory_bytes
    from reported where at >= ${from} and at <= ${until}
    group by 1 order by 1`.execute(reads)
  return rows
}
