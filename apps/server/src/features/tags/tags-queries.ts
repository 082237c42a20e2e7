import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addTag, editTag, EffectiveTags, Tag, TagLevel } from '@floorcast/contract/tag-calls.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { insertMany } from '../../platform/database/insert-many.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'

/** The owner of tags: the uid of a device, a group or the client. */
export interface TagOwner {
  level: TagLevel
  uid: string
}

const columnsOf = ({ level, uid }: TagOwner) => ({
  deviceUid: level === 'device' ? uid : null,
  groupUid: level === 'group' ? uid : null,
})

const isOf = (owner: TagOwner): RawBuilder<unknown> => {
  if (owner.level === 'device') return sql`device_uid = ${owner.uid}`
  if (owner.level === 'group') return sql`group_uid = ${owner.uid}`
  return sql`device_uid is null and group_uid is null`
}

/** Locks the owner outside the bin until the transaction ends, so that it cannot be deleted. A client is never in the bin. */
export async function holdOwner(
  writes: Writes,
  { level, uid }: TagOwner,
): Promise<{ name: string } | undefined> {
  const from = { device: sql`devices`, group: sql`groups` }
  const { rows } =
    level === 'client'
      ? await sql<{ name: string }>`select name from clients where uid = ${uid}`.execute(writes)
      : await sql<{ name: string }>`
          select name from ${from[level]} where uid = ${uid} and deleted_at is null for share`.execute(writes)
  return rows[0]
}

/** Locks the devices or groups of these uids outside the bin until the transaction ends, always in the same order. */
export async function holdOwners(
  writes: Writes,
  level: 'device' | 'group',
  uids: readonly string[],
): Promise<{ uid: string; name: string }[]> {
  const from = level === 'device' ? sql`devices` : sql`groups`
  const { rows } = await sql<{ uid: string; name: string }>`
    select uid, name from ${from} where uid = any(${uids}::uuid[]) and deleted_at is null order by uid for share
  `.execute(writes)
  return rows
}

export async function findOwner(
  reads: Reads,
  { level, uid }: TagOwner,
): Promise<{ uid: string } | undefined> {
  const from = { device: sql`devices`, group: sql`groups` }
  const living = level === 'client' ? sql`clients where true` : sql`${from[level]} where deleted_at is null`
  const { rows } = await sql<{ uid: string }>`select uid from ${living} and uid = ${uid}`.execute(reads)
  return rows[0]
}

/** Items outside the bin by their exact names, for an import. */
export async function findByNames(
  reads: Reads,
  level: 'device' | 'group',
  names: readonly string[],
): Promise<{ uid: string; name: string }[]> {
  const from = level === 'device' ? sql`devices` : sql`groups`
  const { rows } = await sql<{ uid: string; name: string }>`
    select uid, name from ${from} where deleted_at is null and name = any(${names}::text[])`.execute(reads)
  return rows
}

export async function readTags(reads: Reads, owner: TagOwner): Promise<Tag[]> {
  const { rows } = await sql<Tag>`
    select uid, key, value, description, changed_at from tags where ${isOf(owner)} order by key`.execute(
    reads,
  )
  return rows
}

/** Locks a tag until the transaction ends. */
export async function lockTag(
  writes: Writes,
  owner: TagOwner,
  key: string,
): Promise<Selectable<Tables['tags']> | undefined> {
  return writes
    .selectFrom('tags')
    .selectAll()
    .where(sql<boolean>`${isOf(owner)}`)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
}

const newTag = ['clientId', 'key', 'value', 'description'] as const
type NewTag = InsertOf<'tags', typeof newTag, keyof BodyOf<typeof addTag>>

/** Adds a tag. False if one with this key exists. */
export async function insertTag(
  writes: Writes,
  owner: TagOwner,
  { at, ...tag }: NewTag & { at: Date },
): Promise<boolean> {
  const added = await writes
    .insertInto('tags')
    .values({ ...pick(tag, newTag), uid: uuidV7(), ...columnsOf(owner), createdAt: at, changedAt: at })
    .onConflict(conflict => conflict.columns(['clientId', 'deviceUid', 'groupUid', 'key']).doNothing())
    .returning('uid')
    .executeTakeFirst()
  return added !== undefined
}

/** Adds tags of new devices, which have none, by one statement. */
export const insertDeviceTags = (
  writes: Writes,
  tags: readonly { clientId: string; deviceUid: string; key: string; value: string }[],
  at: Date,
): Promise<void> =>
  insertMany(
    writes,
    'tags',
    tags.map(({ clientId, deviceUid, key, value }) => ({
      uid: uuidV7(),
      clientId,
      ...columnsOf({ level: 'device', uid: deviceUid }),
      key,
      value,
      description: '',
      createdAt: at,
      changedAt: at,
    })),
  )

const tagUpdate = ['value', 'description'] as const
type TagUpdate = Required<UpdateOf<'tags', typeof tagUpdate, Exclude<keyof BodyOf<typeof editTag>, 'key'>>>

export async function updateTag(
  writes: Writes,
  uid: string,
  { at, ...change }: TagUpdate & { at: Date },
): Promise<void> {
  await writes
    .updateTable('tags')
    .set({ ...pick(change, tagUpdate), changedAt: at })
    .where('uid', '=', uid)
    .execute()
}

/**
 * Adds a tag, or changes the one with this key. A transaction that sets many tags sets them in one order (`compareTags`).
 * @returns the former tag
 */
export async function setTag(
  writes: Writes,
  owner: TagOwner,
  { at, ...tag }: NewTag & { description: string; at: Date },
): Promise<Selectable<Tables['tags']> | undefined> {
  for (;;) {
    const former = await lockTag(writes, owner, tag.key)
    if (former) {
      await updateTag(writes, former.uid, { value: tag.value, description: tag.description, at })
      return former
    }
    if (await insertTag(writes, owner, { ...tag, at })) return undefined
    // Another transaction has added it meanwhile; its value is the former one.
  }
}

const LEVEL_ORDER: readonly TagLevel[] = ['group', 'device', 'client']
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The order in which a transaction locks tags: owner, then key. */
export function compareTags(
  a: { owner: TagOwner; key: string },
  b: { owner: TagOwner; key: string },
): number {
  return (
    LEVEL_ORDER.indexOf(a.owner.level) - LEVEL_ORDER.indexOf(b.owner.level) ||
    compareTexts(a.owner.uid, b.owner.uid) ||
    compareTexts(a.key, b.key)
  )
}

export async function removeTag(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('tags').where('uid', '=', uid).execute()
}

/** Locks a device outside the bin for a change of its policy until the transaction ends. */
export const lockPolicy = (
  writes: Writes,
  deviceUid: string,
): Promise<Selectable<Tables['devices']> | undefined> =>
  writes
    .selectFrom('devices')
    .selectAll()
    .where('uid', '=', deviceUid)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Sets the policy of a device that the caller has locked. */
export async function savePolicy(writes: Writes, deviceUid: string, policy: TagLevel): Promise<void> {
  await writes
    .updateTable('devices')
    .set(eb => ({ tagPolicy: policy, version: eb('version', '+', 1) }))
    .where('uid', '=', deviceUid)
    .execute()
}

/** The tag policy of a device and the tags of its three levels. */
export async function findSources(reads: Reads, deviceUid: string) {
  const { rows: devices } = await sql<{ policy: TagLevel; groupUid: string | null }>`
    select coalesce(d.tag_policy, c.tag_policy) as policy, d.group_uid
    from devices d join clients c on c.uid = d.client_id
    where d.uid = ${deviceUid} and d.deleted_at is null`.execute(reads)
  const [device] = devices
  if (!device) return undefined
  const { rows: tags } = await sql<EffectiveTags['tags'][number]>`
    select key, value,
      case when device_uid is not null then 'device' when group_uid is not null then 'group' else 'client' end as level
    from tags where device_uid = ${deviceUid} or group_uid = ${device.groupUid}
      or (device_uid is null and group_uid is null)`.execute(reads)
  return { policy: device.policy, tags }
}
