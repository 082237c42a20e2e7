import type { Reads, Writes } from '../../platform/database/client-scope.ts'

/** The client's public key for update files, in base64; null: none is set. */
export async function findUpdateKey(reads: Reads): Promise<string | null> {
  const { updatePublicKey } = await reads
    .selectFrom('clients')
    .select('updatePublicKey')
    .executeTakeFirstOrThrow()
  return updatePublicKey
}

/** The same, held against change until the transaction ends. */
export async function holdUpdateKey(writes: Writes): Promise<string | null> {
  const { updatePublicKey } = await writes
    .selectFrom('clients')
    .select('updatePublicKey')
    .forShare()
    .executeTakeFirstOrThrow()
  return updatePublicKey
}

/** The same, and the client's name; two who set it wait for each other. */
export const lockUpdateKey = (writes: Writes): Promise<{ name: string; updatePublicKey: string | null }> =>
  writes.selectFrom('clients').select(['name', 'updatePublicKey']).forNoKeyUpdate().executeTakeFirstOrThrow()

export async function saveUpdateKey(
  writes: Writes,
  clientId: string,
  change: { updatePublicKey: string | null; changedAt: Date },
): Promise<void> {
  await writes.updateTable('clients').set(change).where('uid', '=', clientId).execute()
}
