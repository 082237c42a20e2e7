import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { editMedia, LoudnessState, MediaType } from '@floorcast/contract/media.ts'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { EveryColumn } from '../../platform/database/every-column.ts'
import {
  type ListPage,
  type ListRequest,
  type Matching,
  readMatching,
  readPage,
} from '../../platform/database/list.ts'
import { findNames } from '../../platform/database/names.ts'
import { isOnSomewhere } from '../publication-state/publication-state-sql.ts'

/** Which media a list shows. */
export interface MediaSet {
  contentType: MediaType
  used?: 'used' | 'unused' | undefined
}

const isHeld = sql`exists (
  select from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
  where entry.media_uid = item.uid and playlist.deleted_at is null)`
const isNamed = sql`exists (select from profile_media named where named.media_uid = item.uid)`
const isUsed = sql<boolean>`(${isHeld} or ${isNamed})`

/** Items outside the bin with their newest files. */
export const livingMedia = (reads: Reads) =>
  reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', join =>
      join.onRef('file.mediaUid', '=', 'item.uid').onRef('file.fileVersion', '=', 'item.fileVersion'),
    )
    .where('item.deletedAt', 'is', null)

const ROW = [
  'item.uid',
  'item.contentType',
  'item.name',
  'item.description',
  'item.originalName',
  'item.fileVersion',
  'item.previewSha256',
  'file.sha256',
  'file.sizeBytes',
  'file.durationSeconds',
  'file.uploadedAt',
  'file.loudnessState',
  'file.integratedLufs',
  'file.truePeakDbtp',
] as const

export interface MediaRecord {
  uid: string
  contentType: MediaType
  name: string
  description: string
  originalName: string
  fileVersion: number
  previewSha256: string | null
  sha256: string
  sizeBytes: number
  durationSeconds: number
  uploadedAt: string
  loudnessState: LoudnessState
  integratedLufs: number | null
  truePeakDbtp: number | null
  isUsed: boolean
}

function conditions({ contentType, used }: MediaSet): RawBuilder<unknown> {
  const type = sql`item.deleted_at is null and item.content_type = ${contentType}`
  if (used === undefined) return type
  // Two conditions are two anti-joins.
  return used === 'used' ? sql`${type} and ${isUsed}` : sql`${type} and not ${isHeld} and not ${isNamed}`
}

const SORTS = {
  name: sql`item.sort_name`,
  originalName: sql`lower(item.original_name)`,
  description: sql`lower(item.description)`,
  uploadedAt: sql`item.uploaded_at`,
  sizeBytes: sql`item.size_bytes`,
  durationSeconds: sql`item.duration_seconds`,
  version: sql`item.file_version`,
}

function mediaSource(set: MediaSet) {
  return {
    columns: sql`${sql.join(ROW.map(column => sql.ref(column)))}, ${isUsed} as is_used`,
    from: sql`from media_items item
      join media_files file on file.media_uid = item.uid and file.file_version = item.file_version`,
    where: conditions(set),
    searched: [],
    sorts: SORTS,
    newest: SORTS.uploadedAt,
    uid: sql`item.uid`,
    name: sql`item.name`,
    large: {
      list: 'media' as const,
      kind: set.contentType,
      isFiltered: set.used !== undefined,
      own: sql`from media_items item`,
      walked: Object.keys(SORTS),
      holds: (term: string) => sql`strpos(item.search_text, lower(${term})) > 0`,
    },
  }
}

/** One page of media with their newest files. */
export const findMediaPage = (reads: Reads, list: MediaSet & ListRequest): Promise<ListPage<MediaRecord>> =>
  readPage(reads, list, mediaSource(list))

/** The media that a bulk call's filter finds. */
export const findMediaMatching = (reads: Reads, list: MediaSet & Matching) =>
  readMatching(reads, list, mediaSource(list))

const usedInPlaylists = sql<number>`(
  select count(distinct playlist.uid)::int
  from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
  where entry.media_uid = item.uid and playlist.deleted_at is null)`

const usedInGroups = (now: Date) => sql<number>`(
  select count(distinct p.group_uid)::int
  from playlist_items entry join publications p on p.playlist_uid = entry.playlist_uid
  where entry.media_uid = item.uid and ${isOnSomewhere(now)} and p.deleted_at is null)`

/** One item with its newest file and how much it is used; null if it is not there or in the bin. */
export async function findMedia(
  reads: Reads,
  { contentType, uid }: { contentType: MediaType; uid: string },
  now: Date,
) {
  const row = await livingMedia(reads)
    .where('item.contentType', '=', contentType)
    .where('item.uid', '=', uid)
    .select(ROW)
    .select([
      'file.mimeType',
      'file.bitRate',
      'file.sampleRate',
      'file.channels',
      'file.width',
      'file.height',
    ])
    .select(['file.isGapless', 'item.createdAt', 'item.changedAt', 'item.version as recordVersion'])
    .select([
      isUsed.as('isUsed'),
      usedInPlaylists.as('usedInPlaylists'),
      usedInGroups(now).as('usedInGroups'),
    ])
    .executeTakeFirst()
  return row ?? null
}

/** Sorted by name unless `sort` and `dir` are given. */
type ReferencePage = Pick<ListRequest, 'search' | 'page' | 'size'> & Partial<ListRequest>

interface Referrer {
  uid: string
  name: string
}

const referrers = (
  reads: Reads,
  { sort = 'name', dir = 'asc', ...list }: ReferencePage,
  given: { table: RawBuilder<unknown>; uids: RawBuilder<unknown> },
): Promise<ListPage<Referrer>> =>
  readPage<Referrer>(
    reads,
    { ...list, sort, dir },
    {
      columns: sql`t.uid, t.name`,
      from: sql`from ${given.table} t`,
      where: sql`t.deleted_at is null and t.uid in (${given.uids})`,
      searched: [sql`t.name`],
      sorts: { name: sql`lower(t.name)` },
      newest: sql`t.changed_at`,
      uid: sql`t.uid`,
    },
  )

/** The playlists outside the bin that hold an item, by name. */
export const findPlaylistsOf = (reads: Reads, mediaUid: string, list: ReferencePage) =>
  referrers(reads, list, {
    table: sql`playlists`,
    uids: sql`select i.playlist_uid from playlist_items i where i.media_uid = ${mediaUid}`,
  })

/** The groups that play an item by an active or delayed publication, by name. */
export const findGroupsOf = (
  reads: Reads,
  mediaUid: string,
  { now, ...list }: ReferencePage & { now: Date },
) =>
  referrers(reads, list, {
    table: sql`groups`,
    uids: sql`select p.group_uid from publications p join playlist_items i on i.playlist_uid = p.playlist_uid
      where i.media_uid = ${mediaUid} and ${isOnSomewhere(now)} and p.deleted_at is null`,
  })

/** The names of the profiles that name an item, drafted or in force. */
export async function findProfilesOf(reads: Reads, mediaUid: string, max: number): Promise<string[]> {
  const { rows } = await sql<Referrer>`
    select f.uid, f.name from profiles f join profile_media n on n.profile_uid = f.uid
    where n.media_uid = ${mediaUid} order by lower(f.name), f.uid limit ${max}`.execute(reads)
  return rows.map(({ name }) => name)
}

/** Locks an item outside the bin for a change; null if there is none. */
export async function lockMedia(writes: Writes, contentType: MediaType, uid: string) {
  const row = await writes
    .selectFrom('mediaItems')
    .selectAll()
    .where('contentType', '=', contentType)
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** The content types of these items, without those in the bin; the rows stay locked in one order until the transaction ends. */
export async function lockContentTypes(
  writes: Writes,
  uids: readonly string[],
): Promise<Map<string, MediaType>> {
  const { rows } = await sql<{ uid: string; contentType: MediaType }>`
    select uid, content_type from media_items where uid = any(${uids}::uuid[]) and deleted_at is null
    order by uid for share`.execute(writes)
  return new Map(rows.map(({ uid, contentType }) => [uid, contentType]))
}

type MediaUpdate = Pick<
  Updateable<Tables['mediaItems']>,
  | Exclude<keyof BodyOf<typeof editMedia>, 'uid' | 'version'>
  | 'originalName'
  | 'fileVersion'
  | 'previewSha256'
  | 'previewMimeType'
  | 'previewSizeBytes'
  | 'changedAt'
  | 'deletedAt'
  | 'deletedBy'
>

/** Changes an item and raises its record version; returns it as it is then. */
export async function updateMedia(
  writes: Writes,
  uid: string,
  change: MediaUpdate,
): Promise<Selectable<Tables['mediaItems']>> {
  return writes
    .updateTable('mediaItems')
    .set({
      name: change.name,
      description: change.description,
      originalName: change.originalName,
      fileVersion: change.fileVersion,
      previewSha256: change.previewSha256,
      previewMimeType: change.previewMimeType,
      previewSizeBytes: change.previewSizeBytes,
      changedAt: change.changedAt,
      deletedAt: change.deletedAt,
      deletedBy: change.deletedBy,
      version: sql<number>`version + 1`,
    } satisfies EveryColumn<MediaUpdate>)
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Names of those of the uids that are media of one content type outside the recycle bin. */
export const findMediaNames = (reads: Reads, contentType: string, uids: readonly string[]) =>
  findNames(reads, { table: 'mediaItems', where: sql`t.content_type = ${contentType}` }, uids)
