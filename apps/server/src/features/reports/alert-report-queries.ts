import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { sql } from 'kysely'
import { fallbackZone, reportDevices } from './report-devices-sql.ts'
import type { MakeReport, ReportRequest } from './report.ts'

/** The client's own zone. */
const clientZone = sql`
  zone_or_utc((select t.value from tags t where t.key = 'timeZone' and t.device_uid is null and t.group_uid is null))`

/** All alerts with their zones: a device's, else the client's. One join makes the zones of all devices once. */
const alertsWithZones = (request: ReportRequest) =>
  request.zone === DEVICE_ZONES
    ? sql`(select a.*, coalesce(device.zone, ${clientZone}) as zone
        from alerts a left join ${reportDevices(request)} device on device.uid = a.device_uid)`
    : sql`(select a.*, ${request.zone}::text as zone from alerts a)`

/** The alerts that began in the period, as a table for `from`. */
const alertsIn = (request: ReportRequest) => sql`(
  select * from ${alertsWithZones(request)} z
  where (z.began_at at time zone z.zone)::date between ${request.from}::date and ${request.to}::date)`

const purpose = sql`case when a.is_drill then 'drill' else 'alert' end`

/** The audit keeps the names of users and targets that are no longer there. */
const audited = (column: 'user_name' | 'thing_name', action: 'begin' | 'end') => sql`(
  select ${sql.ref(`e.${column}`)} from audit_entries e
  where e.client_id = a.client_id and e.thing_uid = a.uid and e.action = ${action} order by e.at limit 1)`

const userName = (uid: 'began_by' | 'ended_by') =>
  sql`(select u.email from users u where u.uid = ${sql.ref(`a.${uid}`)})`

/** One row for each alert. */
export const alert1: MakeReport = (_reads, request) => ({
  rows: sql`
    select a.uid as "alertUid", a.kind as "alertKind", ${purpose} as "purpose",
      case when a.device_uid is not null then 'device' when a.group_uid is not null then 'group' else 'all' end
        as "targetKind",
      case when a.device_uid is not null or a.group_uid is not null
        then coalesce(d.name, g.name, ${audited('thing_name', 'begin')}) end as "target",
      a.began_at as "beganAt", coalesce(${audited('user_name', 'begin')}, ${userName('began_by')}) as "beganBy",
      a.ended_at as "endedAt", coalesce(${audited('user_name', 'end')}, ${userName('ended_by')}) as "endedBy",
      a.zone as "zone"
    from ${alertsIn(request)} a
    left join devices d on d.uid = a.device_uid left join groups g on g.uid = a.group_uid`,
  order: sql`"beganAt", "alertUid"`,
})

/** The devices `d` that an alert `a` was for: a member of its group now that did not join after the alert. */
const wasFor = (now: Date) => sql`
  d.created_at <= coalesce(a.ended_at, ${now}::timestamptz) and coalesce(d.deleted_at, 'infinity') > a.began_at
  and case when a.device_uid is not null then d.uid = a.device_uid
    when a.group_uid is not null then d.group_uid = a.group_uid and not exists (
      select from audit_entries e where e.client_id = d.client_id and e.thing_uid = d.uid and e.action = 'join-group'
        and e.at > coalesce(a.ended_at, ${now}::timestamptz) and e.changes #>> '{groupUid,1}' = a.group_uid::text)
    else true end`

/** One row for each alert and device: those that reported it, and those that it was for and that did not. */
export const alert2: MakeReport = (_reads, request) => ({
  rows: sql`
    select a.uid as "alertUid", t.device_uid as "deviceUid", a.kind as "alertKind", ${purpose} as "purpose",
      a.began_at as "beganAt", device.name as "device", device.store_number as "storeNumber",
      device.group_name as "group", t.received_at as "receivedAt", t.started_at as "startedAt", t.ended_at as "endedAt",
      extract(epoch from t.started_at - a.began_at)::float8 as "secondsToStart",
      coalesce(device.zone, ${fallbackZone(request)}) as "zone"
    from ${alertsIn(request)} a
    cross join lateral (
      select r.device_uid, r.received_at, r.started_at, r.ended_at from alert_receipts r where r.alert_uid = a.uid
      union all
      select d.uid, null, null, null from devices d
      where ${wasFor(request.now)}
        and not exists (select from alert_receipts r where r.alert_uid = a.uid and r.device_uid = d.uid)
    ) t
    left join ${reportDevices(request)} device on device.uid = t.device_uid`,
  order: sql`"beganAt", "alertUid", "device", "deviceUid"`,
  notes: [{ code: 'membersNow' }],
})

/** One row for each kind, alerts apart from drills, and month. */
export const alert3: MakeReport = (_reads, request) => ({
  rows: sql`
    select a.kind as "alertKind", ${purpose} as "purpose", to_char(a.began_at at time zone a.zone, 'YYYY-MM') as "month",
      count(distinct a.uid) as "alerts", count(distinct r.device_uid) as "devices",
      percentile_cont(0.5) within group (order by extract(epoch from r.started_at - a.began_at)::float8) as "medianSeconds",
      max(extract(epoch from r.started_at - a.began_at)::float8) as "longestSeconds"
    from ${alertsIn(request)} a
    left join alert_receipts r on r.alert_uid = a.uid and r.started_at is not null
    group by 1, 2, 3`,
  order: sql`"month", "alertKind", "purpose"`,
})
