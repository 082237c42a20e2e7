import type { MediaType } from '@floorcast/contract/media.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { searchPatterns } from '../../platform/database/search-patterns.ts'

const SORTS = {
  name: 'item.name',
  originalName: 'item.originalName',
  description: 'item.description',
  uploadedAt: 'file.uploadedAt',
  sizeBytes: 'file.sizeBytes',
  durationSeconds: 'file.durationSeconds',
  version: 'item.fileVersion',
} as const
export type MediaSort = keyof typeof SORTS
export const isMediaSort = (text: string): text is MediaSort => Object.hasOwn(SORTS, text)

/** A search's total is counted up to here, plus one that says there are more. */
const MOST_COUNTED = 10_000

/** Which media a list shows. */
export interface MediaSought {
  contentType: MediaType
  search: string
  used?: 'used' | 'unused' | undefined
}
export interface MediaPage {
  sort: MediaSort
  dir: 'asc' | 'desc'
  page: number
  size: number
}

const isUsed = sql<boolean>`exists (
  select from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
  where entry.media_uid = item.uid and playlist.deleted_at is null)`

/** Items outside the bin with their newest files. */
const livingMedia = (reads: Reads) =>
  reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', join =>
      join.onRef('file.mediaUid', '=', 'item.uid').onRef('file.fileVersion', '=', 'item.fileVersion'),
    )
    .where('item.deletedAt', 'is', null)

function soughtMedia(reads: Reads, { contentType, search, used }: MediaSought) {
  let query = livingMedia(reads).where('item.contentType', '=', contentType)
  for (const pattern of searchPatterns(search))
    query = query.where(eb =>
      eb.or([
        eb('item.name', 'ilike', pattern),
        eb('item.description', 'ilike', pattern),
        eb('item.originalName', 'ilike', pattern),
      ]),
    )
  if (used === 'used') return query.where(isUsed)
  return used === 'unused' ? query.where(eb => eb.not(isUsed)) : query
}

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

/** One page of media with their newest files. */
export async function findMediaPage(reads: Reads, sought: MediaSought, { sort, dir, page, size }: MediaPage) {
  return await soughtMedia(reads, sought)
    .select(ROW)
    .select(isUsed.as('isUsed'))
    .orderBy(SORTS[sort], dir)
    .orderBy('item.uid', dir)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
}
export type MediaRecord = Awaited<ReturnType<typeof findMediaPage>>[number]

/** How many there are; of a search at most 10,000, and whether there are more. */
export async function countMedia(
  reads: Reads,
  sought: MediaSought,
): Promise<{ total: number; isMore: boolean }> {
  const most = sought.search.trim() === '' ? null : MOST_COUNTED + 1
  const counted = soughtMedia(reads, sought).select('item.uid')
  const { total } = await reads
    .selectFrom((most === null ? counted : counted.limit(most)).as('sought'))
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    total: Math.min(Number(total), MOST_COUNTED + (most === null ? Infinity : 0)),
    isMore: Number(total) === most,
  }
}

const usedInPlaylists = sql<number>`(
  select count(distinct playlist.uid)::int
  from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
  where entry.media_uid = item.uid and playlist.deleted_at is null)`

const usedInGroups = sql<number>`(
  select count(distinct publication.group_uid)::int
  from playlist_items entry join publications publication on publication.playlist_uid = entry.playlist_uid
  where entry.media_uid = item.uid and publication.state in ('active', 'delayed') and publication.deleted_at is null)`

/** One item with its newest file and how much it is used; null if it is not there or in the bin. */
export async function findMedia(reads: Reads, contentType: MediaType, uid: string) {
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
    .select([isUsed.as('isUsed'), usedInPlaylists.as('usedInPlaylists'), usedInGroups.as('usedInGroups')])
    .executeTakeFirst()
  return row ?? null
}

interface ReferencePage {
  search: string
  page: number
  size: number
}

/** The playlists outside the bin that hold an item, by name. */
export async function findPlaylistsOf(reads: Reads, mediaUid: string, { search, page, size }: ReferencePage) {
  let query = reads
    .selectFrom('playlists')
    .where('deletedAt', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('playlistItems')
          .whereRef('playlistItems.playlistUid', '=', 'playlists.uid')
          .where('playlistItems.mediaUid', '=', mediaUid),
      ),
    )
  for (const pattern of searchPatterns(search)) query = query.where('name', 'ilike', pattern)
  const rows = query.select(['uid', 'name']).orderBy('name').orderBy('uid')
  const counted = query.select(eb => eb.fn.countAll<number>().as('total'))
  return {
    items: await rows
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    total: Number((await counted.executeTakeFirstOrThrow()).total),
  }
}

/** The groups that play an item by an active or delayed publication, by name. */
export async function findGroupsOf(reads: Reads, mediaUid: string, { search, page, size }: ReferencePage) {
  let query = reads
    .selectFrom('groups')
    .where('deletedAt', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('publications')
          .innerJoin('playlistItems', 'playlistItems.playlistUid', 'publications.playlistUid')
          .whereRef('publications.groupUid', '=', 'groups.uid')
          .where('playlistItems.mediaUid', '=', mediaUid)
          .where('publications.state', 'in', ['active', 'delayed'])
          .where('publications.deletedAt', 'is', null),
      ),
    )
  for (const pattern of searchPatterns(search)) query = query.where('name', 'ilike', pattern)
  const rows = query.select(['uid', 'name']).orderBy('name').orderBy('uid')
  const counted = query.select(eb => eb.fn.countAll<number>().as('total'))
  return {
    items: await rows
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    total: Number((await counted.executeTakeFirstOrThrow()).total),
  }
}

/** An item locked for a change; null if it is not there or in the bin. */
export async function lockMedia(writes: Writes, contentType: MediaType, uid: string) {
  const row = await writes
    .selectFrom('mediaItems')
    .select(['uid', 'name', 'description', 'originalName', 'fileVersion', 'version', 'previewSha256'])
    .where('contentType', '=', contentType)
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

interface MediaChange {
  name?: string | undefined
  description?: string | undefined
  changedAt: Date
}

export async function changeMedia(writes: Writes, uid: string, change: MediaChange): Promise<void> {
  await writes
    .updateTable('mediaItems')
    .set(eb => ({ ...change, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

export async function binMedia(
  writes: Writes,
  uid: string,
  by: { userUid: string; at: Date },
): Promise<void> {
  await writes
    .updateTable('mediaItems')
    .set(eb => ({ deletedAt: by.at, deletedBy: by.userUid, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/** What delivering an item's newest file or its preview needs; null if it is not there or in the bin. */
export async function findMediaBytes(reads: Reads, uid: string) {
  const row = await livingMedia(reads)
    .where('item.uid', '=', uid)
    .select(['item.originalName', 'item.previewSha256', 'item.previewMimeType', 'item.previewSizeBytes'])
    .select(['file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}

/** One version of an item's file by its hash, in the bin or not: what a device that holds its manifest may fetch. */
export async function findMediaFile(reads: Reads, uid: string, sha256: string) {
  const row = await reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', 'file.mediaUid', 'item.uid')
    .where('item.uid', '=', uid)
    .where('file.sha256', '=', sha256)
    .select(['item.originalName', 'file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}
