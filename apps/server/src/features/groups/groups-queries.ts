import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import type { addGroup, editGroup, EditState, GroupRow } from '@floorcast/contract/groups.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import { countBulk, selectedUids } from '../../platform/database/bulk-plan.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import {
  readMatching,
  readPage,
  readRows,
  referenceTo,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { findNames, findUnused } from '../../platform/database/names.ts'
import type { BulkSelection } from '../../platform/lib/bulk.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { isOnlineAt } from '../devices/devices-sql.ts'
import { isOnSomewhere, joinInForce } from '../publication-state/publication-state-sql.ts'

/** A filter of groups. */
export interface GroupSet {
  kind: KindFilter
  state?: EditState | undefined
}
export type GroupList = GroupSet & ListRequest
/** The groups of a bulk call. */
export type GroupSelection = BulkSelection<GroupSet & { search: string }>

const DEVICE_COUNT = sql<number>`
  (select count(*) from devices d where d.group_uid = g.uid and d.deleted_at is null)`

const groupColumns = {
  uid: { select: sql<string>`g.uid` },
  name: { select: sql<string>`g.name`, sort: sql`g.sort_name`, search: true },
  description: { select: sql<string>`g.description`, search: true },
  kind: { select: sql<Kind>`g.kind`, sort: true },
  state: { select: sql<EditState>`g.state`, sort: true },
  isUsed: {
    select: sql<boolean>`
        exists (select from publications u where u.group_uid = g.uid and u.deleted_at is null)`,
  },
  deviceCount: { select: DEVICE_COUNT, sort: true },
  publication: { select: referenceTo('p'), sort: sql`p.sort_name`, search: [sql`p.name`] },
  changedAt: { select: sql<string>`g.changed_at`, sort: true },
} satisfies ListColumns

const cardColumns = {
  ...groupColumns,
  isInForce: {
    select: sql<boolean>`
        exists (select from publications u where u.group_uid = g.uid and u.state <> 'disabled')`,
  },
  playlist: { select: referenceTo('l') },
  createdAt: { select: sql<string>`g.created_at` },
  version: { select: sql<number>`g.version` },
} satisfies ListColumns

const fromGroups = (now: Date) => sql`
  from groups g
  ${joinInForce(sql`g.uid`, now)}
  left join playlists l on l.uid = p.playlist_uid`

function conditions(list: GroupSet): RawBuilder<unknown> {
  const parts = [sql`g.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`g.kind = ${list.kind}`)
  if (list.state) parts.push(sql`g.state = ${list.state}`)
  return sql.join(parts, sql` and `)
}

const groupSource = (list: GroupSet, now: Date) => ({
  columns: groupColumns,
  from: fromGroups(now),
  where: conditions(list),
  newest: sql`g.changed_at`,
})

/**
 * Adds the number of online devices to groups. It is counted for a page at once: for each group alone, PostgreSQL would look up
 * the state of every single device.
 */
async function withOnlineCounts<Group extends { uid: string }>(
  reads: Reads,
  groups: readonly Group[],
  now: Date,
): Promise<(Group & { onlineCount: number })[]> {
  const { rows } = await sql<{ groupUid: string; online: number }>`
    select d.group_uid, count(*) as online from devices d join device_states s on s.device_uid = d.uid
    where d.group_uid = any(${groups.map(({ uid }) => uid)}::uuid[]) and d.deleted_at is null and ${isOnlineAt(now)}
    group by d.group_uid`.execute(reads)
  const counts = new Map(rows.map(({ groupUid, online }) => [groupUid, online]))
  return groups.map(group => ({ ...group, onlineCount: counts.get(group.uid) ?? 0 }))
}

export async function listGroupRows(reads: Reads, list: GroupList, now: Date): Promise<ListPage<GroupRow>> {
  const page = await readPage(reads, list, groupSource(list, now))
  return { ...page, items: await withOnlineCounts(reads, page.items, now) }
}

/** The groups that a bulk call's filter finds. */
export const findGroupsMatching = (reads: Reads, list: GroupSet & Matching, now: Date) =>
  readMatching(reads, list, groupSource(list, now))

const isNamed = sql`exists (
  select from publications p where p.group_uid = g.uid and p.deleted_at is null)`
const isInForceNow = (now: Date) => sql`exists (
  select from publications p where p.group_uid = g.uid and p.deleted_at is null and ${isOnSomewhere(now)})`

/** Why an action leaves a group out; null if it does not. */
const whyLeftOut = (action: EditAction, now: Date): RawBuilder<unknown> =>
  ({
    activate: sql`case when g.state = 'active' then 'already-so' end`,
    pause: sql`case when g.state = 'paused' then 'already-so'
      when ${isInForceNow(now)} then 'in-force-cannot-be-paused' end`,
    delete: sql`case when ${isNamed} then 'in-use' end`,
  })[action]

export const countGroupAction = (
  reads: Reads,
  { items, action, now }: { items: GroupSelection; action: EditAction; now: Date },
) =>
  countBulk(reads, {
    selected: selectedUids(items, filter => groupSource(filter, now)),
    from: sql`from groups g where g.deleted_at is null`,
    uid: sql`g.uid`,
    why: whyLeftOut(action, now),
  })

export async function findGroupCard(reads: Reads, uid: string, now: Date) {
  const from = sql`${fromGroups(now)} where g.uid = ${uid} and g.deleted_at is null`
  const [card] = await withOnlineCounts(reads, await readRows(reads, cardColumns, from), now)
  return card
}

export type StoredGroup = Selectable<Tables['groups']>

/** Locks the group until the transaction ends. */
export function lockGroup(writes: Writes, uid: string): Promise<StoredGroup | undefined> {
  return writes
    .selectFrom('groups')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** A group outside the bin. */
export function findStoredGroup(
  reads: Reads,
  uid: string,
): Promise<Pick<StoredGroup, 'uid' | 'name' | 'kind' | 'state'> | undefined> {
  return reads
    .selectFrom('groups')
    .select(['uid', 'name', 'kind', 'state'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

const newGroup = ['uid', 'clientId', 'kind', 'name', 'description'] as const
type NewGroup = InsertOf<'groups', typeof newGroup, keyof BodyOf<typeof addGroup>>

export async function insertGroup(writes: Writes, group: NewGroup, at: Date): Promise<void> {
  await writes
    .insertInto('groups')
    .values({ ...pick(group, newGroup), createdAt: at, changedAt: at })
    .execute()
}

/** Gives a group the tags and configuration profiles of another one. @returns how many */
export async function copyTagsAndProfiles(
  writes: Writes,
  { from, to }: { from: string; to: string },
  at: Date,
): Promise<{ tags: number; profiles: number }> {
  const tags = await writes.selectFrom('tags').selectAll().where('groupUid', '=', from).execute()
  if (tags.length > 0)
    await writes
      .insertInto('tags')
      .values(tags.map(tag => ({ ...tag, uid: uuidV7(), groupUid: to, createdAt: at, changedAt: at })))
      .execute()
  const { numAffectedRows = 0n } = await sql`
    insert into profile_groups (profile_uid, group_uid, client_id)
    select profile_uid, ${to}::uuid, client_id from profile_groups where group_uid = ${from}`.execute(writes)
  return { tags: tags.length, profiles: Number(numAffectedRows) }
}

const groupUpdate = ['name', 'description', 'state', 'deletedAt', 'deletedBy', 'formerMembers'] as const
type GroupUpdate = UpdateOf<'groups', typeof groupUpdate, EditedField<typeof editGroup>>

/** @returns the group after the change */
export async function updateGroup(
  writes: Writes,
  uid: string,
  { at, ...change }: GroupUpdate & { at: Date },
): Promise<StoredGroup> {
  return writes
    .updateTable('groups')
    .set({ ...pick(change, groupUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Reads and deletes the list of devices that left a group when it moved to the bin. */
export async function takeFormerMembers(writes: Writes, uid: string): Promise<string[]> {
  const { rows } = await sql<{ formerMembers: string[] }>`
    with former as (select former_members from groups where uid = ${uid} for update)
    update groups set former_members = '{}' from former where uid = ${uid}
    returning former.former_members`.execute(writes)
  return rows[0]?.formerMembers ?? []
}

/** Locks the groups of these uids that exist outside the bin until the transaction ends. */
export async function lockNamedGroups(writes: Writes, uids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select uid from groups where uid = any(${uids}::uuid[]) and deleted_at is null order by uid for share
  `.execute(writes)
  return rows.map(row => row.uid)
}

/** Locks the groups outside the bin with one of these uids or names (whatever the case) until the transaction ends. */
export async function lockGroupsForImport(
  writes: Writes,
  { uids, names }: { uids: readonly string[]; names: readonly string[] },
): Promise<{ uid: string; name: string; kind: Kind }[]> {
  const { rows } = await sql<{ uid: string; name: string; kind: Kind }>`
    select uid, name, kind from groups
    where deleted_at is null and (uid = any(${uids}::uuid[]) or lower(name) in (select lower(x) from unnest(${names}::text[]) x))
    order by uid for share`.execute(writes)
  return rows
}

/** Names of those of the uids that are groups outside the recycle bin. */
export const findGroupNames = (reads: Reads, uids: readonly string[]) =>
  findNames(reads, { table: 'groups' }, uids)

/** Groups that no publication outside the recycle bin names. */
export const findUnusedGroups = (reads: Reads) =>
  findUnused(
    reads,
    'groups',
    sql`not exists (select from publications p where p.group_uid = t.uid and p.deleted_at is null)`,
  )
