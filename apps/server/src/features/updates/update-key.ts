import { createPublicKey, verify } from 'node:crypto'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'
import type { SignatureState } from '@floorcast/contract/update-files.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { findUpdateKey, lockClient, saveUpdateKey } from './update-key-queries.ts'

interface Signed {
  sha256: string
  signature: string | null
}

/** Checks a file's signature by the client's public key; both are in base64. */
export function getSignatureState({ sha256, signature }: Signed, publicKey: string | null): SignatureState {
  if (signature === null) return 'missing'
  if (publicKey === null) return 'unchecked'
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isValid = verify(null, Buffer.from(signedTextOf(sha256)), key, Buffer.from(signature, 'base64'))
  return isValid ? 'valid' : 'wrong'
}

export const readKey = async (ctx: RequestContext) => ({ publicKey: await findUpdateKey(ctx.scope.reads) })

/** Sets or removes the public key. Files that were uploaded before are checked by the new key when they are released. */
export async function setKey(ctx: RequestContext, publicKey: string | null): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name, updatePublicKey } = await lockClient(writes)
    const { clientId } = ctx.scope
    await saveUpdateKey(writes, clientId, { updatePublicKey: publicKey, changedAt: ctx.now })
    const changes = changesBetween({ updatePublicKey }, { updatePublicKey: publicKey })
    await recordChange(writes, ctx, {
      action: 'set-update-key',
      entity: 'client',
      uid: clientId,
      name,
      changes,
    })
  })
}
