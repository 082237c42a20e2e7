import type { BinAction, BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import {
  type BinKind,
  BIN_DAYS,
  type BinRow,
  type Dependent,
  type NeededItem,
} from '@floorcast/contract/recycle-bin.ts'
import { type RawBuilder, sql } from 'kysely'
import { countBulk, selectedUids } from '../../platform/database/bulk-plan.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import {
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
  readMatching,
  readPage,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'
import { type BulkSelection, MAX_NAMES, type NamedItem } from '../../platform/lib/bulk.ts'
import { isOnSomewhere, publicationStateAt } from '../publication-state/publication-state-sql.ts'
import { isNeededInBin, KINDS } from './purge-queries.ts'

/** Media have a content type where the others have a kind. */
const binColumns = (x: BinKind) =>
  ({
    uid: { select: sql<string>`b.uid` },
    name: { select: sql<string>`b.name`, sort: sql`b.sort_name`, search: true },
    description: { select: sql<string>`b.description`, search: true },
    kind: { select: sql<Kind | null>`${KINDS[x].within === 'kind' ? sql`b.kind` : sql`null`}` },
    mediaType: { select: sql<MediaType | null>`${x === 'media' ? sql`b.content_type` : sql`null`}` },
    deletedAt: { select: sql<string>`b.deleted_at`, sort: true },
    deletedBy: { select: sql<string | null>`u.email`, sort: true, search: true },
    purgedAt: { select: sql<string>`b.deleted_at + make_interval(days => ${BIN_DAYS})` },
  }) satisfies ListColumns

/** A filter of one kind's items of the bin. */
interface BinSet {
  mediaType?: MediaType | undefined
  kind?: Kind | undefined
}
export type BinList = BinSet & ListRequest
/** The items of a bulk call. */
export type BinSelection = BulkSelection<BinSet & { search: string }>

function conditions(x: BinKind, { mediaType, kind }: BinSet): RawBuilder<unknown> {
  const parts = [sql`b.deleted_at is not null`]
  if (mediaType) parts.push(x === 'media' ? sql`b.content_type = ${mediaType}` : sql`false`)
  if (kind) parts.push(KINDS[x].within === 'kind' ? sql`b.kind = ${kind}` : sql`false`)
  return sql.join(parts, sql` and `)
}

const binSource = (x: BinKind, list: BinSet) => ({
  columns: binColumns(x),
  from: sql`from ${KINDS[x].table} b left join users u on u.uid = b.deleted_by`,
  where: conditions(x, list),
  newest: sql`b.deleted_at`,
})

export const listBinRows = (reads: Reads, x: BinKind, list: BinList): Promise<ListPage<BinRow>> =>
  readPage(reads, list, binSource(x, list))

/** The items of the bin that a bulk call's filter finds. */
export const findBinnedMatching = (reads: Reads, x: BinKind, list: BinSet & Matching) =>
  readMatching(reads, list, binSource(x, list))

/** Names of those of the uids that are in the bin. */
export async function findBinnedNames(
  reads: Reads,
  x: BinKind,
  uids: readonly string[],
): Promise<NamedItem[]> {
  const { rows } = await sql<NamedItem>`
    select b.uid, b.name from ${KINDS[x].table} b
    where b.deleted_at is not null and b.uid = any(${uids}::uuid[]) order by b.uid`.execute(reads)
  return rows
}

/** In SQL: the item `b` needs another one that is in the bin. */
const needsBinned: Partial<Record<BinKind, RawBuilder<unknown>>> = {
  publications: sql`(exists (select from groups g where g.uid = b.group_uid and g.deleted_at is not null)
    or exists (select from playlists l where l.uid = b.playlist_uid and l.deleted_at is not null))`,
  playlists: sql`exists (select from playlist_items i join media_items m on m.uid = i.media_uid
    where i.playlist_uid = b.uid and m.deleted_at is not null)`,
}

/** Why an action leaves out the item `b` of the bin; null if it does not. @param deviceRoom devices that the plan still allows */
function whyLeftOut(x: BinKind, action: BinAction, deviceRoom: number): RawBuilder<unknown> {
  if (action === 'purge') return sql`case when ${isNeededInBin(x)} then 'needed-in-bin' end`
  if (x === 'devices')
    return sql`case when row_number() over (order by b.uid) > ${deviceRoom} then 'device-limit' end`
  return sql`case when ${needsBinned[x] ?? sql`false`} then 'restore-these-first' end`
}

const selected = (x: BinKind, items: BinSelection) => selectedUids(items, filter => binSource(x, filter))

export const countBinAction = (
  reads: Reads,
  x: BinKind,
  { items, action, deviceRoom }: { items: BinSelection; action: BinAction; deviceRoom: number },
): Promise<BulkPlan> =>
  countBulk(reads, {
    selected: selected(x, items),
    from: sql`from ${KINDS[x].table} b where b.deleted_at is not null`,
    uid: sql`b.uid`,
    why: whyLeftOut(x, action, deviceRoom),
  })

/** The bytes of files and preview images that a purge of selected media frees: the plan counts every item's. */
export async function sumFreedBytes(reads: Reads, items: BinSelection): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(b.preview_size_bytes + coalesce(
      (select sum(f.size_bytes) from media_files f where f.media_uid = b.uid), 0)), 0)::bigint as bytes
    from media_items b
    where b.deleted_at is not null and not ${isNeededInBin('media')}
      and b.uid = any(array(${selected('media', items)}))`.execute(reads)
  return Number(rows[0]?.bytes ?? 0)
}

/** The first names of what needs each item that is still in the bin. */
export async function findWhyKept(
  reads: Reads,
  { x, uids }: { x: BinKind; uids: readonly string[] },
  now: Date,
): Promise<(NamedItem & { names: string[] })[]> {
  const { rows } = await sql<NamedItem & { names: string[] }>`
    select b.uid, b.name, array(select d.name from (${dependents[x](sql`b.uid`, now)}) d
      order by d.is_blocking desc, d.is_in_bin, d.sort_name, d.uid limit ${MAX_NAMES}) as names
    from ${KINDS[x].table} b where b.deleted_at is not null and b.uid = any(${uids}::uuid[])`.execute(reads)
  return rows
}

/** An item by kind and uid. */
export interface BinId {
  x: BinKind
  uid: string
}

export interface BinnedItem {
  uid: string
  name: string
  deletedAt: string
  deletedBy: string | null
}

/** Locks an item of the bin until the transaction ends. */
export async function lockBinned(writes: Writes, x: BinKind, uid: string): Promise<BinnedItem | undefined> {
  const { rows } = await sql<BinnedItem>`
    select uid, name, deleted_at, deleted_by from ${KINDS[x].table}
    where uid = ${uid} and deleted_at is not null for update`.execute(writes)
  return rows[0]
}

/** Finds an item, in the bin or not. */
export async function findItem(reads: Reads, x: BinKind, uid: string): Promise<{ uid: string } | undefined> {
  const { rows } = await sql<{ uid: string }>`select uid from ${KINDS[x].table} where uid = ${uid}`.execute(
    reads,
  )
  return rows[0]
}

/** Locks the items that an item needs until the transaction ends. @returns those in the bin, each once */
export async function findMissingNeeds(writes: Writes, x: BinKind, uid: string): Promise<NeededItem[]> {
  const needs: Partial<Record<BinKind, RawBuilder<unknown>[]>> = {
    publications: [
      sql`select 'groups' as kind, g.uid, g.name, g.deleted_at from groups g
        join publications p on p.group_uid = g.uid where p.uid = ${uid} for share of g`,
      sql`select 'playlists' as kind, l.uid, l.name, l.deleted_at from playlists l
        join publications p on p.playlist_uid = l.uid where p.uid = ${uid} for share of l`,
    ],
    playlists: [
      sql`select 'media' as kind, m.uid, m.name, m.deleted_at from media_items m
        join playlist_items i on i.media_uid = m.uid
        where i.playlist_uid = ${uid} order by m.uid for share of m`,
    ],
  }
  const missing = new Map<string, NeededItem>()
  for (const need of needs[x] ?? []) {
    const { rows } = await sql<NeededItem & { deletedAt: string | null }>`${need}`.execute(writes)
    for (const { deletedAt, ...item } of rows) if (deletedAt !== null) missing.set(item.uid, item)
  }
  return [...missing.values()]
}

/** True if an item outside the bin has this name, and the same kind or content type. */
export async function isNameTaken(reads: Reads, { x, uid }: BinId, name: string): Promise<boolean> {
  const { table, within } = KINDS[x]
  const isAlike =
    within === null
      ? sql`true`
      : sql`b.${sql.ref(within)} = (select o.${sql.ref(within)} from ${table} o where o.uid = ${uid})`
  const { rows } = await sql`
    select from ${table} b where b.deleted_at is null and b.sort_name = sort_key(${name}::text) and b.name = ${name}
      and ${isAlike} limit 1`.execute(reads)
  return rows.length > 0
}

/** The file name of a media item in the bin, and whether an item outside the bin has it now. */
export async function findOriginalName(
  reads: Reads,
  uid: string,
  wanted: string | null,
): Promise<{ originalName: string; isTaken: boolean }> {
  const { rows } = await sql<{ originalName: string; isTaken: boolean }>`
    select b.original_name, exists (select from media_items m where m.deleted_at is null
      and m.content_type = b.content_type and m.original_name = coalesce(${wanted}, b.original_name)) as is_taken
    from media_items b where b.uid = ${uid}`.execute(reads)
  return rows[0] ?? { originalName: '', isTaken: false }
}

export interface Restored {
  name: string
  /** The new file name of a media item whose former one is taken; else null. */
  originalName: string | null
  at: Date
}

export async function restoreRow(writes: Writes, { x, uid }: BinId, to: Restored): Promise<void> {
  const original = to.originalName === null ? sql`` : sql`, original_name = ${to.originalName}`
  await sql`
    update ${KINDS[x].table} set deleted_at = null, deleted_by = null, name = ${to.name}, changed_at = ${to.at},
      version = version + 1 ${original}
    where uid = ${uid}`.execute(writes)
}

/** The hashes of a media item's files and preview. */
export async function findHashes(reads: Reads, mediaUid: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from media_files where media_uid = ${mediaUid}
    union select preview_sha256 from media_items where uid = ${mediaUid} and preview_sha256 is not null
  `.execute(reads)
  return rows.map(row => row.sha256)
}

/** The media whose files a smart playlist pins. Their former files may have no other use. */
export async function findPlannedMedia(reads: Reads, playlistUid: string): Promise<string[]> {
  const { rows } = await sql<{ mediaUid: string }>`
    select distinct media_uid from playlist_items
    where playlist_uid = ${playlistUid} and pinned_file_version is not null`.execute(reads)
  return rows.map(row => row.mediaUid)
}

export async function purgeRow(writes: Writes, x: BinKind, uid: string): Promise<void> {
  await sql`delete from ${KINDS[x].table} where uid = ${uid} and deleted_at is not null`.execute(writes)
}

const publicationsOf = (column: RawBuilder<unknown>, uid: RawBuilder<unknown>, now: Date) => sql`
  select 'publications' as kind, p.uid, p.name, ${publicationStateAt(now)} as state, p.deleted_at is not null as is_in_bin,
    p.deleted_at is null as is_blocking, p.sort_name
  from publications p where p.${column} = ${uid}`

/** The maximum number of dependents in an answer. */
export const MAX_DEPENDENTS = 200

/** In SQL, by the uid in SQL: what depends on an item. */
const dependents: Record<BinKind, (uid: RawBuilder<unknown>, now: Date) => RawBuilder<unknown>> = {
  media: uid => sql`
    select distinct 'playlists' as kind, l.uid, l.name, l.state, l.deleted_at is not null as is_in_bin,
      l.deleted_at is null as is_blocking, l.sort_name
    from playlists l join playlist_items i on i.playlist_uid = l.uid where i.media_uid = ${uid}
    union all
    select 'profiles', f.uid, f.name, f.state, false, true, ${sortKey(sql`f.name`)}
    from profiles f join profile_media n on n.profile_uid = f.uid where n.media_uid = ${uid}`,
  playlists: (uid, now) => publicationsOf(sql`playlist_uid`, uid, now),
  groups: (uid, now) => sql`
    ${publicationsOf(sql`group_uid`, uid, now)}
    union all
    select 'devices', d.uid, d.name, null, false, false, d.sort_name from devices d
    where d.group_uid = ${uid} and d.deleted_at is null`,
  devices: uid => sql`
    select 'groups' as kind, g.uid, g.name, g.state, false as is_in_bin, true as is_blocking, g.sort_name
    from groups g join devices d on d.group_uid = g.uid where d.uid = ${uid} and d.deleted_at is null`,
  publications: (uid, now) => sql`
    select 'groups' as kind, g.uid, g.name, g.state, false as is_in_bin, ${isOnSomewhere(now)} as is_blocking,
      g.sort_name
    from groups g join publications p on p.group_uid = g.uid where p.uid = ${uid} and p.deleted_at is null`,
}

/** Items that name an item and work without it. */
const namedBy: Partial<Record<BinKind, (uid: string) => RawBuilder<unknown>>> = {
  groups: uid => sql`
    select 'profiles' as kind, f.uid, f.name, f.state from profiles f
    join profile_groups n on n.profile_uid = f.uid where n.group_uid = ${uid}
    union all
    select 'channels', c.uid, c.name, c.state from update_channels c
    join update_channel_groups n on n.channel_uid = c.uid where n.group_uid = ${uid}`,
  devices: uid => sql`
    select 'users' as kind, u.uid, u.email as name, null as state from users u where u.linked_device_uid = ${uid}`,
}

/** The profiles, channels and users that name an item, sorted by name. */
export async function findNamedBy(reads: Reads, x: BinKind, uid: string): Promise<Dependent[]> {
  const select = namedBy[x]
  if (!select) return []
  const { rows } = await sql<Dependent>`
    select found.*, false as is_in_bin, false as is_blocking from (${select(uid)}) found
    order by ${sortKey(sql`name`)}, uid limit ${MAX_DEPENDENTS}`.execute(reads)
  return rows
}

export async function findDependents(reads: Reads, { x, uid }: BinId, now: Date): Promise<Dependent[]> {
  const { rows } = await sql<Dependent>`
    select kind, uid, name, state, is_in_bin, is_blocking from (${dependents[x](sql`${uid}::uuid`, now)}) found
    order by is_blocking desc, is_in_bin, sort_name, uid limit ${MAX_DEPENDENTS}`.execute(reads)
  return rows
}
