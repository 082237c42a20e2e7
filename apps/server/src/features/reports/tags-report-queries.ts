import { sql } from 'kysely'
import { reportDevices } from './report-devices-sql.ts'
import type { MakeReport } from './report.ts'

/** PostgreSQL selects at most 1,664 columns. */
const MAX_KEYS = 1000

/** The place of a tag's level in the device's policy; the first one wins. */
const precedence = sql`
  case device.policy
    when 'group' then case when t.group_uid is not null then 1 when t.device_uid is not null then 2 else 3 end
    when 'client' then case when t.device_uid is not null then 3 when t.group_uid is not null then 2 else 1 end
    else case when t.device_uid is not null then 1 when t.group_uid is not null then 2 else 3 end
  end`

/** One row for each device that existed in the period, with its effective tags as they are now. */
export const tags: MakeReport = async (reads, request) => {
  const { rows: keys } = await sql<{ key: string }>`
    select distinct key from tags order by key limit ${MAX_KEYS}`.execute(reads)
  return {
    rows: sql`
      select device.name as "device", device.store_number as "storeNumber", device.group_name as "group",
        coalesce(effective.tags, '{}') as "tags"
      from ${reportDevices(request)} device
      left join lateral (
        select jsonb_object_agg(key, value) as tags from (
          select distinct on (t.key) t.key, t.value from tags t
          where t.device_uid = device.uid or t.group_uid = device.group_uid
            or (t.device_uid is null and t.group_uid is null)
          order by t.key, ${precedence}) t) effective on true
      where device.created_at < device.until_at and (device.deleted_at is null or device.deleted_at >= device.from_at)`,
    order: sql`"device", "storeNumber"`,
    notes: [{ code: 'currentTags' }],
    tagKeys: keys.map(({ key }) => key),
  }
}
