import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

export interface WaitingMessage {
  uid: string
  deviceUid: string
  /** `alert` and `command` are reserved: no server posts them yet. */
  type: 'manifest' | 'alert' | 'command'
  body: Record<string, unknown>
}

/** The messages that devices have not acknowledged, each device's in order. */
export async function listWaiting(reads: Reads, deviceUids: readonly string[]): Promise<WaitingMessage[]> {
  return reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .where('acknowledgedAt', 'is', null)
    .select(['uid', 'deviceUid', 'type', 'body'])
    .orderBy('deviceUid')
    .orderBy('position')
    .execute()
}

/** Marks messages as acknowledged; a device's word counts for its own messages only. */
export async function acknowledge(
  writes: Writes,
  acks: readonly { deviceUid: string; messageUid: string }[],
  at: Date,
): Promise<void> {
  const rows = JSON.stringify(acks)
  await sql`
    update device_outbox o set acknowledged_at = ${at}
    from (select * from jsonb_to_recordset(${rows}::jsonb) as x("deviceUid" uuid, "messageUid" uuid)) as ack
    where o.uid = ack."messageUid" and o.device_uid = ack."deviceUid" and o.acknowledged_at is null
  `.execute(writes)
}
