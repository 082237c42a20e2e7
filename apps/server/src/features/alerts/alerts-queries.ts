import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { EveryColumn } from '../../platform/database/every-column.ts'

export type AlertKind = OpenAlert['kind']

/** The target of an alert; both null: every device of the client. */
export interface AlertTarget {
  deviceUid: string | null
  groupUid: string | null
}

/** Locks the alerts of a client until the transaction ends. */
export async function lockAlerts(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${clientId}`}, 0))`.execute(writes)
}

/** The device or group of a uid, outside the bin. */
export async function findTarget(
  reads: Reads,
  uid: string,
): Promise<(AlertTarget & { name: string }) | undefined> {
  const { rows } = await sql<AlertTarget & { name: string }>`
    select uid as device_uid, null::uuid as group_uid, name from devices where uid = ${uid} and deleted_at is null
    union all
    select null, uid, name from groups where uid = ${uid} and deleted_at is null`.execute(reads)
  return rows[0]
}

/** The device or group of a uid, also in the recycle bin, or the purged target of an open alert. */
export async function findFormerTarget(
  reads: Reads,
  uid: string,
): Promise<(AlertTarget & { name: string }) | undefined> {
  const { rows } = await sql<AlertTarget & { name: string }>`
    select uid as device_uid, null::uuid as group_uid, name from devices where uid = ${uid}
    union all
    select null, uid, name from groups where uid = ${uid}
    union all
    select device_uid, group_uid, ${uid} from alerts
    where ended_at is null and ${uid}::uuid in (device_uid, group_uid)`.execute(reads)
  return rows[0]
}

export async function findOpenAlert(
  reads: Reads,
  kind: AlertKind,
  { deviceUid, groupUid }: AlertTarget,
): Promise<{ uid: string; isDrill: boolean; beganAt: string } | undefined> {
  const { rows } = await sql<{ uid: string; isDrill: boolean; beganAt: string }>`
    select uid, is_drill, began_at from alerts where kind = ${kind} and ended_at is null
      and device_uid is not distinct from ${deviceUid}::uuid
      and group_uid is not distinct from ${groupUid}::uuid`.execute(reads)
  return rows[0]
}

export interface NewAlert extends AlertTarget {
  uid: string
  clientId: string
  kind: AlertKind
  isDrill: boolean
  beganAt: Date
  beganBy: string
}

export async function insertAlert(writes: Writes, alert: NewAlert): Promise<void> {
  const { uid, clientId, kind, deviceUid, groupUid, isDrill, beganAt, beganBy } = alert
  const row = { uid, clientId, kind, deviceUid, groupUid, isDrill, beganAt, beganBy }
  await writes
    .insertInto('alerts')
    .values(row satisfies EveryColumn<NewAlert>)
    .execute()
}

export async function closeAlert(
  writes: Writes,
  uid: string,
  { endedAt, endedBy }: { endedAt: Date; endedBy: string },
): Promise<void> {
  await writes.updateTable('alerts').set({ endedAt, endedBy }).where('uid', '=', uid).execute()
}

/** The open alerts of the client, newest first. */
export async function listOpenAlerts(reads: Reads): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select a.uid, a.kind, a.is_drill, a.began_at, jsonb_build_object(
      'kind', case when a.device_uid is not null then 'device' when a.group_uid is not null then 'group' else 'all' end,
      'uid', coalesce(a.device_uid, a.group_uid), 'name', coalesce(d.name, g.name)) as target
    from alerts a left join devices d on d.uid = a.device_uid left join groups g on g.uid = a.group_uid
    where a.ended_at is null order by a.began_at desc, a.uid`.execute(reads)
  return rows
}
