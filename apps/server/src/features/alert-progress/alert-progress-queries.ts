import {
  type AlertCard,
  type AlertDevice,
  type AlertDeviceFilter,
  AlertDeviceState,
} from '@floorcast/contract/alert-devices.ts'
import type { AlertReach } from '@floorcast/contract/alerts.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Reads } from '../../platform/database/client-scope.ts'
import { type ListColumns, type ListPage, readPage, referenceTo } from '../../platform/database/list.ts'
import type { AlertTarget, StoredAlert } from '../alerts/alerts.ts'
import { activityAt, connectivityAt } from '../devices/devices-sql.ts'

/** In SQL: the device `d` is one that an alert for this target would reach now. */
const isTarget = ({ deviceUid, groupUid }: AlertTarget): RawBuilder<unknown> => {
  if (deviceUid !== null) return sql`d.uid = ${deviceUid} and d.deleted_at is null`
  if (groupUid !== null) return sql`d.group_uid = ${groupUid} and d.deleted_at is null`
  return sql`d.deleted_at is null`
}

/**
 * In SQL: the devices `d` that an alert is for; of an alert that has ended, those that it was for: members of its group now
 * that did not join it afterwards.
 */
function isFor(alert: StoredAlert): RawBuilder<unknown> {
  const { deviceUid, groupUid, beganAt, endedAt } = alert
  if (endedAt === null) return isTarget(alert)
  const wasThere = sql`d.created_at <= ${endedAt}::timestamptz
    and coalesce(d.deleted_at, 'infinity') > ${beganAt}::timestamptz`
  if (deviceUid !== null) return sql`d.uid = ${deviceUid} and ${wasThere}`
  if (groupUid === null) return wasThere
  return sql`d.group_uid = ${groupUid} and ${wasThere} and not exists (
    select from audit_entries e where e.client_id = d.client_id and e.thing_uid = d.uid and e.action = 'join-group'
      and e.at > ${endedAt}::timestamptz and e.changes #>> '{groupUid,1}' = ${groupUid}::text)`
}

/** In SQL: the devices `d` that an alert is for and that have reported nothing on it. */
const fromUnreached = (alert: StoredAlert) => sql`
  from devices d
  where not exists (select from alert_receipts r where r.alert_uid = ${alert.uid} and r.device_uid = d.uid)
    and ${isFor(alert)}`

/** The devices of an alert by what they have done with it. */
export async function countAlertDevices(reads: Reads, alert: StoredAlert): Promise<AlertCard['devices']> {
  const { rows } = await sql<Omit<AlertCard['devices'], 'not-reached'> & { unreached: number }>`
    select coalesce(sum(c.failed), 0)::int as failed, coalesce(sum(c.received), 0)::int as received,
      coalesce(sum(c.sounding), 0)::int as sounding, coalesce(sum(c.ended), 0)::int as ended,
      (select count(*)::int ${fromUnreached(alert)}) as unreached
    from alert_counts c where c.alert_uid = ${alert.uid}`.execute(reads)
  const none = { failed: 0, received: 0, sounding: 0, ended: 0, unreached: 0 }
  const { unreached, ...reported } = rows[0] ?? none
  return { ...reported, 'not-reached': unreached }
}

const deviceColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`t.device_uid` },
    name: { select: sql<string | null>`d.name`, sort: sql`d.sort_name`, search: true },
    storeNumber: {
      select: sql<string>`coalesce(d.store_number, '')`,
      sort: sql`d.sort_store_number`,
      search: true,
    },
    // Subqueries: PostgreSQL evaluates them for the rows of the page alone, and would join all devices.
    group: {
      select: sql<Reference | null>`(select ${referenceTo('g')} from groups g where g.uid = d.group_uid)`,
      sort: sql`(select g.sort_name from groups g where g.uid = d.group_uid)`,
    },
    state: {
      select: sql<AlertDeviceState>`t.state`,
      sort: sql`array_position(${AlertDeviceState.options}::text[], t.state)`,
    },
    receivedAt: { select: sql<string | null>`t.received_at`, sort: true },
    startedAt: { select: sql<string | null>`t.started_at`, sort: true },
    endedAt: { select: sql<string | null>`t.ended_at`, sort: true },
    failure: { select: sql<string | null>`t.failure` },
    connectivity: {
      select: sql<Connectivity>`coalesce(
        (select ${connectivityAt(now)} from device_states s where s.device_uid = t.device_uid), 'neverup')`,
    },
    lastContactAt: {
      select: sql<
        string | null
      >`(select s.last_contact_at from device_states s where s.device_uid = t.device_uid)`,
    },
  }) satisfies ListColumns

/** A page of the devices of an alert. */
export function listAlertDevices(
  reads: Reads,
  alert: StoredAlert,
  { state, now, ...list }: z.output<typeof AlertDeviceFilter> & { now: Date },
): Promise<ListPage<AlertDevice>> {
  const from = sql`
    from (
      select r.device_uid, r.state, r.received_at, r.started_at, r.ended_at, r.failure
      from alert_receipts r where r.alert_uid = ${alert.uid}
      union all
      select d.uid, 'not-reached', null, null, null, null ${fromUnreached(alert)}
    ) t
    left join devices d on d.uid = t.device_uid`
  return readPage(
    reads,
    { ...list, sort: list.sort ?? 'state' },
    {
      columns: deviceColumns(now),
      from,
      where: state ? sql`t.state = ${state}` : sql`true`,
      newest: sql`t.started_at`,
      thenBy: sql`d.sort_name`,
      readTotal: async () => {
        const counts = await countAlertDevices(reads, alert)
        return state ? counts[state] : AlertDeviceState.options.reduce((sum, each) => sum + counts[each], 0)
      },
    },
  )
}

export async function countReach(
  reads: Reads,
  target: AlertTarget,
  now: Date,
): Promise<Pick<AlertReach, 'deviceCount' | 'reachableCount'>> {
  const { rows } = await sql<Pick<AlertReach, 'deviceCount' | 'reachableCount'>>`
    select count(*)::int as device_count, (count(*) filter (
      where ${activityAt(now)} <> 'late' and s.channel_lost_at is null))::int as reachable_count
    from devices d left join device_states s on s.device_uid = d.uid where ${isTarget(target)}`.execute(reads)
  return rows[0] ?? { deviceCount: 0, reachableCount: 0 }
}
