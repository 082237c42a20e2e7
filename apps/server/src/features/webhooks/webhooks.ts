import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuditAction } from '@floorcast/contract/audit.ts'
import { FORMER_SECRET_HOURS, type Webhook } from '@floorcast/contract/webhooks.ts'
import type * as calls from '@floorcast/contract/webhooks.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { SecretBox } from '../../platform/auth/secret-box.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, stale, wrongField } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, recordChange } from '../audit/audit.ts'
import { hostOf, isPublicAddress } from './post-event.ts'
import {
  findWebhook,
  giveUp,
  insertWebhook,
  listDeliveryRows,
  listWebhookRows,
  lockWebhook,
  removeWebhook,
  renewDelivery,
  type StoredWebhook,
  updateWebhook,
} from './webhooks-queries.ts'

const SECRET_BYTES = 32
const HOUR_MS = 3_600_000

const ownerOf = (uid: string) => `webhook ${uid}`
const textOf = (secret: Uint8Array) => `whsec_${Buffer.from(secret).toString('base64')}`

/** The secrets that sign now, the newest first, as Standard Webhooks writes them. */
export function secretsOf(box: SecretBox, webhook: StoredWebhook, now: Date): string[] {
  const { uid, secret, formerSecret, formerUntil } = webhook
  const former = formerUntil !== null && Date.parse(formerUntil) > now.getTime() ? formerSecret : null
  return [secret, former].flatMap(sealed => (sealed ? [textOf(box.open(sealed, ownerOf(uid)))] : []))
}

/** @throws ProblemError 422 at `url` for an address that is plainly not public; names are resolved when events are sent */
function requirePublic(url: string): void {
  const target = new URL(url)
  const host = hostOf(target)
  const isPublic = target.protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))
  if (!isPublic || host === 'localhost') throw wrongField('url', 'public-address')
}

/** What making and changing a webhook needs beside the call. */
export interface WebhookParts {
  mayBePrivate: boolean
  secrets: () => Promise<SecretBox>
}

const record = (
  writes: Writes,
  ctx: RequestContext,
  change: Pick<StoredWebhook, 'uid' | 'name'> & { action: AuditAction; changes?: Changes },
) => recordChange(writes, ctx, { ...change, entity: 'webhook' })

const lock = async (writes: Writes, uid: string) => orNotFound(await lockWebhook(writes, uid))

export const listWebhooks = ({ scope }: RequestContext): Promise<Webhook[]> => listWebhookRows(scope.reads)

/** @throws ProblemError 422; OutcomeError notDone `row-limit` */
export async function addWebhook(
  { mayBePrivate, secrets }: WebhookParts,
  ctx: RequestContext,
  { name, url, kinds }: z.output<typeof calls.addWebhook.body>,
) {
  if (!mayBePrivate) requirePublic(url)
  const [box, uid, secret] = [await secrets(), uuidV7(), randomBytes(SECRET_BYTES)]
  const row = { uid, clientId: ctx.scope.clientId, name, url, kinds, secret: box.seal(secret, ownerOf(uid)) }
  await ctx.scope.write(async writes => {
    await insertWebhook(writes, { ...row, at: ctx.now })
    const changes: Changes = { address: [null, url], eventKinds: [null, kinds] }
    await record(writes, ctx, { action: 'add', uid, name, changes })
  })
  return { uid, secret: textOf(secret) }
}

const shown = (row: Pick<StoredWebhook, 'name' | 'url' | 'kinds' | 'state'>) => ({
  name: row.name,
  state: row.state,
  address: row.url,
  eventKinds: row.kinds,
})

/** @throws ProblemError 404, 409, 422 */
export async function editWebhook(
  { mayBePrivate }: Pick<WebhookParts, 'mayBePrivate'>,
  ctx: RequestContext,
  { uid, version, ...given }: z.output<typeof calls.editWebhook.body>,
) {
  const change = omitUndefined(given)
  if (change.url !== undefined && !mayBePrivate) requirePublic(change.url)
  await ctx.scope.write(async writes => {
    const before = await lock(writes, uid)
    if (version !== undefined && version !== before.version) throw stale()
    const isTurned = change.state !== undefined
    await updateWebhook(writes, uid, { ...change, ...(isTurned && { failingSince: null }), at: ctx.now })
    if (change.state === 'disabled') await giveUp(writes, uid, 'disabled by an admin')
    const after = { ...before, ...change }
    const changes = changesBetween(shown(before), shown(after))
    await record(writes, ctx, { action: 'edit', uid, name: after.name, changes })
  })
}

/** @throws ProblemError 404 */
export async function rotateWebhook({ secrets }: WebhookParts, ctx: RequestContext, uid: string) {
  const [box, secret] = [await secrets(), randomBytes(SECRET_BYTES)]
  const formerUntil = new Date(ctx.now.getTime() + FORMER_SECRET_HOURS * HOUR_MS).toISOString()
  await ctx.scope.write(async writes => {
    const { name, secret: formerSecret } = await lock(writes, uid)
    const renewed = { secret: box.seal(secret, ownerOf(uid)), formerSecret, formerUntil }
    await updateWebhook(writes, uid, { ...renewed, at: ctx.now })
    await record(writes, ctx, { action: 'renew-secret', uid, name })
  })
  return { secret: textOf(secret) }
}

/** @throws ProblemError 404 */
export async function deleteWebhook(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name } = await lock(writes, uid)
    await removeWebhook(writes, uid)
    await record(writes, ctx, { action: 'delete', uid, name })
  })
}

/** @throws ProblemError 404 */
export async function listDeliveries(
  { scope: { reads } }: RequestContext,
  list: Parameters<typeof listDeliveryRows>[1],
) {
  orNotFound(await findWebhook(reads, list.webhookUid))
  return listDeliveryRows(reads, list)
}

/** @throws ProblemError 404; OutcomeError notDone `webhook-disabled` */
export async function resendDelivery(
  ctx: RequestContext,
  delivery: { webhookUid: string; position: number },
): Promise<void> {
  await ctx.scope.write(async writes => {
    const { state } = await lock(writes, delivery.webhookUid)
    if (state === 'disabled') throw new OutcomeError('notDone', { reason: 'webhook-disabled' })
    orNotFound((await renewDelivery(writes, { ...delivery, at: ctx.now })) || undefined)
  })
}
