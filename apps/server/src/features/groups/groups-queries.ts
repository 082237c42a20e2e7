import type { EditState, GroupRow } from '@floorcast/contract/groups.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { isOnlineAt } from '../../platform/database/connectivity.ts'
import {
  readMatching,
  readPage,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { isOnSomewhere, joinInForce } from '../../platform/database/publication-state.ts'

/** Which groups. */
export interface GroupSet {
  kind: 'all' | 'audio' | 'video'
  state?: EditState | undefined
}
export type GroupList = GroupSet & ListRequest

export interface GroupRecord {
  uid: string
  name: string
  description: string
  kind: 'audio' | 'video'
  state: EditState
  isUsed: boolean
  deviceCount: number
  onlineCount: number
  changedAt: string
  createdAt: string
  version: number
  isInForce: boolean
  publicationUid: string | null
  publicationName: string | null
  playlistUid: string | null
  playlistName: string | null
}

const columns = (now: Date) => sql`
  g.uid, g.name, g.description, g.kind, g.state, g.changed_at, g.created_at, g.version,
  exists (select from publications u where u.group_uid = g.uid and u.deleted_at is null) as is_used,
  exists (select from publications u where u.group_uid = g.uid and u.state <> 'disabled') as is_in_force,
  (select count(*) from devices d where d.group_uid = g.uid and d.deleted_at is null) as device_count,
  (select count(*) from devices d join device_states s on s.device_uid = d.uid
    where d.group_uid = g.uid and d.deleted_at is null and ${isOnlineAt(now)}) as online_count,
  p.uid as publication_uid, p.name as publication_name, l.uid as playlist_uid, l.name as playlist_name`

const fromGroups = (now: Date) => sql`
  from groups g
  ${joinInForce(sql`g.uid`, now)}
  left join playlists l on l.uid = p.playlist_uid`

export const referenceOf = (uid: string | null, name: string | null) =>
  uid === null ? null : { uid, name: name ?? '' }

const rowOf = (record: GroupRecord): GroupRow => ({
  ...record,
  publication: referenceOf(record.publicationUid, record.publicationName),
})

function conditions(list: GroupSet): RawBuilder<unknown> {
  const parts = [sql`g.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`g.kind = ${list.kind}`)
  if (list.state) parts.push(sql`g.state = ${list.state}`)
  return sql.join(parts, sql` and `)
}

function groupSource(list: GroupSet, now: Date) {
  return {
    name: sql`g.name`,
    columns: columns(now),
    from: fromGroups(now),
    where: conditions(list),
    searched: [sql`g.name`, sql`g.description`, sql`p.name`],
    sorts: {
      name: sql`lower(g.name)`,
      kind: sql`g.kind`,
      state: sql`g.state`,
      deviceCount: sql`(select count(*) from devices d where d.group_uid = g.uid and d.deleted_at is null)`,
      publication: sql`lower(p.name)`,
      changedAt: sql`g.changed_at`,
    },
    newest: sql`g.changed_at`,
    uid: sql`g.uid`,
  }
}

export async function listGroupRecords(
  reads: Reads,
  list: GroupList,
  now: Date,
): Promise<ListPage<GroupRow>> {
  const found = await readPage<GroupRecord>(reads, list, groupSource(list, now))
  return { ...found, items: found.items.map(rowOf) }
}

/** The groups that a bulk call's filter finds. */
export const findGroupsMatching = (reads: Reads, list: GroupSet & Matching, now: Date) =>
  readMatching(reads, list, groupSource(list, now))

export async function findGroupCard(reads: Reads, uid: string, now: Date): Promise<GroupRecord | undefined> {
  const { rows } = await sql<GroupRecord>`
    select ${columns(now)} ${fromGroups(now)} where g.uid = ${uid} and g.deleted_at is null`.execute(reads)
  return rows[0]
}

export interface GroupFields {
  uid: string
  kind: 'audio' | 'video'
  name: string
  description: string
  state: EditState
  version: number
}

/** The group, locked until the transaction ends. */
export function lockGroup(writes: Writes, uid: string): Promise<GroupFields | undefined> {
  return writes
    .selectFrom('groups')
    .select(['uid', 'kind', 'name', 'description', 'state', 'version'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export interface NewGroup {
  uid: string
  clientId: string
  kind: 'audio' | 'video'
  name: string
  description: string
  at: Date
}

export async function insertGroup(writes: Writes, { at, ...group }: NewGroup): Promise<void> {
  await writes
    .insertInto('groups')
    .values({ ...group, createdAt: at, changedAt: at })
    .execute()
}

export interface GroupUpdate {
  name?: string
  description?: string
  state?: EditState
  deletedAt?: Date
  deletedBy?: string
  formerMembers?: string[]
}

export async function updateGroup(
  writes: Writes,
  uid: string,
  { at, ...change }: GroupUpdate & { at: Date },
): Promise<void> {
  await writes
    .updateTable('groups')
    .set(eb => ({ ...change, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/** The devices that left a group when it went to the bin; forgotten with this. */
export async function takeFormerMembers(writes: Writes, uid: string): Promise<string[]> {
  const { rows } = await sql<{ formerMembers: string[] }>`
    with former as (select former_members from groups where uid = ${uid} for update)
    update groups set former_members = '{}' from former where uid = ${uid}
    returning former.former_members`.execute(writes)
  return rows[0]?.formerMembers ?? []
}

/** The publications that name a group, those in the bin left out, and whether they are in force or wait. */
export async function findGroupPublications(
  reads: Reads,
  groupUid: string,
  now: Date,
): Promise<{ name: string; isOn: boolean }[]> {
  const { rows } = await sql<{ name: string; isOn: boolean }>`
    select p.name, ${isOnSomewhere(now)} as is_on from publications p
    where p.group_uid = ${groupUid} and p.deleted_at is null order by p.name`.execute(reads)
  return rows
}

export async function listPickableGroups(reads: Reads, kind: 'all' | 'audio' | 'video') {
  let query = reads
    .selectFrom('groups')
    .select(['uid', 'name', 'kind', 'state'])
    .where('deletedAt', 'is', null)
  if (kind !== 'all') query = query.where('kind', '=', kind)
  return query.orderBy('name').orderBy('uid').execute()
}

/** Those of the groups that are there, outside the bin, held so until the transaction ends. */
export async function lockNamedGroups(writes: Writes, uids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select uid from groups where uid = any(${uids}::uuid[]) and deleted_at is null order by uid for share
  `.execute(writes)
  return rows.map(row => row.uid)
}
