import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import { daysAround, type PlayReads, type PlayWrites } from '../archive/archive.ts'
import {
  addDays,
  addGroupHours,
  addHours,
  addMediaDays,
  addQuarters,
  DAY_KEY,
  localDayIn,
  MEDIA_DAY_KEY,
  MEDIA_DAY_SUMS,
  saveNames,
  scheduledDayIn,
  sumByDay,
  sumByHour,
  sumByMedia,
  sumByQuarter,
  zonesOf,
} from './statistics-sql.ts'

const eachTime = sql.raw(PLAN_EACH_TIME)

/** The place of a play among those of its day. */
export interface PlayPlace {
  deviceUid: string
  bootUid: string
  sequence: number
}
export const FIRST_PLACE: PlayPlace = {
  deviceUid: '00000000-0000-0000-0000-000000000000',
  bootUid: '00000000-0000-0000-0000-000000000000',
  sequence: 0,
}

/**
 * Gives at most `max` plays of a former version the local day in the zone that their device has now, and adds them to the
 * roll-ups. The roll-ups by device come before those by track, group and hour, as in the ingest, so that the two cannot
 * deadlock: PostgreSQL executes the last `with` first.
 * @returns the place of the last one; null at the end
 */
export async function countFormerPlays(
  writes: Writes,
  day: string,
  { after, max }: { after: PlayPlace; max: number },
): Promise<PlayPlace | null> {
  const { rows } = await sql<PlayPlace>`${eachTime}
    with batch as materialized (
      select client_id, device_uid, boot_uid, sequence from plays
      where day = ${day} and local_day is null
        and (device_uid, boot_uid, sequence) > (${after.deviceUid}::uuid, ${after.bootUid}::uuid, ${after.sequence}::bigint)
      order by device_uid, boot_uid, sequence limit ${max}
    ),
    zone as materialized (${zonesOf(sql`(
      select distinct batch.client_id, batch.device_uid, devices.group_uid
      from batch left join devices on devices.uid = batch.device_uid)`)}),
    counted as (
      update plays p set local_day = ${localDayIn(sql`zone.zone`)},
        scheduled_day = ${scheduledDayIn(sql`zone.zone`, localDayIn(sql`zone.zone`))}
      from batch join zone on zone.device_uid = batch.device_uid
      where p.day = ${day} and p.device_uid = batch.device_uid and p.boot_uid = batch.boot_uid
        and p.sequence = batch.sequence and p.local_day is null
      returning p.*
    ),
    sums as (${sumByDay(sql`counted`)}),
    hour_sums as (${sumByHour(sql`counted`)}),
    hours as (${addHours(sql`hour_sums`)}),
    group_hours as (${addGroupHours(sql`hour_sums`)}),
    media_sums as (${sumByMedia(sql`sums`)}),
    media_days as (${addMediaDays(sql`media_sums`)}),
    quarter_sums as (${sumByQuarter(sql`counted`)}),
    quarters as (${addQuarters(sql`quarter_sums`)}),
    names as (${saveNames(sql`counted`)}),
    days as (${addDays(sql`sums`)})
    select device_uid, boot_uid, sequence from batch order by 1 desc, 2 desc, 3 desc limit 1`.execute(writes)
  return rows[0] ?? null
}

/** The days (UTC) whose plays of former versions are to be counted, the newest first. */
export async function listUncountedDays(reads: Reads): Promise<string[]> {
  const rows = await reads.selectFrom('uncountedDays').select('day').orderBy('day', 'desc').execute()
  return rows.map(({ day }) => day)
}

export async function removeUncountedDay(writes: Writes, day: string): Promise<void> {
  await writes.deleteFrom('uncountedDays').where('day', '=', day).execute()
}

/** The first day (UTC) of which no rows were deleted; null: nothing was deleted yet. */
export async function findKeptFrom(reads: Reads): Promise<string | null> {
  const row = await reads.selectFrom('statisticsRetention').select('keptFrom').executeTakeFirst()
  return row?.keptFrom ?? null
}

/** The days (UTC) with rows of plays. */
export async function listPlayDays(reads: Reads): Promise<string[]> {
  const rows = await reads
    .selectFrom('historyCounts')
    .where('kind', '=', 'plays')
    .select('day')
    .orderBy('day')
    .execute()
  return rows.map(({ day }) => day)
}

/** Plays whose local day is `day`. Their start is within a day of it; rows of former versions have the day of their end. */
const playsOf = (day: string) => sql`
  plays where local_day = ${day} and day between ${day}::date - 1 and ${day}::date + 2`

/** Shows the plays whose local day is `day`, and those that began on it by UTC. */
const showDay = (reads: PlayReads, day: string) => reads.showPlays(daysAround({ from: day, to: day }, 2))

/** The devices that have plays or roll-ups of a local day. */
export async function listDevicesOf(reads: PlayReads, day: string): Promise<string[]> {
  await showDay(reads, day)
  const { rows } = await sql<{ deviceUid: string }>`${eachTime}
    select device_uid from ${playsOf(day)} union select device_uid from play_days where local_day = ${day}
    order by 1`.execute(reads)
  return rows.map(({ deviceUid }) => deviceUid)
}

/**
 * Corrects the roll-ups of some devices' local day. One statement compares plays and roll-ups in one state of the database and
 * adds the differences, so plays that are stored meanwhile, with their part of the sums, are neither lost nor counted twice.
 * @returns how many rows were wrong
 */
export async function correctDays(
  writes: PlayWrites,
  day: string,
  deviceUids: readonly string[],
): Promise<number> {
  await showDay(writes, day)
  const { rows } = await sql<{ wrong: number }>`${eachTime}
    with play as materialized (select * from ${playsOf(day)} and device_uid = any(${deviceUids}::uuid[])),
    names as (${saveNames(sql`play`)}),
    both_sums as (
      select true as is_true, ${DAY_KEY}, plays, complete_plays, played_ms, first_at, last_at
      from (${sumByDay(sql`play`)}) as truth
      union all
      select false, ${DAY_KEY}, -plays, -complete_plays, -played_ms, first_at, last_at
      from play_days where local_day = ${day} and device_uid = any(${deviceUids}::uuid[])
    ),
    compared as (
      select ${DAY_KEY}, sum(plays)::integer as plays, sum(complete_plays)::integer as complete_plays,
        sum(played_ms)::bigint as played_ms, bool_and(is_true) as is_missing,
        min(first_at) filter (where is_true) as first_at, max(last_at) filter (where is_true) as last_at,
        min(first_at) filter (where not is_true) as former_first_at,
        max(last_at) filter (where not is_true) as former_last_at
      from both_sums group by ${DAY_KEY}
    ),
    wrong as materialized (
      select * from compared
      where is_missing or plays <> 0 or complete_plays <> 0 or played_ms <> 0
        or first_at is distinct from former_first_at or last_at is distinct from former_last_at
    ),
    changed as (
      update play_days d set plays = d.plays + w.plays, complete_plays = d.complete_plays + w.complete_plays,
        played_ms = d.played_ms + w.played_ms,
        first_at = case when d.first_at = w.former_first_at then coalesce(w.first_at, d.first_at)
          else least(d.first_at, w.first_at) end,
        last_at = case when d.last_at = w.former_last_at then coalesce(w.last_at, d.last_at)
          else greatest(d.last_at, w.last_at) end
      from wrong w
      where not w.is_missing and d.local_day = ${day} and d.device_uid = w.device_uid and d.media_uid = w.media_uid
        and d.playlist_uid is not distinct from w.playlist_uid
        and d.publication_uid is not distinct from w.publication_uid and d.content_type = w.content_type
    ),
    missing as (select * from wrong where is_missing),
    added as (${addDays(sql`missing`)})
    select count(*) as wrong from wrong`.execute(writes)
  const wrong = rows[0]?.wrong ?? 0
  if (wrong > 0)
    await sql`delete from play_days where local_day = ${day} and device_uid = any(${deviceUids}::uuid[]) and plays = 0`.execute(
      writes,
    )
  return wrong
}

/** Numbers the devices with sums of a local day that have no number, as a restored or imported database may have them. */
async function numberDevicesOf(writes: Writes, day: string): Promise<void> {
  await sql`${eachTime}
    select number_play_devices(client_id, array_agg(device_uid))
    from (
      select distinct client_id, device_uid from play_days d where local_day = ${day} and not exists (
        select from play_devices n where n.client_id = d.client_id and n.device_uid = d.device_uid)) as unknown
    group by client_id`.execute(writes)
}

/**
 * Corrects the sums by track of a local day from those by device. Its rows are locked first, in the order of keys, so plays that
 * are stored meanwhile wait, and are added to what is right then. @returns how many rows were wrong
 */
export async function correctMediaDays(writes: Writes, day: string): Promise<number> {
  await numberDevicesOf(writes, day)
  await sql`select from play_media_days where local_day = ${day} order by ${MEDIA_DAY_KEY} for update`.execute(
    writes,
  )
  const { rows } = await sql<{ wrong: number }>`${eachTime}
    with truth as materialized (
      ${sumByMedia(sql`(select * from play_days where local_day = ${day})`)}),
    stored as materialized (select * from play_media_days where local_day = ${day}),
    wrong as materialized (
      select ${MEDIA_DAY_KEY}, s.client_id is not null as is_stored, t.client_id is not null as is_played
      from truth t full join stored s using (${MEDIA_DAY_KEY})
      where (t.plays, t.complete_plays, t.played_ms, t.first_at, t.last_at, t.devices)
        is distinct from (s.plays, s.complete_plays, s.played_ms, s.first_at, s.last_at, s.devices)),
    changed as (
      update play_media_days d set (${MEDIA_DAY_SUMS}) = (t.plays, t.complete_plays, t.played_ms, t.first_at, t.last_at, t.devices)
      from wrong w join truth t using (${MEDIA_DAY_KEY})
      where w.is_stored and ${isRowOf(sql`d`, sql`t`)}),
    gone as (delete from play_media_days d using wrong w where not w.is_played and ${isRowOf(sql`d`, sql`w`)}),
    missing as (select t.* from truth t join wrong w using (${MEDIA_DAY_KEY}) where not w.is_stored),
    added as (${addMediaDays(sql`missing`)})
    select count(*) as wrong from wrong`.execute(writes)
  return rows[0]?.wrong ?? 0
}

/** In SQL: whether two rows have the same key of `play_media_days`. */
const isRowOf = (one: ReturnType<typeof sql>, other: ReturnType<typeof sql>) => sql`
  ${one}.client_id = ${other}.client_id and ${one}.local_day = ${other}.local_day
    and ${one}.media_uid = ${other}.media_uid and ${one}.content_type = ${other}.content_type
    and ${one}.device_block = ${other}.device_block`

/**
 * Corrects the roll-ups by hour, of a client and of its groups, of a day (UTC) as `correctDays` does.
 * @returns how many rows were wrong
 */
export async function correctHours(writes: PlayWrites, day: string): Promise<number> {
  await showDay(writes, day)
  const within = (moment: ReturnType<typeof sql>) => sql`
    ${moment} >= ${`${day}T00:00:00Z`}::timestamptz and ${moment} < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`
  const { rows } = await sql<{ wrong: number }>`${eachTime}
    with play as (
      select * from plays
      where day between ${day} and ${day}::date + 2 and local_day is not null and ${within(sql`started_at`)}
    ),
    heard as materialized (${sumByHour(sql`play`)}),
    wrong as materialized (
      select client_id, null::uuid as group_uid, hour, content_type, sum(plays)::integer as plays,
        sum(played_ms)::bigint as played_ms
      from (
        select client_id, hour, content_type, plays, played_ms from heard
        union all
        select client_id, hour, content_type, -plays, -played_ms from play_hours where ${within(sql`hour`)}
      ) as both_sums
      group by 1, 2, 3, 4 having sum(plays) <> 0 or sum(played_ms) <> 0
    ),
    wrong_groups as materialized (
      select client_id, group_uid, hour, content_type, sum(plays)::integer as plays, sum(played_ms)::bigint as played_ms
      from (
        select * from heard where group_uid is not null
        union all
        select client_id, group_uid, hour, content_type, -plays, -played_ms from play_group_hours where ${within(sql`hour`)}
      ) as both_sums
      group by 1, 2, 3, 4 having sum(plays) <> 0 or sum(played_ms) <> 0
    ),
    hours as (${addHours(sql`wrong`)}),
    group_hours as (${addGroupHours(sql`wrong_groups`)})
    select (select count(*) from wrong) + (select count(*) from wrong_groups) as wrong`.execute(writes)
  const wrong = rows[0]?.wrong ?? 0
  if (wrong > 0) {
    await sql`delete from play_hours where ${within(sql`hour`)} and plays = 0`.execute(writes)
    await sql`delete from play_group_hours where ${within(sql`hour`)} and plays = 0`.execute(writes)
  }
  return wrong
}
