import type { editMedia, LoudnessState, MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import { countBulk, selectedUids } from '../../platform/database/bulk-plan.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type UpdateOf, pick } from '../../platform/database/columns.ts'
import {
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
  readMatching,
  readPage,
  readRows,
} from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'
import { findNames } from '../../platform/database/names.ts'
import type { BulkSelection } from '../../platform/lib/bulk.ts'
import { isOnSomewhere } from '../publication-state/publication-state-sql.ts'

/** A filter of media. */
export interface MediaSet {
  contentType: MediaType
  used?: 'used' | 'unused' | undefined
  isrc?: 'with' | 'without' | undefined
}

const isHeld = sql`exists (
  select from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
  where entry.media_uid = item.uid and playlist.deleted_at is null)`
const isNamed = sql`exists (select from profile_media named where named.media_uid = item.uid)`
const isUsed = sql<boolean>`(${isHeld} or ${isNamed})`

/** The columns of an item with its newest file. Each sort is a column of the item's own table. */
const mediaColumns = {
  uid: { select: sql<string>`item.uid` },
  contentType: { select: sql<MediaType>`item.content_type` },
  name: { select: sql<string>`item.name`, sort: sql`item.sort_name`, sortIndex: 'never-null' },
  description: {
    select: sql<string>`item.description`,
    sort: sql`lower(item.description)`,
    sortIndex: 'never-null',
  },
  originalName: {
    select: sql<string>`item.original_name`,
    sort: sql`item.sort_original_name`,
    sortIndex: 'never-null',
  },
  sizeBytes: { select: sql<number>`file.size_bytes`, sort: sql`item.size_bytes`, sortIndex: 'never-null' },
  durationSeconds: {
    select: sql<number>`file.duration_seconds`,
    sort: sql`item.duration_seconds`,
    sortIndex: 'never-null',
  },
  uploadedAt: {
    select: sql<string>`file.uploaded_at`,
    sort: sql`item.uploaded_at`,
    sortIndex: 'never-null',
  },
  fileVersion: { select: sql<number>`item.file_version`, sort: true, sortIndex: 'never-null' },
  hash: { select: sql<string>`file.sha256` },
  loudness: {
    select: sql<MediaRow['loudness']>`
      case when file.integrated_lufs is not null and file.true_peak_dbtp is not null then jsonb_build_object(
        'integratedLufs', file.integrated_lufs, 'truePeakDbtp', file.true_peak_dbtp) end`,
  },
  loudnessState: { select: sql<LoudnessState>`file.loudness_state` },
  hasPreview: { select: sql<boolean>`item.preview_sha256 is not null` },
  isUsed: { select: isUsed },
  artist: {
    select: sql<string>`item.artist`,
    sort: sql`item.sort_artist`,
    sortIndex: 'never-null',
  },
  title: { select: sql<string>`item.title` },
  isrc: { select: sql<string>`item.isrc` },
  composer: { select: sql<string>`item.composer` },
  publisher: { select: sql<string>`item.publisher` },
} satisfies ListColumns

const FROM = sql`from media_items item
  join media_files file on file.media_uid = item.uid and file.file_version = item.file_version`

function conditions({ contentType, used, isrc }: MediaSet): RawBuilder<unknown> {
  const hasIsrc =
    isrc === undefined ? sql`` : isrc === 'with' ? sql`and item.isrc <> ''` : sql`and item.isrc = ''`
  const type = sql`item.deleted_at is null and item.content_type = ${contentType} ${hasIsrc}`
  if (used === undefined) return type
  // Two conditions are two anti-joins.
  return used === 'used' ? sql`${type} and ${isUsed}` : sql`${type} and not ${isHeld} and not ${isNamed}`
}

export const mediaSource = (set: MediaSet) => ({
  columns: mediaColumns,
  from: FROM,
  where: conditions(set),
  newest: sql`item.uploaded_at`,
  large: {
    list: 'media' as const,
    kind: set.contentType,
    isFiltered: set.used !== undefined || set.isrc !== undefined,
    ownTable: sql`from media_items item`,
    hasTerm: (term: string) => sql`strpos(item.search_text, fold(${term})) > 0`,
  },
})

/** One page of media with their newest files. */
export const findMediaPage = (reads: Reads, list: MediaSet & ListRequest): Promise<ListPage<MediaRow>> =>
  readPage(reads, list, mediaSource(list))

/** The media that a bulk call's filter finds. */
export const findMediaMatching = (reads: Reads, list: MediaSet & Matching) =>
  readMatching(reads, list, mediaSource(list))

/** Counts the media of a bulk call that would be deleted, and those that playlists or profiles use. */
export const countMediaToDelete = (
  reads: Reads,
  contentType: MediaType,
  items: BulkSelection<Omit<MediaSet, 'contentType'> & { search: string }>,
) =>
  countBulk(reads, {
    selected: selectedUids(items, filter => mediaSource({ ...filter, contentType })),
    from: sql`from media_items item where item.deleted_at is null and item.content_type = ${contentType}`,
    uid: sql`item.uid`,
    why: sql`case when ${isUsed} then 'in-use' end`,
  })

const cardColumns = (now: Date) =>
  ({
    ...mediaColumns,
    usedInPlaylists: {
      select: sql<number>`(
        select count(distinct playlist.uid)
        from playlist_items entry join playlists playlist on playlist.uid = entry.playlist_uid
        where entry.media_uid = item.uid and playlist.deleted_at is null)`,
    },
    usedInGroups: {
      select: sql<number>`(
        select count(distinct p.group_uid)
        from playlist_items entry join publications p on p.playlist_uid = entry.playlist_uid
        where entry.media_uid = item.uid and ${isOnSomewhere(now)} and p.deleted_at is null)`,
    },
    mimeType: { select: sql<string>`file.mime_type` },
    bitRate: { select: sql<number | null>`file.bit_rate` },
    sampleRate: { select: sql<number | null>`file.sample_rate` },
    channels: { select: sql<number | null>`file.channels` },
    width: { select: sql<number | null>`file.width` },
    height: { select: sql<number | null>`file.height` },
    isGapless: { select: sql<boolean>`file.is_gapless` },
    invalidIsrc: { select: sql<string>`case when item.isrc = '' then item.invalid_isrc else '' end` },
    createdAt: { select: sql<string>`item.created_at` },
    changedAt: { select: sql<string>`item.changed_at` },
    version: { select: sql<number>`item.version` },
  }) satisfies ListColumns

/** One item with its newest file and how much it is used; undefined if it is not there or in the bin. */
export async function findMedia(
  reads: Reads,
  { contentType, uid }: { contentType: MediaType; uid: string },
  now: Date,
) {
  const [card] = await readRows(
    reads,
    cardColumns(now),
    sql`${FROM} where item.deleted_at is null and item.content_type = ${contentType} and item.uid = ${uid}`,
  )
  return card
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
  readPage(
    reads,
    { ...list, sort, dir },
    {
      columns: {
        uid: { select: sql<string>`t.uid` },
        name: { select: sql<string>`t.name`, sort: sql`t.sort_name`, search: true },
      },
      from: sql`from ${given.table} t`,
      where: sql`t.deleted_at is null and t.uid in (${given.uids})`,
      newest: sql`t.changed_at`,
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
    where n.media_uid = ${mediaUid} order by ${sortKey(sql`f.name`)}, f.uid limit ${max}`.execute(reads)
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

/** The columns that new items and changes write. */
export const writtenOfMedia = [
  'name',
  'description',
  'originalName',
  'fileVersion',
  'artist',
  'title',
  'isrc',
  'composer',
  'publisher',
  'invalidIsrc',
  'previewSha256',
  'previewMimeType',
  'previewSizeBytes',
  'changedAt',
] as const

const mediaUpdate = [...writtenOfMedia, 'deletedAt', 'deletedBy'] as const
type MediaUpdate = UpdateOf<'mediaItems', typeof mediaUpdate, EditedField<typeof editMedia>>

/** Changes an item and raises its record version; returns it as it is then. */
export async function updateMedia(
  writes: Writes,
  uid: string,
  change: MediaUpdate,
): Promise<Selectable<Tables['mediaItems']>> {
  return writes
    .updateTable('mediaItems')
    .set({ ...pick(change, mediaUpdate), version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Names of those of the uids that are media of one content type outside the recycle bin. */
export const findMediaNames = (reads: Reads, contentType: string, uids: readonly string[]) =>
  findNames(reads, { table: 'mediaItems', where: sql`t.content_type = ${contentType}` }, uids)
