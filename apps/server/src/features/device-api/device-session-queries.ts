import { sql } from 'kysely'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'

/** Makes a session the active one of its device. */
export async function setActiveSession(
  writes: IngestWrites,
  session: { deviceUid: string; clientId: string; reporterUid: string },
): Promise<void> {
  await sql`
    insert into device_states (device_uid, client_id, reporter_uid)
    values (${session.deviceUid}, ${session.clientId}, ${session.reporterUid})
    on conflict (device_uid) do update set reporter_uid = excluded.reporter_uid
  `.execute(writes)
}

/** The active session of a device; null if it never had one. */
export async function readActiveSession(reads: Reads, deviceUid: string): Promise<string | null> {
  const row = await reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', deviceUid)
    .select('reporterUid')
    .executeTakeFirst()
  return row?.reporterUid ?? null
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
