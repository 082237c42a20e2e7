import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, pick } from '../../platform/database/columns.ts'

/** The key of the client that signs; its private key is sealed. */
export const findActiveKey = (reads: Reads) =>
  reads
    .selectFrom('proofKeys')
    .select(['keyId', 'publicKey', 'sealedPrivateKey'])
    .where('retiredAt', 'is', null)
    .executeTakeFirst()

const newKey = ['clientId', 'keyId', 'publicKey', 'sealedPrivateKey', 'createdAt'] as const
type NewKey = InsertOf<'proofKeys', typeof newKey>

/** Adds the key that signs. False if the client has one: another call was first. */
export async function insertKey(writes: Writes, key: NewKey): Promise<boolean> {
  const added = await writes
    .insertInto('proofKeys')
    .values(pick(key, newKey))
    .onConflict(conflict => conflict.doNothing())
    .returning('keyId')
    .executeTakeFirst()
  return added !== undefined
}

/** Ends the key that signs; its private half is gone. @returns its id; undefined if there is none */
export const retireKey = (writes: Writes, at: Date): Promise<{ keyId: string } | undefined> =>
  writes
    .updateTable('proofKeys')
    .set({ retiredAt: at, sealedPrivateKey: null })
    .where('retiredAt', 'is', null)
    .returning('keyId')
    .executeTakeFirst()

/** Says since when a key is compromised. @returns when it was retired, and what was said before; undefined: there is no such key */
export async function markCompromised(
  writes: Writes,
  keyId: string,
  since: string,
): Promise<{ retiredAt: string | null; before: string | null } | undefined> {
  const key = await writes
    .selectFrom('proofKeys')
    .select(['retiredAt', 'compromisedSince as before'])
    .where('keyId', '=', keyId)
    .executeTakeFirst()
  if (key)
    await writes
      .updateTable('proofKeys')
      .set({ compromisedSince: since })
      .where('keyId', '=', keyId)
      .execute()
  return key
}

/** The client's row, locked until the transaction ends. */
export const lockClient = (writes: Writes): Promise<Selectable<Tables['clients']>> =>
  writes.selectFrom('clients').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow()
