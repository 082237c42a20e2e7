import type { SignedAddress } from '@floorcast/contract/server-address.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

/** The client's public key for update files, in base64; null if none is set. */
export async function findUpdateKey(reads: Reads): Promise<string | null> {
  const { updatePublicKey } = await reads
    .selectFrom('clients')
    .select('updatePublicKey')
    .executeTakeFirstOrThrow()
  return updatePublicKey
}

/** The same, locked against changes until the transaction ends. */
export async function holdUpdateKey(writes: Writes): Promise<string | null> {
  const { updatePublicKey } = await writes
    .selectFrom('clients')
    .select('updatePublicKey')
    .forShare()
    .executeTakeFirstOrThrow()
  return updatePublicKey
}

/** Locks the client until the transaction ends, so that its key changes one after another. */
export const lockClient = (writes: Writes): Promise<Selectable<Tables['clients']>> =>
  writes.selectFrom('clients').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow()

export async function saveUpdateKey(
  writes: Writes,
  clientId: string,
  change: { updatePublicKey: string | null; changedAt: Date },
): Promise<void> {
  const { updatePublicKey, changedAt } = change
  await writes
    .updateTable('clients')
    .set({ updatePublicKey, changedAt })
    .where('uid', '=', clientId)
    .execute()
}

/** The signed address to which the client's devices go: decision 353. */
export async function saveAddress(
  writes: Writes,
  clientId: string,
  { text: addressStatement, signature: addressSignature }: SignedAddress,
): Promise<void> {
  await writes
    .updateTable('clients')
    .set({ addressStatement, addressSignature })
    .where('uid', '=', clientId)
    .execute()
}
