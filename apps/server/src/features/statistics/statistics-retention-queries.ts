import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import type { DayBytes } from './statistics-forecast.ts'

const eachTime = sql.raw(PLAN_EACH_TIME)

/** The tables of which a client's statistics count rows and bytes by day. */
export type HistoryKind = 'plays' | 'device_logs' | 'heartbeats'

/** What is left of a client's statistics, and since when the dashboard says what will be deleted. Null: nothing (yet). */
export interface Retention {
  /** The first day (UTC) of which no rows were deleted. */
  keptFrom: string | null
  /** The first local day of which no sums were deleted. */
  sumsKeptFrom: string | null
  announcedOn: string | null
  ageAnnouncedOn: string | null
  sumsAnnouncedOn: string | null
  checkedOn: string | null
}

const NOTHING_YET: Retention = {
  keptFrom: null,
  sumsKeptFrom: null,
  announcedOn: null,
  ageAnnouncedOn: null,
  sumsAnnouncedOn: null,
  checkedOn: null,
}

export async function findRetention(reads: Reads): Promise<Retention> {
  const row = await reads
    .selectFrom('statisticsRetention')
    .select(['keptFrom', 'sumsKeptFrom', 'announcedOn', 'ageAnnouncedOn', 'sumsAnnouncedOn', 'checkedOn'])
    .executeTakeFirst()
  return row ?? NOTHING_YET
}

export async function saveRetention(writes: Writes, clientId: string, retention: Retention): Promise<void> {
  await writes
    .insertInto('statisticsRetention')
    .values({ clientId, ...retention })
    .onConflict(conflict => conflict.column('clientId').doUpdateSet(retention))
    .execute()
}

/** A client's name, its plan's limit of statistics, and the oldest day of which plays are to be counted. */
export interface RetainedClient {
  name: string
  statisticsGigabytes: number
  oldestUncountedDay: string | null
}

/** Undefined if the client is gone. */
export async function findRetainedClient(reads: Reads): Promise<RetainedClient | undefined> {
  const { rows } = await sql<RetainedClient>`
    select c.name, p.statistics_gigabytes, (select min(day) from uncounted_days) as oldest_uncounted_day
    from clients c join plans p on p.key = c.plan_key`.execute(reads)
  return rows[0]
}

/** Counted rows of a kind and day. */
export interface CountedDay {
  kind: HistoryKind
  day: string
  rowCount: number
  byteCount: number
}

/** What is counted of the days before `before`, the oldest first. */
export async function listCountedDays(reads: Reads, before: string): Promise<CountedDay[]> {
  const { rows } = await sql<CountedDay>`
    select kind, day, row_count, byte_count from history_counts where day < ${before} order by day, kind`.execute(
    reads,
  )
  return rows
}

/**
 * The devices with rows of a kind and day, with a look into an index for each. That of heartbeats has no client: its devices are
 * looked for one by one, also those that were deleted for good.
 */
export async function listDevicesWithRows(
  reads: Reads,
  { kind, day }: Pick<CountedDay, 'kind' | 'day'>,
): Promise<string[]> {
  if (kind === 'heartbeats') {
    const { rows } = await sql<{ deviceUid: string }>`${eachTime}
      select p.device_uid from play_devices p
      where exists (select from heartbeats h where h.day = ${day} and h.device_uid = p.device_uid) order by 1`.execute(
      reads,
    )
    return rows.map(({ deviceUid }) => deviceUid)
  }
  const next = (after: ReturnType<typeof sql>) => sql`
    select h.device_uid from ${sql.table(kind)} h where h.day = ${day} ${after} order by h.client_id, h.device_uid limit 1`
  const { rows } = await sql<{ deviceUid: string }>`${eachTime}
    with recursive device as (
      (${next(sql``)})
      union all
      select (${next(sql`and h.device_uid > device.device_uid`)}) from device where device.device_uid is not null
    )
    select device_uid from device where device_uid is not null`.execute(reads)
  return rows.map(({ deviceUid }) => deviceUid)
}

/** Deletes the rows of some devices' day and takes them off the client's statistics. @returns how many */
export async function deleteRows(
  writes: Writes,
  { kind, day }: Pick<CountedDay, 'kind' | 'day'>,
  deviceUids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ gone: number }>`${eachTime}
    with gone as (
      delete from ${sql.table(kind)} where day = ${day} and device_uid = any(${deviceUids}::uuid[]) returning 1),
    counted as (select count(*) as rows from gone),
    taken as (
      update history_counts c set row_count = c.row_count - least(counted.rows, c.row_count),
        byte_count = c.byte_count - c.byte_count * least(counted.rows, c.row_count) / greatest(c.row_count, 1)
      from counted where c.kind = ${kind} and c.day = ${day} and counted.rows > 0)
    select rows as gone from counted`.execute(writes)
  return rows[0]?.gone ?? 0
}

/**
 * Removes the count of a day without rows. A transaction that stores a row meanwhile waits with its count, and begins a new one.
 */
export async function removeEmptyCount(
  writes: Writes,
  { kind, day }: Pick<CountedDay, 'kind' | 'day'>,
): Promise<void> {
  await sql`select from history_counts where kind = ${kind} and day = ${day} for update`.execute(writes)
  await sql`${eachTime}
    delete from history_counts
    where kind = ${kind} and day = ${day} and not exists (select from ${sql.table(kind)} h where h.day = ${day})`.execute(
    writes,
  )
}

/** Gives up the rows of the days before `before`: their partitions are dropped when every client has done so. */
export async function removeCountsBefore(writes: Writes, before: string): Promise<void> {
  await writes.deleteFrom('historyCounts').where('day', '<', before).execute()
}

/**
 * Deletes at most `max` changes of connectivity from before a moment, except the last one of each device, which says its state at
 * that moment. @returns how many
 */
export async function deleteTransitions(writes: Writes, before: Date, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from device_transitions where (device_uid, at) in (
      select t.device_uid, t.at from device_transitions t
      where t.at < ${before} and exists (
        select from device_transitions n where n.device_uid = t.device_uid and n.at > t.at and n.at <= ${before})
      order by t.client_id, t.at limit ${max})`.execute(writes)
  return Number(numAffectedRows ?? 0n)
}

/** About what a row of `play_days` takes on the disk with its indexes. */
export const SUM_BYTES = 370

/** Older local days with their sums, the oldest first. */
export async function listSumDays(reads: Reads): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select local_day as day, row_count * ${sql.lit(SUM_BYTES)} as bytes from play_day_counts order by 1`.execute(
    reads,
  )
  return rows
}

/** Counts the sums of the local days before `before` that were not counted yet. */
export async function countSumsBefore(writes: Writes, before: string): Promise<void> {
  const { rows } = await sql<{ last: string | null }>`
    select max(local_day) as last from play_day_counts`.execute(writes)
  await sql`${eachTime}
    insert into play_day_counts (client_id, local_day, row_count)
    select client_id, local_day, count(*) from play_days
    where local_day > ${rows[0]?.last ?? '2000-01-01'}::date and local_day < ${before}::date
    group by client_id, local_day`.execute(writes)
}

/** The devices with sums of a local day. */
export async function listDevicesWithSums(reads: Reads, day: string): Promise<string[]> {
  const { rows } = await sql<{ deviceUid: string }>`${eachTime}
    select distinct device_uid from play_days where local_day = ${day}::date order by 1`.execute(reads)
  return rows.map(({ deviceUid }) => deviceUid)
}

/** Deletes the sums of some devices' local day. @returns how many */
export async function deleteSums(
  writes: Writes,
  day: string,
  deviceUids: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`${eachTime}
    delete from play_days where local_day = ${day}::date and device_uid = any(${deviceUids}::uuid[])`.execute(
    writes,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Ends the deletion of a local day's sums: also of those by track, and of those by hour up to the end of the day in UTC. */
export async function removeSumDay(writes: Writes, day: string): Promise<void> {
  await sql`delete from play_media_days where local_day <= ${day}::date`.execute(writes)
  for (const table of ['play_hours', 'play_group_hours'])
    await sql`
      delete from ${sql.table(table)} where hour < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`.execute(
      writes,
    )
  await writes.deleteFrom('playDayCounts').where('localDay', '=', day).execute()
}

/** What a client's plays, device logs and heartbeats take by day, the oldest day first. */
export async function listDayBytes(reads: Reads): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select day, sum(byte_count)::bigint as bytes,
      coalesce(sum(byte_count - folded_bytes) filter (where kind = 'heartbeats'), 0)::bigint as single_heartbeats
    from history_counts group by day order by day`.execute(reads)
  return rows
}
