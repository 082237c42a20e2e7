import type { RequestContext } from '../../platform/auth/request-context.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { listChannelUids } from './update-channels-queries.ts'
import { findUpdateKey, lockClient, saveUpdateKey } from './update-key-queries.ts'
import { touchChannels } from './updates.ts'

export const readKey = async (ctx: RequestContext) => ({ publicKey: await findUpdateKey(ctx.scope.reads) })

/**
 * Sets or removes the public key. Packages whose files are not signed for the new key are not offered any more, and cannot
 * leave the draft again.
 */
export async function setKey(ctx: RequestContext, publicKey: string | null): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name, updatePublicKey } = await lockClient(writes)
    const { clientId } = ctx.scope
    await saveUpdateKey(writes, clientId, { updatePublicKey: publicKey, changedAt: ctx.now })
    const changes = changesBetween({ updatePublicKey }, { updatePublicKey: publicKey })
    if (publicKey !== updatePublicKey) await touchChannels(writes, await listChannelUids(writes))
    await recordChange(writes, ctx, {
      action: 'set-update-key',
      entity: 'client',
      uid: clientId,
      name,
      changes,
    })
  })
}
