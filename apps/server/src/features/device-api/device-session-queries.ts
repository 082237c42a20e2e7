import { sql } from 'kysely'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'

/** A session that reports for its device. */
export interface ActiveSession {
  deviceUid: string
  clientId: string
  reporterUid: string
  /** The start of the player's program; null if it does not say. */
  runUid: string | null
}

/** Makes sessions the active ones of their devices, of which each is named once. Rows are locked in the order of devices. */
export async function setActiveSessions(
  writes: IngestWrites,
  sessions: readonly ActiveSession[],
): Promise<void> {
  await sql`
    insert into device_states (device_uid, client_id, reporter_uid, reporter_run_uid)
    select device_uid, client_id, reporter_uid, reporter_run_uid
    from unnest(${sessions.map(({ deviceUid }) => deviceUid)}::uuid[], ${sessions.map(({ clientId }) => clientId)}::uuid[],
      ${sessions.map(({ reporterUid }) => reporterUid)}::uuid[], ${sessions.map(({ runUid }) => runUid)}::uuid[])
      as s(device_uid, client_id, reporter_uid, reporter_run_uid)
    order by device_uid
    on conflict (device_uid) do update
      set reporter_uid = excluded.reporter_uid, reporter_run_uid = excluded.reporter_run_uid
  `.execute(writes)
}

/** What a device's channel depends on. */
export interface SessionState {
  groupUid: string | null
  /** The active session; null before the first one. */
  reporterUid: string | null
  /** The start of the player's program that has the active session. */
  reporterRunUid: string | null
  /** False after a reset of its key. */
  hasToken: boolean
}

/** The state of sessions, by device. A device in the recycle bin is not in it. */
export async function readSessionStates(
  reads: Reads,
  deviceUids: readonly string[],
): Promise<Map<string, SessionState>> {
  const rows = await reads
    .selectFrom('devices as d')
    .leftJoin('deviceStates as s', 's.deviceUid', 'd.uid')
    .where('d.uid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .where('d.deletedAt', 'is', null)
    .select(['d.uid', 'd.groupUid', 's.reporterUid', 's.reporterRunUid'])
    .select(sql<boolean>`d.token_hash is not null`.as('hasToken'))
    .execute()
  return new Map(rows.map(({ uid, ...state }) => [uid, state]))
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
