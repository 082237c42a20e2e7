import type { Kind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { type BinKind, BIN_DAYS, type BinRow, type Dependent } from '@floorcast/contract/recycle-bin.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type ListColumns, type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import { isOnSomewhere, publicationStateAt } from '../publication-state/publication-state-sql.ts'

const TABLES: Record<BinKind, RawBuilder<unknown>> = {
  media: sql`media_items`,
  devices: sql`devices`,
  groups: sql`groups`,
  publications: sql`publications`,
  playlists: sql`playlists`,
}

/** Media have a content type where the others have a kind. */
const binColumns = (x: BinKind) =>
  ({
    uid: { select: sql<string>`b.uid` },
    name: { select: sql<string>`b.name`, sort: sql`lower(b.name)`, search: true },
    description: { select: sql<string>`b.description`, search: true },
    kind: { select: sql<Kind | null>`${x === 'media' ? sql`null` : sql`b.kind`}` },
    mediaType: { select: sql<MediaType | null>`${x === 'media' ? sql`b.content_type` : sql`null`}` },
    deletedAt: { select: sql<string>`b.deleted_at`, sort: true },
    deletedBy: { select: sql<string | null>`u.email`, sort: true, search: true },
    purgedAt: { select: sql<string>`b.deleted_at + make_interval(days => ${BIN_DAYS})` },
  }) satisfies ListColumns

export const listBinRows = (reads: Reads, x: BinKind, list: ListRequest): Promise<ListPage<BinRow>> =>
  readPage(reads, list, {
    columns: binColumns(x),
    from: sql`from ${TABLES[x]} b left join users u on u.uid = b.deleted_by`,
    where: sql`b.deleted_at is not null`,
    newest: sql`b.deleted_at`,
  })

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
    select uid, name, deleted_at, deleted_by from ${TABLES[x]}
    where uid = ${uid} and deleted_at is not null for update`.execute(writes)
  return rows[0]
}

/** Finds an item, in the bin or not. */
export async function findItem(reads: Reads, x: BinKind, uid: string): Promise<{ uid: string } | undefined> {
  const { rows } = await sql<{ uid: string }>`select uid from ${TABLES[x]} where uid = ${uid}`.execute(reads)
  return rows[0]
}

/** Locks the items that an item needs until the transaction ends. @returns the names of those in the bin */
export async function findMissingNeeds(writes: Writes, x: BinKind, uid: string): Promise<string[]> {
  const needs: Partial<Record<BinKind, RawBuilder<unknown>[]>> = {
    publications: [
      sql`select g.name, g.deleted_at from groups g join publications p on p.group_uid = g.uid
        where p.uid = ${uid} for share of g`,
      sql`select l.name, l.deleted_at from playlists l join publications p on p.playlist_uid = l.uid
        where p.uid = ${uid} for share of l`,
    ],
    playlists: [
      sql`select m.name, m.deleted_at from media_items m join playlist_items i on i.media_uid = m.uid
        where i.playlist_uid = ${uid} order by m.uid for share of m`,
    ],
  }
  const missing = new Set<string>()
  for (const need of needs[x] ?? []) {
    const { rows } = await sql<{ name: string; deletedAt: string | null }>`${need}`.execute(writes)
    for (const { name, deletedAt } of rows) if (deletedAt !== null) missing.add(name)
  }
  return [...missing]
}

/** True if an item outside the bin has this name and the same kind, or for media the same content type. */
export async function isNameTaken(reads: Reads, { x, uid }: BinId, name: string): Promise<boolean> {
  const sort = x === 'media' ? sql`content_type` : sql`kind`
  const { rows } = await sql`
    select from ${TABLES[x]} b where b.deleted_at is null and b.name = ${name}
      and b.${sort} = (select o.${sort} from ${TABLES[x]} o where o.uid = ${uid}) limit 1`.execute(reads)
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
    update ${TABLES[x]} set deleted_at = null, deleted_by = null, name = ${to.name}, changed_at = ${to.at},
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
  await sql`delete from ${TABLES[x]} where uid = ${uid} and deleted_at is not null`.execute(writes)
}

const publicationsOf = (column: RawBuilder<unknown>, uid: string, now: Date) => sql`
  select 'publications' as kind, p.uid, p.name, ${publicationStateAt(now)} as state, p.deleted_at is not null as is_in_bin,
    p.deleted_at is null as is_blocking
  from publications p where p.${column} = ${uid}`

/** The maximum number of dependents in an answer. */
export const MAX_DEPENDENTS = 200

const dependents: Record<BinKind, (uid: string, now: Date) => RawBuilder<unknown>> = {
  media: uid => sql`
    select distinct 'playlists' as kind, l.uid, l.name, l.state, l.deleted_at is not null as is_in_bin,
      l.deleted_at is null as is_blocking
    from playlists l join playlist_items i on i.playlist_uid = l.uid where i.media_uid = ${uid}
    union all
    select 'profiles', f.uid, f.name, f.state, false, true
    from profiles f join profile_media n on n.profile_uid = f.uid where n.media_uid = ${uid}`,
  playlists: (uid, now) => publicationsOf(sql`playlist_uid`, uid, now),
  groups: (uid, now) => sql`
    ${publicationsOf(sql`group_uid`, uid, now)}
    union all
    select 'devices', d.uid, d.name, null, false, false from devices d
    where d.group_uid = ${uid} and d.deleted_at is null`,
  devices: uid => sql`
    select 'groups' as kind, g.uid, g.name, g.state, false as is_in_bin, true as is_blocking
    from groups g join devices d on d.group_uid = g.uid where d.uid = ${uid} and d.deleted_at is null`,
  publications: (uid, now) => sql`
    select 'groups' as kind, g.uid, g.name, g.state, false as is_in_bin, ${isOnSomewhere(now)} as is_blocking
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
    order by lower(name), uid limit ${MAX_DEPENDENTS}`.execute(reads)
  return rows
}

export async function findDependents(reads: Reads, { x, uid }: BinId, now: Date): Promise<Dependent[]> {
  const { rows } = await sql<Dependent>`
    select * from (${dependents[x](uid, now)}) found
    order by is_blocking desc, is_in_bin, lower(name), uid limit ${MAX_DEPENDENTS}`.execute(reads)
  return rows
}
