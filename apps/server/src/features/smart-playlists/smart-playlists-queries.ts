import type { BlockKind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { ChangedMedia, PlannedBlock } from '@floorcast/contract/smart-playlists.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'

/** Items `i` of a smart playlist with their media `m`, the file `f` that is pinned, and the newest one `n`. */
const ITEMS = sql`
  playlist_items i join media_items m on m.uid = i.media_uid
  join media_files f on f.media_uid = m.uid and f.file_version = i.pinned_file_version
  join media_files n on n.media_uid = m.uid and n.file_version = m.file_version`

const IS_CHANGED = sql`(i.pinned_file_version < m.file_version or m.deleted_at is not null)`

export interface SmartHead {
  windowStart: string
  windowEnd: string
  blockCount: number
  trackCount: number
}

/** Null for a playlist that is not smart. */
export async function findSmartHead(reads: Reads, uid: string): Promise<SmartHead | null> {
  const { rows } = await sql<SmartHead>`
    select l.window_start, l.window_end,
      (select count(*) from playlist_blocks b where b.playlist_uid = l.uid) as block_count,
      (select count(*) from playlist_items i where i.playlist_uid = l.uid) as track_count
    from playlists l where l.uid = ${uid} and l.form = 'smart'`.execute(reads)
  return rows[0] ?? null
}

/** The media of a smart playlist that have changed since it was planned. */
export async function findChangedMedia(reads: Reads, playlistUid: string): Promise<ChangedMedia[]> {
  const { rows } = await sql<ChangedMedia>`
    select m.uid, m.name, m.content_type, i.planned_seconds, n.duration_seconds, m.deleted_at is not null as is_in_bin
    from ${ITEMS} where i.playlist_uid = ${playlistUid} and ${IS_CHANGED} order by m.sort_name, m.uid
  `.execute(reads)
  return rows
}

interface BlockPage {
  /** Ranges of blocks, and of plays in each block, from 1; both ends included. */
  blocks: [from: number, to: number]
  plays: [from: number, to: number]
}

/** Blocks of a planned day, each with some of its plays. */
export async function findBlocks(
  reads: Reads,
  playlistUid: string,
  { blocks, plays }: BlockPage,
): Promise<PlannedBlock[]> {
  const { rows } = await sql<PlannedBlock>`
    select b.position, b.kind, b.start_seconds, b.duration_seconds, cardinality(b.tracks) as play_count,
      (select coalesce(jsonb_agg(jsonb_build_object('position', t.place, 'mediaUid', m.uid, 'name', m.name,
          'contentType', m.content_type, 'startSeconds', t.start, 'durationSeconds', i.planned_seconds)
          order by t.place), '[]')
        from unnest(b.tracks, b.starts) with ordinality as t(track, start, place)
        join playlist_items i on i.playlist_uid = b.playlist_uid and i.position = t.track
        join media_items m on m.uid = i.media_uid
        where t.place between ${plays[0]}::int and ${plays[1]}::int) as plays
    from playlist_blocks b
    where b.playlist_uid = ${playlistUid} and b.position between ${blocks[0]}::int and ${blocks[1]}::int
    order by b.position`.execute(reads)
  return rows
}

export interface DraftRow {
  name: string
  description: string
  version: number
  crossfadeSeconds: number
  draft: unknown
  windowStart: string
  windowEnd: string
}

/** Null for an unknown playlist and for a simple one. */
export async function findDraft(reads: Reads, uid: string): Promise<DraftRow | null> {
  const { rows } = await sql<DraftRow>`
    select name, description, version, crossfade_seconds, draft, window_start, window_end
    from playlists where uid = ${uid} and form = 'smart' and deleted_at is null`.execute(reads)
  return rows[0] ?? null
}

export interface DraftTrack {
  uid: string
  name: string
  position: number
  contentType: MediaType
  weight: number
  plannedSeconds: number
  /** The duration of the newest file. */
  durationSeconds: number
  isInBin: boolean
}

/** The tracks of both lists, background first. */
export async function listDraftTracks(reads: Reads, playlistUid: string): Promise<DraftTrack[]> {
  const { rows } = await sql<DraftTrack>`
    select m.uid, m.name, i.position, m.content_type, i.weight, i.planned_seconds, n.duration_seconds,
      m.deleted_at is not null as is_in_bin
    from ${ITEMS} where i.playlist_uid = ${playlistUid} order by i.position`.execute(reads)
  return rows
}

export interface StoredBlock {
  kind: BlockKind
  startSeconds: number
  durationSeconds: number
  tracks: number[]
  starts: number[]
}

/** The whole day, block by block. */
export async function listStoredBlocks(reads: Reads, playlistUid: string): Promise<StoredBlock[]> {
  const { rows } = await sql<StoredBlock>`
    select kind, start_seconds, duration_seconds, tracks, starts from playlist_blocks
    where playlist_uid = ${playlistUid} order by position`.execute(reads)
  return rows
}
