import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { openSecretBox, type SecretBox } from '../../platform/auth/secret-box.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { notFound, orNotFound, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { type Changes, recordChange, recordOwnChanges } from '../audit/audit.ts'
import { findActiveKey, insertKey, lockClient, markCompromised, retireKey } from './proof-keys-queries.ts'

/** Signs with the key of a client. */
export interface ProofSigner {
  keyId: string
  /** In base64. */
  publicKey: string
  /** Ed25519. */
  sign: (message: Uint8Array) => Buffer
}

/** A private key fits its own row only. */
const ownerOf = (clientId: string, keyId: string) => `proof key ${clientId} ${keyId}`

function makeKeyPair(box: SecretBox, clientId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const bytes = Buffer.from(x, 'base64url')
  const keyId = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { clientId, keyId, publicKey: bytes, sealedPrivateKey: box.seal(secret, ownerOf(clientId, keyId)) }
}

/** Nothing but proofs needs the key, so the call fails alone. The log has the file and what is wrong with it. */
function cannotSign(context: Context, error: unknown): ProblemError {
  context.log.error({ err: error }, 'the key that signs proofs of play cannot be used')
  return new ProblemError('proof-key', {
    detail:
      "The server's secret.key does not open the key that signs your proofs of play. The operator restores DATA_DIR/secret.key from the backup; without one, an admin makes a new key with POST /api/v2/proof/key. Former proofs stay valid.",
  })
}

const openBox = (context: Context) =>
  openSecretBox(context.settings.secretKeyFile).catch((error: unknown) => {
    throw cannotSign(context, error)
  })

/** Makes the client's first key; does nothing if it has one. */
async function makeFirstKey(context: Context, scope: ClientScope, at: Date): Promise<void> {
  const key = makeKeyPair(await openBox(context), scope.clientId)
  await scope.write(async writes => {
    const { name } = await lockClient(writes)
    if (!(await insertKey(writes, { ...key, createdAt: at }))) return
    const changes = { keyId: [null, key.keyId] satisfies [unknown, unknown] }
    const change = {
      action: 'add-proof-key' as const,
      entity: 'client' as const,
      uid: scope.clientId,
      name,
      changes,
    }
    await recordOwnChanges(writes, { clientId: scope.clientId, at }, [change])
  })
}

/** Makes the key of a client that registers. Its registration does not depend on it: the first proof makes a missing one. */
export async function makeKeyOfNewClient(context: Context, clientId: string, at: Date): Promise<void> {
  try {
    await makeFirstKey(context, context.database.forClient(clientId), at)
  } catch (error) {
    if (!(error instanceof ProblemError))
      context.log.error({ err: error }, 'a new client got no key for its proofs')
  }
}

/** The key that signs the client's proofs, made at its first use. @throws ProblemError 503 `proof-key` */
export async function openSigner(context: Context, ctx: RequestContext): Promise<ProofSigner> {
  const { scope, now } = ctx
  if (!(await findActiveKey(scope.reads))) await makeFirstKey(context, scope, now)
  const key = await findActiveKey(scope.reads)
  if (!key?.sealedPrivateKey) throw new Error('the client has no key although one was made')
  const box = await openBox(context)
  const { keyId, publicKey } = key
  try {
    const der = box.open(key.sealedPrivateKey, ownerOf(scope.clientId, keyId))
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    return {
      keyId,
      publicKey: publicKey.toString('base64'),
      sign: message => sign(null, message, privateKey),
    }
  } catch (error) {
    throw cannotSign(context, error)
  }
}

type NewKeyPair = ReturnType<typeof makeKeyPair>

/** Ends the key that signs, and adds the next one, in a transaction that has locked the client. */
async function replaceKey(
  writes: Writes,
  ctx: RequestContext,
  { key, name }: { key: NewKeyPair; name: string },
): Promise<void> {
  const former = await retireKey(writes, ctx.now)
  await insertKey(writes, { ...key, createdAt: ctx.now })
  const changes = { keyId: [former?.keyId ?? null, key.keyId] satisfies [unknown, unknown] }
  const change = {
    action: 'renew-proof-key' as const,
    entity: 'client' as const,
    uid: ctx.scope.clientId,
    name,
    changes,
  }
  await recordChange(writes, ctx, change)
}

/** Retires the client's key and makes a new one. @returns the new key's id @throws ProblemError 503 `proof-key` */
export async function renewProofKey(context: Context, ctx: RequestContext): Promise<string> {
  const key = makeKeyPair(await openBox(context), ctx.scope.clientId)
  await ctx.scope.write(async writes => {
    const { name } = await lockClient(writes)
    await replaceKey(writes, ctx, { key, name })
  })
  return key.keyId
}

/**
 * Says that a key may have been in other hands since a moment. If it signs, it is replaced.
 * @returns the id of the new key, if there is one
 * @throws ProblemError 404; 422 for a moment in the future; 503 `proof-key`
 */
export async function markProofKey(
  context: Context,
  ctx: RequestContext,
  { keyId, since }: { keyId: string; since: string },
): Promise<{ keyId?: string }> {
  if (Date.parse(since) > ctx.now.getTime()) throw wrongField('since', 'future')
  const next = makeKeyPair(await openBox(context), ctx.scope.clientId)
  return ctx.scope.write(async writes => {
    const { name } = await lockClient(writes)
    const { retiredAt, before } = orNotFound(await markCompromised(writes, keyId, since))
    const changes: Changes = { keyId: [keyId, keyId], compromisedSince: [before, since] }
    const change = {
      action: 'mark-proof-key' as const,
      entity: 'client' as const,
      uid: ctx.scope.clientId,
      name,
      changes,
    }
    await recordChange(writes, ctx, change)
    if (retiredAt !== null) return {}
    await replaceKey(writes, ctx, { key: next, name })
    return { keyId: next.keyId }
  })
}

/** The name and the public keys of a client, the one that signs first. @throws ProblemError 404 */
export async function readKeys(context: Context, clientUid: string) {
  const rows = await context.database.auth.proofKeys(clientUid)
  const [first] = rows
  if (!first) throw notFound()
  const inOrder = rows.toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null))
  return {
    client: { uid: clientUid, name: first.clientName },
    keys: inOrder.flatMap(({ keyId, publicKey, createdAt, retiredAt, compromisedSince }) =>
      keyId === null
        ? []
        : [{ keyId, publicKey: publicKey.toString('base64'), createdAt, retiredAt, compromisedSince }],
    ),
  }
}
