import type { editProfile, ProfileRow, ProfileType } from '@floorcast/contract/device-profiles.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, pick, type UpdateOf } from '../../platform/database/columns.ts'
import {
  type ListColumns,
  type ListPage,
  type ListRequest,
  readPage,
  readRows,
  referencesTo,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'

export interface ProfileList extends ListRequest {
  type?: ProfileType | undefined
  state?: EditState | undefined
}

const profileColumns = {
  uid: { select: sql<string>`f.uid` },
  name: { select: sql<string>`f.name`, sort: sortKey(sql`f.name`), search: true },
  description: { select: sql<string>`f.description`, search: true },
  type: { select: sql<ProfileType>`f.type`, sort: true },
  state: { select: sql<EditState>`f.state`, sort: true },
  groups: {
    select: referencesTo(
      'g',
      sql`from profile_groups fg join groups g on g.uid = fg.group_uid
      where fg.profile_uid = f.uid and g.deleted_at is null`,
    ),
  },
  changedAt: { select: sql<string>`f.changed_at`, sort: true },
} satisfies ListColumns

const cardColumns = {
  ...profileColumns,
  settings: { select: sql<Record<string, unknown>>`f.settings` },
  activeSettings: { select: sql<Record<string, unknown> | null>`f.active_settings` },
  createdAt: { select: sql<string>`f.created_at` },
  version: { select: sql<number>`f.version` },
} satisfies ListColumns

export function listProfileRows(reads: Reads, list: ProfileList): Promise<ListPage<ProfileRow>> {
  const parts = [sql`true`]
  if (list.type) parts.push(sql`f.type = ${list.type}`)
  if (list.state) parts.push(sql`f.state = ${list.state}`)
  return readPage(reads, list, {
    columns: profileColumns,
    from: sql`from profiles f`,
    where: sql.join(parts, sql` and `),
    newest: sql`f.changed_at`,
  })
}

export async function findProfile(reads: Reads, uid: string) {
  const [profile] = await readRows(reads, cardColumns, sql`from profiles f where f.uid = ${uid}`)
  return profile
}

/** The names of one answer. */
const MAX_OVERRULED = 50

type StoredProfile = Selectable<Tables['profiles']>

/** Locks the profile until the transaction ends. */
export function lockProfile(writes: Writes, uid: string): Promise<StoredProfile | undefined> {
  return writes.selectFrom('profiles').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst()
}

/** The fields of a profile that a call changes. */
type Named = Exclude<keyof BodyOf<typeof editProfile>, 'uid' | 'version' | 'groupUids'>

const newProfile = ['uid', 'clientId', 'name', 'description', 'type'] as const
type NewProfile = Required<InsertOf<'profiles', typeof newProfile, Exclude<Named, 'settings'>>> &
  Pick<StoredProfile, 'settings'>

export async function insertProfile(writes: Writes, profile: NewProfile, at: Date): Promise<void> {
  await writes
    .insertInto('profiles')
    .values({
      ...pick(profile, newProfile),
      settings: JSON.stringify(profile.settings),
      createdAt: at,
      changedAt: at,
    })
    .execute()
}

const profileUpdate = ['name', 'description', 'state', 'activatedAt'] as const
type ProfileUpdate = UpdateOf<'profiles', typeof profileUpdate, Exclude<Named, 'type' | 'settings'>> &
  Partial<Pick<StoredProfile, 'settings' | 'activeSettings'>>

const jsonOf = (value: object | null | undefined) => (value ? JSON.stringify(value) : undefined)

/** @returns the profile after the change */
export async function updateProfile(
  writes: Writes,
  uid: string,
  { at, ...change }: ProfileUpdate & { at: Date },
): Promise<StoredProfile> {
  return writes
    .updateTable('profiles')
    .set({
      ...pick(change, profileUpdate),
      settings: jsonOf(change.settings),
      activeSettings: jsonOf(change.activeSettings),
      changedAt: at,
      version: sql<number>`version + 1`,
    })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeProfile(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('profiles').where('uid', '=', uid).execute()
}

export async function findProfileGroups(reads: Reads, profileUid: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('profileGroups')
    .select('groupUid')
    .where('profileUid', '=', profileUid)
    .orderBy('groupUid')
    .execute()
  return rows.map(row => row.groupUid)
}

/** The profiles of the same type that are in force in one of a profile's groups, by name. */
export async function findSameType(
  reads: Reads,
  { uid, type }: Pick<StoredProfile, 'uid' | 'type'>,
): Promise<{ uid: string; name: string }[]> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select f.uid, f.name from profiles f
    where f.uid <> ${uid} and f.type = ${type} and f.active_settings is not null and exists (
      select from profile_groups theirs join profile_groups own on own.group_uid = theirs.group_uid
      where theirs.profile_uid = f.uid and own.profile_uid = ${uid})
    order by ${sortKey(sql`f.name`)}, f.uid limit ${MAX_OVERRULED}`.execute(reads)
  return rows
}

export async function replaceGroups(
  writes: Writes,
  profile: { uid: string; clientId: string },
  groupUids: readonly string[],
): Promise<void> {
  await writes.deleteFrom('profileGroups').where('profileUid', '=', profile.uid).execute()
  await sql`
    insert into profile_groups (profile_uid, group_uid, client_id)
    select ${profile.uid}::uuid, uid, ${profile.clientId}::uuid from unnest(${groupUids}::uuid[]) as x(uid)
  `.execute(writes)
}
