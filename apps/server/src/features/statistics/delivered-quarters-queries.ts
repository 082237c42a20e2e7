import { sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'
import { PLAN_EACH_TIME } from '../../platform/database/scoped-pool.ts'
import { daysAround, type PlayWrites } from '../archive/archive.ts'
import { addQuarters, QUARTER_KEY, QUARTER_SUMS, sumByQuarter, zonesOf } from './statistics-sql.ts'

const eachTime = sql.raw(PLAN_EACH_TIME)

/**
 * Gives the plays of a day (UTC) that a former version stored the day for which they were scheduled, where it is not that of their
 * start: by the midnights of the zone that their device has now. Few rows change.
 */
export async function saveScheduledDays(writes: Writes, day: string): Promise<void> {
  const scheduled = sql`(p.scheduled_at at time zone zone.zone)::date`
  const started = sql`(p.started_at at time zone zone.zone)::date`
  await sql`${eachTime}
    with zone as materialized (${zonesOf(sql`(
      select distinct p.client_id, p.device_uid, d.group_uid
      from plays p left join devices d on d.uid = p.device_uid where p.day = ${day})`)})
    update plays p set scheduled_day = p.local_day + (${scheduled} - ${started})
    from zone
    where p.day = ${day} and p.device_uid = zone.device_uid and p.local_day is not null and p.scheduled_day is null
      and not p.is_clock_doubted and ${scheduled} <> ${started}`.execute(writes)
}

/**
 * Corrects the delivered plays by quarter hours of a day (UTC) of schedules. One statement compares plays and roll-up in one state
 * of the database and adds the differences, so plays that are stored meanwhile are neither lost nor counted twice.
 * @returns how many rows were wrong
 */
export async function correctQuarters(writes: PlayWrites, day: string): Promise<number> {
  await writes.showPlays(daysAround({ from: day, to: day }, 1))
  const begin = sql`(${day}::date::timestamp at time zone 'UTC')`
  const ofDay = (moment: ReturnType<typeof sql>) =>
    sql`${moment} >= ${begin} and ${moment} < ${begin} + interval '24 hours'`
  const { rows } = await sql<{ wrong: number }>`${eachTime}
    with play as (
      select * from plays
      where day between ${day}::date - 1 and ${day}::date + 1 and local_day is not null and ${ofDay(sql`scheduled_at`)}),
    both_sums as (
      select true as is_true, ${QUARTER_KEY}, ${QUARTER_SUMS} from (${sumByQuarter(sql`play`)}) as truth
      union all
      select false, ${QUARTER_KEY}, -plays, first_at, last_at from delivered_quarters where ${ofDay(sql`quarter`)}
    ),
    wrong as materialized (
      select * from (
        select ${QUARTER_KEY}, sum(plays)::integer as plays, bool_and(is_true) as is_missing,
          min(first_at) filter (where is_true) as first_at, max(last_at) filter (where is_true) as last_at,
          min(first_at) filter (where not is_true) as former_first_at,
          max(last_at) filter (where not is_true) as former_last_at
        from both_sums group by ${QUARTER_KEY}) as compared
      where is_missing or plays <> 0 or first_at is distinct from former_first_at
        or last_at is distinct from former_last_at
    ),
    changed as (
      update delivered_quarters q set plays = q.plays + w.plays,
        first_at = case when q.first_at = w.former_first_at then coalesce(w.first_at, q.first_at)
          else least(q.first_at, w.first_at) end,
        last_at = case when q.last_at = w.former_last_at then coalesce(w.last_at, q.last_at)
          else greatest(q.last_at, w.last_at) end
      from wrong w
      where not w.is_missing and q.client_id = w.client_id and q.quarter = w.quarter
        and q.publication_uid = w.publication_uid and q.media_uid = w.media_uid and q.scheduled_day = w.scheduled_day
    ),
    missing as (select * from wrong where is_missing),
    added as (${addQuarters(sql`missing`)})
    select count(*) as wrong from wrong`.execute(writes)
  const wrong = rows[0]?.wrong ?? 0
  if (wrong > 0)
    await sql`delete from delivered_quarters where ${ofDay(sql`quarter`)} and plays = 0`.execute(writes)
  return wrong
}

/** Deletes at most `max` rows of the schedules before a day (UTC), the oldest first. @returns how many */
export async function deleteQuarters(writes: Writes, before: string, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivered_quarters where (${QUARTER_KEY}) in (
      select ${QUARTER_KEY} from delivered_quarters
      where quarter < ${before}::date::timestamp at time zone 'UTC' order by quarter limit ${max})`.execute(
    writes,
  )
  return Number(numAffectedRows ?? 0n)
}
