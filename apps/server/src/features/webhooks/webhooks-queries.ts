import type { Webhook, WebhookDelivery } from '@floorcast/contract/webhooks.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { sortKey } from '../../platform/database/list-source.ts'

export type StoredWebhook = Selectable<Tables['webhooks']>

export async function listWebhookRows(reads: Reads): Promise<Webhook[]> {
  return reads
    .selectFrom('webhooks')
    .select(['uid', 'name', 'url', 'kinds', 'state', 'failingSince', 'changedAt', 'version'])
    .select(
      sql<number>`(select count(*)::int from webhook_deliveries d where d.webhook_uid = webhooks.uid and d.state = 'waiting')`.as(
        'waiting',
      ),
    )
    .orderBy(sortKey(sql`name`))
    .orderBy('uid')
    .execute() as Promise<Webhook[]>
}

export const findWebhook = (reads: Reads, uid: string): Promise<StoredWebhook | undefined> =>
  reads.selectFrom('webhooks').selectAll().where('uid', '=', uid).executeTakeFirst()

/** Locks it until the transaction ends; events that are added meanwhile may refer to it. */
export const lockWebhook = (writes: Writes, uid: string): Promise<StoredWebhook | undefined> =>
  writes.selectFrom('webhooks').selectAll().where('uid', '=', uid).forNoKeyUpdate().executeTakeFirst()

export async function insertWebhook(
  writes: Writes,
  webhook: Pick<StoredWebhook, 'uid' | 'clientId' | 'name' | 'url' | 'kinds' | 'secret'> & { at: Date },
): Promise<void> {
  const { at, ...columns } = webhook
  await writes
    .insertInto('webhooks')
    .values({ ...columns, createdAt: at, changedAt: at })
    .execute()
}

export async function updateWebhook(
  writes: Writes,
  uid: string,
  change: Partial<Omit<StoredWebhook, 'uid' | 'clientId' | 'createdAt' | 'changedAt' | 'version'>> & {
    at: Date
  },
): Promise<void> {
  const { at, ...columns } = change
  await writes
    .updateTable('webhooks')
    .set({ ...columns, changedAt: at })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/** Notes whether events arrive. It is no change of the webhook. */
export async function noteFailing(writes: Writes, uid: string, since: Date | null): Promise<void> {
  await writes
    .updateTable('webhooks')
    .set(since === null ? { failingSince: null } : { failingSince: sql`coalesce(failing_since, ${since})` })
    .where('uid', '=', uid)
    .$if(since === null, query => query.where('failingSince', 'is not', null))
    .execute()
}

export const removeWebhook = (writes: Writes, uid: string) =>
  writes.deleteFrom('webhooks').where('uid', '=', uid).execute()

/** Ends what waits: the webhook is off. */
export async function giveUp(writes: Writes, webhookUid: string, failure: string): Promise<void> {
  await writes
    .updateTable('webhookDeliveries')
    .set({ state: 'failed', failure, heldUntil: null })
    .where('webhookUid', '=', webhookUid)
    .where('state', '=', 'waiting')
    .execute()
}

export interface DeliveryEnd {
  webhookUid: string
  position: number
  state: 'waiting' | 'delivered' | 'failed'
  /** Of one that waits. */
  dueAt?: Date
  status: number | null
  failure: string | null
  at: Date
}

/** Notes how an attempt ended; not of a delivery that was given up meanwhile. */
export async function endDelivery(writes: Writes, { webhookUid, position, at, dueAt, ...end }: DeliveryEnd) {
  await writes
    .updateTable('webhookDeliveries')
    .set({ ...end, ...(dueAt && { dueAt }), triedAt: at, heldUntil: null })
    .where('webhookUid', '=', webhookUid)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .execute()
}

/** Sends it again, now and for another day. @returns false if there is none */
export async function renewDelivery(
  writes: Writes,
  { webhookUid, position, at }: { webhookUid: string; position: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('webhookDeliveries')
    .set({ state: 'waiting', addedAt: at, dueAt: at, heldUntil: null })
    .where('webhookUid', '=', webhookUid)
    .where('position', '=', position)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** When it was added, for its last try. */
export const findDelivery = (
  reads: Reads,
  { webhookUid, position }: { webhookUid: string; position: number },
) =>
  reads
    .selectFrom('webhookDeliveries')
    .select(['attempts', 'addedAt', 'state'])
    .where('webhookUid', '=', webhookUid)
    .where('position', '=', position)
    .executeTakeFirst()

export async function listDeliveryRows(
  reads: Reads,
  {
    webhookUid,
    state,
    page,
    size,
  }: { webhookUid: string; state: string | undefined; page: number; size: number },
) {
  const all = reads
    .selectFrom('webhookDeliveries as d')
    .where('d.webhookUid', '=', webhookUid)
    .$if(state !== undefined, query => query.where('d.state', '=', String(state) as 'waiting'))
  const { total } = await all.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const items = await all
    .innerJoin('clientEvents as e', 'e.position', 'd.position')
    .select(['d.position', 'e.kind', 'd.state', 'd.attempts', 'e.at', 'd.triedAt', 'd.status', 'd.failure'])
    .select(sql<string | null>`case when d.state = 'waiting' then d.due_at end`.as('dueAt'))
    .orderBy('d.position', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { items: items as WebhookDelivery[], total, page, size }
}
