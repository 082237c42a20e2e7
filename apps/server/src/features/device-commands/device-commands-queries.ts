import type {
  CommandKind,
  CommandOutcome,
  CommandState,
  DeviceFileType,
} from '@floorcast/contract/device-commands.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { insertMany } from '../../platform/database/insert-many.ts'

/** A command in a device's outbox that the device has not acknowledged. */
export interface WaitingCommand {
  uid: string
  deviceUid: string
  body: Record<string, unknown>
  isSent: boolean
}

export interface NewCommand {
  uid: string
  clientId: string
  deviceUid: string
  command: CommandKind
  value: number | null
  askedBy: string
  createdAt: Date
  expiresAt: Date
}

/** The commands of these devices that wait and have not expired, in the order of each outbox. */
export async function listWaiting(
  reads: Reads,
  deviceUids: readonly string[],
  now: Date,
): Promise<WaitingCommand[]> {
  return reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .where('acknowledgedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .select(['uid', 'deviceUid', 'body'])
    .select(sql<boolean>`sent_at is not null`.as('isSent'))
    .orderBy('deviceUid')
    .orderBy('position')
    .execute()
}

/** @returns the devices of those that were not sent before */
export async function markSent(writes: Writes, uids: readonly string[], at: Date): Promise<string[]> {
  const rows = await writes
    .updateTable('deviceOutbox')
    .set({ sentAt: at })
    .where('uid', '=', sql<string>`any(${uids}::uuid[])`)
    .where('sentAt', 'is', null)
    .returning('deviceUid')
    .execute()
  return rows.map(({ deviceUid }) => deviceUid)
}

/** A device's word on a command. */
export interface CommandAck {
  deviceUid: string
  messageUid: string
  outcome: CommandOutcome
  why: string | null
}

/** Marks messages as acknowledged. A device can only acknowledge its own messages, each once. @returns the devices */
export async function acknowledge(writes: Writes, acks: readonly CommandAck[], at: Date): Promise<string[]> {
  const rows = JSON.stringify(acks)
  const { rows: done } = await sql<{ deviceUid: string }>`
    update device_outbox o
    set acknowledged_at = ${at}, sent_at = coalesce(o.sent_at, ${at}), outcome = ack.outcome, why = ack.why
    from (select * from jsonb_to_recordset(${rows}::jsonb)
      as x("deviceUid" uuid, "messageUid" uuid, outcome text, why text)) as ack
    where o.uid = ack."messageUid" and o.device_uid = ack."deviceUid" and o.acknowledged_at is null
    returning o.device_uid`.execute(writes)
  return done.map(({ deviceUid }) => deviceUid)
}

/** The commands that wait for a device. The caller has locked the device. */
export async function countWaiting(reads: Reads, deviceUid: string, now: Date): Promise<number> {
  const { count } = await reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', deviceUid)
    .where('acknowledgedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertCommand(writes: Writes, draft: NewCommand): Promise<void> {
  const { command, value, ...row } = draft
  const body = JSON.stringify(value === null ? { command } : { command, value })
  await writes
    .insertInto('deviceOutbox')
    .values({ ...row, type: 'command', body })
    .execute()
}

/** Puts commands in the outboxes of many devices, by one statement. */
export const insertCommands = (writes: Writes, drafts: readonly NewCommand[]): Promise<void> =>
  insertMany(
    writes,
    'deviceOutbox',
    drafts.map(({ command, value, ...row }) => ({
      ...row,
      type: 'command' as const,
      body: (value === null ? { command } : { command, value }) as never,
    })),
  )

/** The newest commands of a device, the newest first. */
export async function listCommands(
  reads: Reads,
  { deviceUid, max, now }: { deviceUid: string; max: number; now: Date },
) {
  return reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', deviceUid)
    .select([
      'uid',
      'askedBy',
      'createdAt as askedAt',
      'expiresAt',
      'sentAt',
      'acknowledgedAt as endedAt',
      'why',
    ])
    .select(sql<CommandKind>`body ->> 'command'`.as('command'))
    .select(sql<number | null>`(body ->> 'value')::int`.as('value'))
    .select(
      sql<CommandState>`case when acknowledged_at is not null then coalesce(outcome, 'received')
        when expires_at <= ${now} then 'expired' when sent_at is not null then 'sent' else 'waiting' end`.as(
        'state',
      ),
    )
    .orderBy('position', 'desc')
    .limit(max)
    .execute()
}

/** The kind of a command that waits for its device; undefined if there is none. */
export async function findWaiting(
  reads: Reads,
  { uid, deviceUid, now }: { uid: string; deviceUid: string; now: Date },
): Promise<string | undefined> {
  const row = await reads
    .selectFrom('deviceOutbox')
    .where('uid', '=', uid)
    .where('deviceUid', '=', deviceUid)
    .where('acknowledgedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .select(sql<string>`body ->> 'command'`.as('command'))
    .executeTakeFirst()
  return row?.command
}

/** Counts a file of a command. @returns false if it had `max` before */
export async function countFile(writes: Writes, uid: string, max: number): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('deviceOutbox')
    .set({ files: sql<number>`files + 1` })
    .where('uid', '=', uid)
    .where('files', '<', max)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What a device sends of itself. */
export const fileKinds = ['screenshot', 'log'] as const
export type FileKind = (typeof fileKinds)[number]

export interface StoredFile {
  contentType: DeviceFileType
  content: Buffer
  madeAt: Date
}

/** Keeps a device's file in the place of the former one of its kind. */
export async function saveFile(
  writes: Writes,
  { clientId, deviceUid, kind }: { clientId: string; deviceUid: string; kind: FileKind },
  { contentType, content, madeAt }: StoredFile,
): Promise<void> {
  const changed = { contentType, content, madeAt }
  await writes
    .insertInto('deviceFiles')
    .values({ clientId, deviceUid, kind, ...changed })
    .onConflict(conflict => conflict.columns(['deviceUid', 'kind']).doUpdateSet(changed))
    .execute()
}

export async function listFiles(reads: Reads, deviceUid: string) {
  return reads
    .selectFrom('deviceFiles')
    .where('deviceUid', '=', deviceUid)
    .select(['kind', 'contentType', 'madeAt'])
    .select(sql<number>`length(content)`.as('sizeBytes'))
    .execute()
}

export async function readFile(reads: Reads, deviceUid: string, kind: FileKind) {
  return reads
    .selectFrom('deviceFiles')
    .where('deviceUid', '=', deviceUid)
    .where('kind', '=', kind)
    .select(['contentType', 'content', 'madeAt'])
    .executeTakeFirst()
}
