import type { BodyOf, Rights, Role } from '@floorcast/contract/endpoint.ts'
import type { Language } from '@floorcast/contract/fields.ts'
import type { editUser, inviteUser, UserRow } from '@floorcast/contract/users.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import {
  type ListColumns,
  type ListPage,
  type ListRequest,
  readPage,
  referenceTo,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'

const userColumns = {
  uid: { select: sql<string>`u.uid` },
  email: { select: sql<string>`u.email`, sort: true, search: true },
  firstName: { select: sql<string>`u.first_name`, sort: sortKey(sql`u.first_name`), search: true },
  lastName: { select: sql<string>`u.last_name`, sort: sortKey(sql`u.last_name`), search: true },
  role: { select: sql<Role>`u.role`, sort: true },
  rights: { select: sql<Rights>`u.rights` },
  isInvited: { select: sql<boolean>`u.is_invited` },
  hasSecondFactor: {
    select: sql<boolean>`exists (
      select from totp_secrets t where t.user_uid = u.uid and t.confirmed_at is not null)
      or exists (select from passkeys p where p.user_uid = u.uid)`,
  },
  linkedDevice: { select: referenceTo('d') },
  language: { select: sql<Language | null>`u.language` },
  lastSeenAt: {
    select: sql<string | null>`(select max(s.last_used_at) from sessions s where s.user_uid = u.uid)`,
  },
  createdAt: { select: sql<string>`u.created_at`, sort: true },
} satisfies ListColumns

export const listUserRows = (reads: Reads, list: ListRequest): Promise<ListPage<UserRow>> =>
  readPage(reads, list, {
    columns: userColumns,
    from: sql`from users u left join devices d on d.uid = u.linked_device_uid`,
    where: sql`true`,
    newest: sql`u.created_at`,
  })

/** Locks the users of a client, so that roles change one after another and an admin remains. */
export async function lockUsers(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users ${clientId}`}, 0))`.execute(writes)
}

export type StoredUser = Selectable<Tables['users']>

export const findUser = (reads: Reads, uid: string): Promise<StoredUser | undefined> =>
  reads.selectFrom('users').selectAll().where('uid', '=', uid).executeTakeFirst()

/** Locks a user until the transaction ends. */
export const lockUser = (writes: Writes, uid: string): Promise<StoredUser | undefined> =>
  writes.selectFrom('users').selectAll().where('uid', '=', uid).forNoKeyUpdate().executeTakeFirst()

/** Counts other admins with full rights. */
export async function countOtherAdmins(reads: Reads, uid: string): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*)::int as others from users
    where role = 'admin' and rights = 'full' and not is_invited and uid <> ${uid}`.execute(reads)
  return rows[0]?.others ?? 0
}

export async function isDevice(reads: Reads, uid: string): Promise<boolean> {
  const row = await reads
    .selectFrom('devices')
    .select('uid')
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

const newUser = [
  'uid',
  'clientId',
  'email',
  'passwordHash',
  'role',
  'rights',
  'firstName',
  'lastName',
  'linkedDeviceUid',
  'language',
] as const
type NewUser = InsertOf<'users', typeof newUser, Exclude<keyof BodyOf<typeof inviteUser>, 'password'>>

/** @throws a unique violation of `users_client_email` if a user of this client has the email */
export async function insertUser(writes: Writes, user: NewUser, at: Date): Promise<void> {
  await writes
    .insertInto('users')
    .values({ ...pick(user, newUser), isInvited: true, createdAt: at, changedAt: at })
    .execute()
}

const userUpdate = [
  'role',
  'rights',
  'firstName',
  'lastName',
  'linkedDeviceUid',
  'language',
  'passwordHash',
] as const
export type UserUpdate = UpdateOf<
  'users',
  typeof userUpdate,
  Exclude<keyof BodyOf<typeof editUser>, 'uid' | 'password'>
>

/** @returns the user after the change */
export async function updateUser(
  writes: Writes,
  uid: string,
  { at, ...change }: UserUpdate & { at: Date },
): Promise<StoredUser> {
  return writes
    .updateTable('users')
    .set({ ...pick(change, userUpdate), changedAt: at })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteUser(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('users').where('uid', '=', uid).execute()
}

/** Saves the hash of a link. A former link of the user becomes invalid. */
export async function replaceLink(
  writes: Writes,
  link: { clientId: string; userUid: string; tokenHash: Buffer; createdAt: Date; expiresAt: Date },
): Promise<void> {
  // The operator makes links too: jobs_make_link().
  await lockUser(writes, link.userUid)
  await writes.deleteFrom('userLinks').where('userUid', '=', link.userUid).execute()
  await writes.insertInto('userLinks').values(link).execute()
}

export async function findPasswordHash(reads: Reads, uid: string): Promise<string | null> {
  const row = await reads.selectFrom('users').select('passwordHash').where('uid', '=', uid).executeTakeFirst()
  return row?.passwordHash ?? null
}
