import type { MediaType } from '@floorcast/contract/media.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
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
export const livingMedia = (reads: Reads) =>
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
