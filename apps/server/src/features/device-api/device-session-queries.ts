import { sql } from 'kysely'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'

/** Makes a session the one that reports for its device. */
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

/** The session that reports for a device; null when none ever did. */
export async function readActiveSession(reads: Reads, deviceUid: string): Promise<string | null> {
  const row = await reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', deviceUid)
    .select('reporterUid')
    .executeTakeFirst()
  return row?.reporterUid ?? null
}

/** A device as its own token would say it; undefined when there is none, or it lies in the recycle bin. */
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
