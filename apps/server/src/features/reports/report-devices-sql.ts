import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { sql } from 'kysely'
import { zoneOfEach } from '../tags/tags-sql.ts'
import type { ReportRequest } from './report.ts'

type Period = Pick<ReportRequest, 'from' | 'to' | 'zone'>

/**
 * In SQL: the client's devices, also those in the bin, as a table for `from`: uid, name, sort_name, store_number, group_uid,
 * group_name, deleted_at, created_at, policy, zone, and from_at and until_at, the bounds of the report's period in that zone.
 */
export const reportDevices = ({ from, to, zone: chosen }: Period) => {
  const { joins, zone } = chosen === DEVICE_ZONES ? zoneOfEach : { joins: sql``, zone: sql`${chosen}::text` }
  return sql`(
  select z.*, ${from}::timestamp at time zone z.zone as from_at,
    (${to}::date + 1)::timestamp at time zone z.zone as until_at
  from (
    select d.uid, d.name, d.sort_name, d.store_number, d.group_uid, g.name as group_name, d.deleted_at, d.created_at,
      coalesce(d.tag_policy, c.tag_policy) as policy, ${zone} as zone
    from devices d join clients c on c.uid = d.client_id left join groups g on g.uid = d.group_uid ${joins} offset 0
  ) z)`
}

/** In SQL: the zone where a row has no device any more. */
export const fallbackZone = ({ zone }: Period) => (zone === DEVICE_ZONES ? 'UTC' : zone)
