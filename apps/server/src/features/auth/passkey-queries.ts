import type { Reads, Writes } from '../../platform/database/client-scope.ts'

export interface NewPasskey {
  uid: string
  clientId: string
  userUid: string
  credentialId: string
  publicKey: Buffer
  counter: number
  /** When the challenge was made that the passkey answered. */
  challengeAt: Date
  name: string
  createdAt: Date
}

/**
 * @throws a unique violation of `passkeys_credential_id_key` for a passkey that is stored already, of `passkeys_challenge`
 * for a challenge that made another
 */
export async function insertPasskey(writes: Writes, passkey: NewPasskey): Promise<void> {
  await writes.insertInto('passkeys').values(passkey).execute()
}

export const listPasskeys = (reads: Reads, userUid: string) =>
  reads
    .selectFrom('passkeys')
    .select(['uid', 'name', 'credentialId', 'createdAt', 'lastUsedAt'])
    .where('userUid', '=', userUid)
    .orderBy('createdAt')
    .execute()

/** Records a sign-in. @returns false if the challenge, a later one or the counter was used before */
export async function recordPasskeyUse(
  writes: Writes,
  uid: string,
  use: { counter: number; challengeAt: Date; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('passkeys')
    .set({ counter: use.counter, lastChallengeAt: use.challengeAt, lastUsedAt: use.at })
    .where('uid', '=', uid)
    .where(eb =>
      eb.or([eb('lastChallengeAt', 'is', null), eb('lastChallengeAt', '<', use.challengeAt.toISOString())]),
    )
    // Authenticators that do not count send 0 each time.
    .where(eb => eb.or([eb('counter', '<', use.counter), eb('counter', '=', 0)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns the name; undefined if the user has no such passkey */
export async function deletePasskey(
  writes: Writes,
  passkey: { uid: string; userUid: string },
): Promise<string | undefined> {
  const row = await writes
    .deleteFrom('passkeys')
    .where('uid', '=', passkey.uid)
    .where('userUid', '=', passkey.userUid)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export async function deletePasskeys(writes: Writes, userUid: string): Promise<boolean> {
  const { numDeletedRows } = await writes
    .deleteFrom('passkeys')
    .where('userUid', '=', userUid)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
