import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { zoneOfEach } from '../tags/tags-sql.ts'
import type { ReportRequest } from './report.ts'

type Period = Pick<ReportRequest, 'from' | 'to' | 'zone' | 'lastDays' | 'now'>

export type LastDays = Pick<ReportRequest, 'from' | 'to' | 'zone' | 'lastDays'>

const DAY_MS = 86_400_000
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** In SQL: the present day in a zone. */
const dayIn = (now: Date, zone: RawBuilder<unknown>) =>
  sql`(${now.toISOString()}::timestamptz at time zone ${zone})::date`

/** In SQL: the first and the last day of the report for a device, whose zone is an expression; null is UTC. */
function daysIn({ from, to, lastDays, now }: Period, zone: RawBuilder<unknown>) {
  if (lastDays === undefined) return { first: sql`${from}::date`, last: sql`${to}::date` }
  const last = dayIn(now, sql`coalesce(${zone}, 'UTC')`)
  return { first: sql`${last} - ${lastDays - 1}::integer`, last }
}

/** In SQL: whether the report has the local day `d.local_day` of a device, whose zone is an expression; null is UTC. */
export function hasLocalDay(period: Period, zone: RawBuilder<unknown>) {
  const { first, last } = daysIn(period, zone)
  const isInPeriod = sql`d.local_day between ${period.from}::date and ${period.to}::date`
  return period.lastDays === undefined
    ? isInPeriod
    : sql`${isInPeriod} and d.local_day between ${first} and ${last}`
}

/**
 * In SQL: the client's devices, also those in the bin, as a table for `from`: uid, name, sort_name, store_number, group_uid,
 * group_name, deleted_at, created_at, policy, zone, and from_at and until_at, the bounds of the report's period in that zone.
 */
export const reportDevices = (period: Period) => {
  const { zone: chosen } = period
  const { joins, zone } = chosen === DEVICE_ZONES ? zoneOfEach : { joins: sql``, zone: sql`${chosen}::text` }
  const { first, last } = daysIn(period, sql`z.zone`)
  return sql`(
  select z.*, (${first})::timestamp at time zone z.zone as from_at,
    (${last} + 1)::timestamp at time zone z.zone as until_at
  from (
    select d.uid, d.name, d.sort_name, d.store_number, d.group_uid, g.name as group_name, d.deleted_at, d.created_at,
      coalesce(d.tag_policy, c.tag_policy) as policy, ${zone} as zone
    from devices d join clients c on c.uid = d.client_id left join groups g on g.uid = d.group_uid ${joins} offset 0
  ) z)`
}

/** The last days up to each device's own present one: the period around those of all devices. */
export async function lastDaysOfEach(reads: Reads, count: number, now: Date): Promise<LastDays> {
  const { rows } = await sql<{ earliest: string | null; latest: string | null }>`
    select min(day)::text as earliest, max(day)::text as latest from (
      select ${dayIn(now, zoneOfEach.zone)} as day
      from devices d join clients c on c.uid = d.client_id ${zoneOfEach.joins}) each`.execute(reads)
  const [earliest, latest] = [rows[0]?.earliest ?? dayOf(now), rows[0]?.latest ?? dayOf(now)]
  const from = dayOf(new Date(Date.parse(earliest) - (count - 1) * DAY_MS))
  return { from, to: latest, zone: DEVICE_ZONES, ...(earliest === latest ? {} : { lastDays: count }) }
}

/** In SQL: the zone where a row has no device any more. */
export const fallbackZone = ({ zone }: Period) => (zone === DEVICE_ZONES ? 'UTC' : zone)
