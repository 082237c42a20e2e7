import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import type { AlertFilter, AlertRow, OpenAlert } from '@floorcast/contract/alerts.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { ANSWER_LATER } from '../../platform/database/scoped-pool.ts'
import { deviceCount } from '../../platform/database/large-list.ts'
import { type ListColumns, type ListPage, readPage, readRows } from '../../platform/database/list.ts'

/** The target of an alert; both null: every device of the client. */
export interface AlertTarget {
  deviceUid: string | null
  groupUid: string | null
}

const later = sql.raw(ANSWER_LATER)

/** Locks the alerts of a client until the transaction ends. */
export async function lockAlerts(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${clientId}`}, 0)) ${later}`.execute(
    writes,
  )
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

/**
 * In SQL: how many devices an alert is for that begins now. Neither all devices nor those of a group are read one by one: the
 * siren waits for this.
 */
const countDevices = ({ deviceUid, groupUid }: AlertTarget): RawBuilder<number> => {
  if (deviceUid !== null) return sql<number>`1`
  if (groupUid === null) return deviceCount
  return sql<number>`(select count(*)::int from devices where group_uid = ${groupUid} and deleted_at is null)`
}

export async function insertAlert(writes: Writes, alert: NewAlert): Promise<void> {
  const { uid, clientId, kind, deviceUid, groupUid, isDrill, beganAt, beganBy } = alert
  const deviceCount = countDevices(alert)
  const row = { uid, clientId, kind, deviceUid, groupUid, isDrill, beganAt, beganBy, deviceCount }
  await writes
    .insertInto('alerts')
    .values(row satisfies NewAlert)
    .modifyEnd(later)
    .execute()
}

export async function closeAlert(
  writes: Writes,
  uid: string,
  { endedAt, endedBy }: { endedAt: Date; endedBy: string },
): Promise<void> {
  await writes
    .updateTable('alerts')
    .set({ endedAt, endedBy })
    .where('uid', '=', uid)
    .modifyEnd(later)
    .execute()
}

const targetOf = sql<OpenAlert['target']>`jsonb_build_object(
  'kind', case when a.device_uid is not null then 'device' when a.group_uid is not null then 'group' else 'all' end,
  'uid', coalesce(a.device_uid, a.group_uid), 'name', coalesce(d.name, g.name))`

const fromAlerts = sql`
  from alerts a left join devices d on d.uid = a.device_uid left join groups g on g.uid = a.group_uid`

/** The open alerts of the client as devices hear of them, newest first. */
export async function readOpenAlerts(reads: Reads): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select a.uid, a.kind, a.is_drill, a.began_at, ${targetOf} as target ${fromAlerts}
    where a.ended_at is null order by a.began_at desc, a.uid`.execute(reads)
  return rows
}

/** The audit keeps the names of users and targets that are no longer there. */
const audited = (column: 'user_name' | 'thing_name', action: 'begin' | 'end') => sql`(
  select ${sql.ref(`e.${column}`)} from audit_entries e
  where e.client_id = a.client_id and e.thing_uid = a.uid and e.action = ${action} order by e.at limit 1)`

const userOf = (column: 'began_by' | 'ended_by', action: 'begin' | 'end') => sql<string | null>`
  coalesce((select u.email from users u where u.uid = ${sql.ref(`a.${column}`)}), ${audited('user_name', action)})`

const targetName = sql`case when a.device_uid is not null or a.group_uid is not null
  then coalesce(d.name, g.name, ${audited('thing_name', 'begin')}) end`

const alertColumns = {
  uid: { select: sql<string>`a.uid` },
  kind: { select: sql<AlertKind>`a.kind`, sort: true },
  isDrill: { select: sql<boolean>`a.is_drill` },
  beganAt: { select: sql<string>`a.began_at`, sort: true },
  beganBy: { select: userOf('began_by', 'begin'), search: true },
  endedAt: { select: sql<string | null>`a.ended_at`, sort: true },
  endedBy: { select: userOf('ended_by', 'end'), search: true },
  target: {
    select: sql<OpenAlert['target']>`${targetOf} || jsonb_build_object('name', ${targetName})`,
    search: [targetName],
  },
  deviceCount: { select: sql<number | null>`a.device_count` },
  soundedCount: {
    select: sql<number>`(select coalesce(sum(c.sounded), 0)::int from alert_counts c
      where c.client_id = a.client_id and c.alert_uid = a.uid)`,
  },
} satisfies ListColumns

const inPurpose = { alert: sql`not a.is_drill`, drill: sql`a.is_drill` }
const inState = { open: sql`a.ended_at is null`, ended: sql`a.ended_at is not null` }

/** A page of the client's alerts. */
export const listAlertRows = (
  reads: Reads,
  { kind, purpose, state, ...list }: z.output<typeof AlertFilter>,
): Promise<ListPage<AlertRow>> => {
  const parts = [
    sql`true`,
    ...(kind ? [sql`a.kind = ${kind}`] : []),
    ...(purpose ? [inPurpose[purpose]] : []),
    ...(state ? [inState[state]] : []),
  ]
  return readPage(reads, list, {
    columns: alertColumns,
    from: fromAlerts,
    where: sql.join(parts, sql` and `),
    newest: sql`a.began_at`,
  })
}

/** The open alerts of the client as users see them, newest first. */
export const listOpenRows = (reads: Reads): Promise<AlertRow[]> =>
  readRows(reads, alertColumns, sql`${fromAlerts} where a.ended_at is null order by a.began_at desc, a.uid`)

const storedColumns = {
  ...alertColumns,
  deviceUid: { select: sql<string | null>`a.device_uid` },
  groupUid: { select: sql<string | null>`a.group_uid` },
} satisfies ListColumns

export type StoredAlert = AlertRow & AlertTarget

export async function findAlert(reads: Reads, uid: string): Promise<StoredAlert | undefined> {
  const [row] = await readRows(reads, storedColumns, sql`${fromAlerts} where a.uid = ${uid}`)
  return row
}
