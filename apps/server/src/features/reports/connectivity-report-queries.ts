import { sql } from 'kysely'
import { connectivityIntervals } from '../devices/devices-sql.ts'
import { reportDevices } from './report-devices-sql.ts'
import type { MakeReport, ReportRequest } from './report.ts'

/**
 * The devices of a report that existed in its period, as a table for `from`: from `began_at`, when they were added, to
 * `end_at`, when they were deleted, or now. Their order is
 * the report's: one device after the other is read, and the first rows come at once.
 */
const devicesIn = (request: ReportRequest) => sql`(
  select d.*, s.last_contact_at,
    greatest(d.from_at, d.created_at) as began_at, least(d.until_at, ${request.now}::timestamptz, coalesce(d.deleted_at, 'infinity')) as end_at
  from ${reportDevices(request)} d left join device_states s on s.device_uid = d.uid
  where d.created_at < d.until_at and coalesce(d.deleted_at, 'infinity') > d.from_at
  order by d.sort_name, d.uid)`

const intervals = connectivityIntervals({
  deviceUid: sql`device.uid`,
  lastContactAt: sql`device.last_contact_at`,
  from: sql`device.began_at`,
  until: sql`device.end_at`,
})

const seconds = sql`extract(epoch from i.until_at - i.from_at)::float8`

const inMode = ({ filters: { mode, uid } }: ReportRequest) =>
  mode === 'all' || uid === 'all'
    ? sql`true`
    : sql`${mode === 'group' ? sql`device.group_uid` : sql`device.uid`} = ${uid}::uuid`

/** One row for each interval. */
export const statetx: MakeReport = (_reads, request) => ({
  rows: sql`
    select device.uid as "deviceUid", device.name as "device", device.store_number as "storeNumber",
      device.group_name as "group", i.state as "state", i.from_at as "from", i.until_at as "to", ${seconds} as "length",
      device.zone as "zone"
    from ${devicesIn(request)} device cross join lateral ${intervals} i
    where ${inMode(request)}`,
  order: sql`"device", "deviceUid", "from"`,
})

const minutesIn = (state: string) => sql`coalesce(sum(${seconds}) filter (where i.state = ${state}), 0) / 60`

/** One row for each device. Availability is of the time since its first contact. */
export const s2ext: MakeReport = (_reads, request) => ({
  rows: sql`
    select device.uid as "deviceUid", device.name as "device", device.store_number as "storeNumber",
      device.group_name as "group", m.*,
      100 * m."onlineMinutes" / nullif(m."onlineMinutes" + m."linkdownMinutes" + m."linklostMinutes", 0) as "availability"
    from ${devicesIn(request)} device
    cross join lateral (
      select ${minutesIn('online')} as "onlineMinutes", ${minutesIn('linkdown')} as "linkdownMinutes",
        ${minutesIn('linklost')} as "linklostMinutes", ${minutesIn('neverup')} as "neverupMinutes"
      from ${intervals} i) m`,
  order: sql`"device", "deviceUid"`,
  notes: [{ code: 'sinceFirstContact' }],
})
