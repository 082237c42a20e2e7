import { sql } from 'kysely'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'

/** A session that reports for its device. */
export interface ActiveSession {
  deviceUid: string
  clientId: string
  reporterUid: string
}

/** Makes sessions the active ones of their devices, of which each is named once. Rows are locked in the order of devices. */
export async function setActiveSessions(
  writes: IngestWrites,
  sessions: readonly ActiveSession[],
): Promise<void> {
  await sql`
    insert into device_states (device_uid, client_id, reporter_uid)
    select device_uid, client_id, reporter_uid
    from unnest(${sessions.map(({ deviceUid }) => deviceUid)}::uuid[], ${sessions.map(({ clientId }) => clientId)}::uuid[],
      ${sessions.map(({ reporterUid }) => reporterUid)}::uuid[]) as s(device_uid, client_id, reporter_uid)
    order by device_uid
    on conflict (device_uid) do update set reporter_uid = excluded.reporter_uid
  `.execute(writes)
}

/** The active sessions of devices, by device. A device that never had one is not in it. */
export async function readActiveSessions(
  reads: Reads,
  deviceUids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .select(['deviceUid', 'reporterUid'])
    .execute()
  return new Map(rows.flatMap(row => (row.reporterUid ? [[row.deviceUid, row.reporterUid] as const] : [])))
}

/** The identity of a device; undefined if it does not exist or is in the recycle bin. */
export async function readIdentity(
  { clientId, reads }: ClientScope,
  deviceUid: string,
): Promise<DeviceIdentity | undefined> {
  const row = await reads
    .selectFrom('devices')
    .where('uid', '=', deviceUid)
    .where('deletedAt', 'is', null)
    .select(['uid as deviceUid', 'kind', 'name', 'groupUid'])
    .executeTakeFirst()
  return row && { clientId, ...row }
}
