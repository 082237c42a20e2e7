import type { SecondFactor } from '@floorcast/contract/second-factor.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { deletePasskeys, listPasskeys } from './passkey-queries.ts'

export async function readFactor(reads: Reads, userUid: string): Promise<SecondFactor> {
  const { rows } = await sql<Omit<SecondFactor, 'passkeys'>>`
    select
      (select t.confirmed_at from totp_secrets t where t.user_uid = ${userUid}) as enrolled_at,
      (select count(*)::int from recovery_codes r where r.user_uid = ${userUid} and r.used_at is null) as recovery_codes_left,
      coalesce((select c.requires_second_factor from clients c), false) as is_required`.execute(reads)
  const passkeys = await listPasskeys(reads, userUid)
  const { enrolledAt = null, recoveryCodesLeft = 0, isRequired = false } = rows[0] ?? {}
  return { enrolledAt, recoveryCodesLeft, isRequired, passkeys }
}

export interface SignInStep {
  ticketHash: Buffer
  clientId: string
  userUid: string
  passwordMark: Buffer
  createdAt: Date
  expiresAt: Date
  linkHash: Buffer | null
  newPasswordHash: string | null
}

/** Inserts a step and deletes the expired ones of its user. */
export async function insertStep(writes: Writes, step: SignInStep): Promise<void> {
  await writes
    .deleteFrom('signInSteps')
    .where('userUid', '=', step.userUid)
    .where('expiresAt', '<', step.createdAt.toISOString())
    .execute()
  await writes.insertInto('signInSteps').values(step).execute()
}

/** A link that waits for the factor of its user, and the hash of the password that it sets; without a link both are null. */
export type LinkOfStep = Pick<SignInStep, 'linkHash' | 'newPasswordHash'>

/** @returns undefined if another call has completed the step of this user */
export const deleteStep = (
  writes: Writes,
  { ticketHash, userUid }: Pick<SignInStep, 'ticketHash' | 'userUid'>,
): Promise<LinkOfStep | undefined> =>
  writes
    .deleteFrom('signInSteps')
    .where('ticketHash', '=', ticketHash)
    .where('userUid', '=', userUid)
    .returning(['linkHash', 'newPasswordHash'])
    .executeTakeFirst()

export interface NewTotpSecret {
  clientId: string
  userUid: string
  pendingSecret: Buffer
  createdAt: Date
}

/** Saves a secret to be confirmed. A confirmed one goes on until then. */
export async function savePendingSecret(writes: Writes, secret: NewTotpSecret): Promise<void> {
  const { pendingSecret } = secret
  await writes
    .insertInto('totpSecrets')
    .values(secret)
    .onConflict(conflict => conflict.column('userUid').doUpdateSet({ pendingSecret }))
    .execute()
}

/** Locks the user's secret until the transaction ends. */
export const lockSecret = (
  writes: Writes,
  userUid: string,
): Promise<Selectable<Tables['totpSecrets']> | undefined> =>
  writes.selectFrom('totpSecrets').selectAll().where('userUid', '=', userUid).forUpdate().executeTakeFirst()

/** Records the step of the code that was used, of a secret that `lockSecret` has locked. */
export async function recordStep(writes: Writes, userUid: string, lastStep: number): Promise<void> {
  await writes.updateTable('totpSecrets').set({ lastStep }).where('userUid', '=', userUid).execute()
}

/** Makes the pending secret, which `lockSecret` has locked, the secret. */
export async function confirmPendingSecret(
  writes: Writes,
  userUid: string,
  confirmed: { sealedSecret: Buffer; lastStep: number; confirmedAt: Date },
): Promise<void> {
  await writes
    .updateTable('totpSecrets')
    .set({ ...confirmed, pendingSecret: null })
    .where('userUid', '=', userUid)
    .execute()
}

export async function replaceCodes(
  writes: Writes,
  owner: { clientId: string; userUid: string; createdAt: Date },
  hashes: readonly Buffer[],
): Promise<void> {
  await writes.deleteFrom('recoveryCodes').where('userUid', '=', owner.userUid).execute()
  await writes
    .insertInto('recoveryCodes')
    .values(hashes.map(codeHash => ({ ...owner, codeHash })))
    .execute()
}

/** Uses a recovery code up. @returns false if there is no such code, or it was used */
export async function redeemRecoveryCode(
  writes: Writes,
  code: { userUid: string; codeHash: Buffer; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('recoveryCodes')
    .set({ usedAt: code.at })
    .where('userUid', '=', code.userUid)
    .where('codeHash', '=', code.codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes secret, passkeys, recovery codes and the tickets that wait for them. @returns false if the user had no second factor */
export async function deleteFactor(writes: Writes, userUid: string): Promise<boolean> {
  await writes.deleteFrom('signInSteps').where('userUid', '=', userUid).execute()
  await writes.deleteFrom('recoveryCodes').where('userUid', '=', userUid).execute()
  const { numDeletedRows } = await writes
    .deleteFrom('totpSecrets')
    .where('userUid', '=', userUid)
    .executeTakeFirst()
  const hadPasskeys = await deletePasskeys(writes, userUid)
  return numDeletedRows > 0n || hadPasskeys
}

export async function findUserAccount(
  reads: Reads,
  uid: string,
): Promise<{ email: string; passwordHash: string } | undefined> {
  return reads.selectFrom('users').select(['email', 'passwordHash']).where('uid', '=', uid).executeTakeFirst()
}

/** @returns the client before */
export async function setRequired(
  writes: Writes,
  change: { isRequired: boolean; at: Date },
): Promise<Selectable<Tables['clients']>> {
  const before = await writes.selectFrom('clients').selectAll().forUpdate().executeTakeFirstOrThrow()
  await writes
    .updateTable('clients')
    .set({ requiresSecondFactor: change.isRequired, changedAt: change.at })
    .where('uid', '=', before.uid)
    .where('requiresSecondFactor', '<>', change.isRequired)
    .execute()
  return before
}

/** Whether the client requires a second factor; it stays so until the transaction ends. */
export async function lockRequirement(writes: Writes): Promise<boolean> {
  const { requiresSecondFactor } = await writes
    .selectFrom('clients')
    .select('requiresSecondFactor')
    .forShare()
    .executeTakeFirstOrThrow()
  return requiresSecondFactor
}

/** Ends the sessions of users who have no second factor, but for streamers. */
export async function revokeSessionsWithoutFactor(writes: Writes, at: Date): Promise<void> {
  await sql`
    update sessions s set revoked_at = ${at} from users u
    where u.client_id = s.client_id and u.uid = s.user_uid and u.role <> 'streamer' and s.revoked_at is null
      and not exists (select from totp_secrets t where t.user_uid = u.uid and t.confirmed_at is not null)
      and not exists (select from passkeys p where p.user_uid = u.uid)`.execute(writes)
}
