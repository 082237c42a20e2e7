import type { Personalization } from '@floorcast/contract/auth.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { EveryColumn } from '../../platform/database/every-column.ts'

export interface NewSession {
  uid: string
  clientId: string
  userUid: string
  tokenHash: Buffer
  createdAt: Date
  idleExpiresAt: Date
  expiresAt: Date
}

export async function insertSession(writes: Writes, session: NewSession): Promise<void> {
  await writes
    .insertInto('sessions')
    .values({
      uid: session.uid,
      clientId: session.clientId,
      userUid: session.userUid,
      tokenHash: session.tokenHash,
      createdAt: session.createdAt,
      lastUsedAt: session.createdAt,
      idleExpiresAt: session.idleExpiresAt,
      expiresAt: session.expiresAt,
    } satisfies EveryColumn<NewSession>)
    .execute()
}

export async function revokeSession(writes: Writes, uid: string, at: Date): Promise<void> {
  await writes
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('uid', '=', uid)
    .where('revokedAt', 'is', null)
    .execute()
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
  const look = { color, mode, menuType } satisfies EveryColumn<Personalization>
  await writes
    .insertInto('personalizations')
    .values({ clientId, userUid, ...look, changedAt })
    .onConflict(conflict => conflict.column('userUid').doUpdateSet({ ...look, changedAt }))
    .execute()
}

/** Locks the user until the transaction ends. */
export const lockUser = (writes: Writes, uid: string): Promise<Selectable<Tables['users']>> =>
  writes.selectFrom('users').selectAll().where('uid', '=', uid).forNoKeyUpdate().executeTakeFirstOrThrow()

export async function renameUser(
  writes: Writes,
  uid: string,
  change: { firstName: string; lastName: string; changedAt: Date },
): Promise<void> {
  const { firstName, lastName, changedAt } = change
  await writes.updateTable('users').set({ firstName, lastName, changedAt }).where('uid', '=', uid).execute()
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
export async function insertTicket(writes: Writes, ticket: NewTicket, now: Date): Promise<void> {
  await writes
    .deleteFrom('tickets')
    .where('sessionUid', '=', ticket.sessionUid)
    .where('expiresAt', '<', now.toISOString())
    .execute()
  await writes.insertInto('tickets').values(ticket).execute()
}
