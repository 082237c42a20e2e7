import type { Personalization } from '@floorcast/contract/auth.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

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
    .values({ ...session, lastUsedAt: session.createdAt })
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
  const { color, mode, menuType, changedAt } = saved
  await writes
    .insertInto('personalizations')
    .values(saved)
    .onConflict(conflict => conflict.column('userUid').doUpdateSet({ color, mode, menuType, changedAt }))
    .execute()
}

export interface Names {
  firstName?: string | undefined
  lastName?: string | undefined
}

export async function renameUser(
  writes: Writes,
  uid: string,
  change: Names & { changedAt: Date },
): Promise<void> {
  await writes.updateTable('users').set(change).where('uid', '=', uid).execute()
}

export interface NewTicket {
  ticketHash: Buffer
  clientId: string
  sessionUid: string
  path: string
  isOnce: boolean
  expiresAt: Date
}

/** Keeps a ticket and forgets the session's expired ones. */
export async function insertTicket(writes: Writes, ticket: NewTicket, now: Date): Promise<void> {
  await writes
    .deleteFrom('tickets')
    .where('sessionUid', '=', ticket.sessionUid)
    .where('expiresAt', '<', now.toISOString())
    .execute()
  await writes.insertInto('tickets').values(ticket).execute()
}
