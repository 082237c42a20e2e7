import type { Personalization } from '@floorcast/contract/auth.ts'
import type { Language } from '@floorcast/contract/fields.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, pick } from '../../platform/database/columns.ts'

const newSession = [
  'uid',
  'clientId',
  'userUid',
  'tokenHash',
  'createdAt',
  'idleExpiresAt',
  'expiresAt',
  'address',
  'userAgent',
] as const
export type NewSession = Required<InsertOf<'sessions', typeof newSession>>

export async function insertSession(writes: Writes, session: NewSession): Promise<void> {
  await writes
    .insertInto('sessions')
    .values({ ...pick(session, newSession), lastUsedAt: session.createdAt })
    .execute()
}

/** Ends a session of a user. False if the user has no such session, or it was ended before. */
export async function revokeSession(
  writes: Writes,
  { uid, userUid, at }: { uid: string; userUid: string; at: Date },
): Promise<boolean> {
  const row = await writes
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('uid', '=', uid)
    .where('userUid', '=', userUid)
    .where('revokedAt', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the sessions of a user, all or but one. @returns how many it ended */
export async function revokeSessions(
  writes: Writes,
  { userUid, exceptUid, at }: { userUid: string; exceptUid: string | null; at: Date },
): Promise<number> {
  const { rows } = await sql`
    update sessions set revoked_at = ${at}
    where user_uid = ${userUid} and uid is distinct from ${exceptUid}::uuid and revoked_at is null
    returning uid`.execute(writes)
  return rows.length
}

const MAX_SESSIONS_LISTED = 100

/** The sessions of a user that are valid at a moment, the last used first. */
export function listSessions(reads: Reads, userUid: string, at: Date) {
  return reads
    .selectFrom('sessions')
    .select(['uid', 'createdAt', 'lastUsedAt', 'address', 'userAgent'])
    .where('userUid', '=', userUid)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at.toISOString())
    .where('idleExpiresAt', '>', at.toISOString())
    .orderBy('lastUsedAt', 'desc')
    .orderBy('uid', 'desc')
    .limit(MAX_SESSIONS_LISTED)
    .execute()
}

/** The email of a user of the client. */
export async function findEmail(reads: Reads, userUid: string): Promise<string | undefined> {
  const row = await reads.selectFrom('users').select('email').where('uid', '=', userUid).executeTakeFirst()
  return row?.email
}

export async function findPersonalization(
  reads: Reads,
  userUid: string,
): Promise<Personalization | undefined> {
  const row = await reads
    .selectFrom('personalizations')
    .select(['color', 'mode', 'menuType'])
    .where('userUid', '=', userUid)
    .executeTakeFirst()
  return row as Personalization | undefined
}

export interface SavedPersonalization extends Personalization {
  clientId: string
  userUid: string
  changedAt: Date
}

export async function savePersonalization(writes: Writes, saved: SavedPersonalization): Promise<void> {
  const { clientId, userUid, color, mode, menuType, changedAt } = saved
  const look = { color, mode, menuType } satisfies Personalization
  await writes
    .insertInto('personalizations')
    .values({ clientId, userUid, ...look, changedAt })
    .onConflict(conflict => conflict.column('userUid').doUpdateSet({ ...look, changedAt }))
    .execute()
}

/** Locks the user until the transaction ends. */
export const lockUser = (writes: Writes, uid: string): Promise<Selectable<Tables['users']>> =>
  writes.selectFrom('users').selectAll().where('uid', '=', uid).forNoKeyUpdate().executeTakeFirstOrThrow()

export async function updateOwnUser(
  writes: Writes,
  uid: string,
  change: { firstName: string; lastName: string; language: Language | null; changedAt: Date },
): Promise<void> {
  await writes.updateTable('users').set(change).where('uid', '=', uid).execute()
}

/** A user without a language gets that of the sign-in. */
export async function learnLanguage(writes: Writes, uid: string, language: Language): Promise<void> {
  await writes
    .updateTable('users')
    .set({ language })
    .where('uid', '=', uid)
    .where('language', 'is', null)
    .execute()
}

/** Keeps the ten networks from which the user signed in last, the newest first. @returns whether it is none of the former ones */
export async function learnNetwork(writes: Writes, uid: string, network: string): Promise<boolean> {
  const { networks: known } = await writes
    .selectFrom('users')
    .select('networks')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  if (known[0] === network) return false
  const networks = [network, ...known.filter(other => other !== network)].slice(0, 10)
  await writes.updateTable('users').set({ networks }).where('uid', '=', uid).execute()
  return known.length > 0 && !known.includes(network)
}

/** For operators, who see when somebody of a client signed in last. */
export async function noteSignIn(writes: Writes, uid: string, at: Date): Promise<void> {
  await writes.updateTable('users').set({ lastSignInAt: at }).where('uid', '=', uid).execute()
}

export async function findLanguage(reads: Reads, uid: string): Promise<Language | null> {
  const row = await reads.selectFrom('users').select('language').where('uid', '=', uid).executeTakeFirst()
  return row?.language ?? null
}

export interface NewTicket {
  ticketHash: Buffer
  clientId: string
  sessionUid: string
  path: string
  isOnce: boolean
  expiresAt: Date
}

/** Inserts a ticket and deletes the expired ones of its session. */
/** Whether the client has a media item, in the bin or not. */
export async function hasMedia(reads: Reads, uid: string): Promise<boolean> {
  return (
    (await reads.selectFrom('mediaItems').select('uid').where('uid', '=', uid).executeTakeFirst()) !==
    undefined
  )
}

export async function insertTicket(writes: Writes, ticket: NewTicket, now: Date): Promise<void> {
  await writes
    .deleteFrom('tickets')
    .where('sessionUid', '=', ticket.sessionUid)
    .where('expiresAt', '<', now.toISOString())
    .execute()
  await writes.insertInto('tickets').values(ticket).execute()
}
