import type { PlaylistForm } from '@floorcast/contract/playlists.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { type Insertable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { WrittenEntry } from './m3u.ts'
import type { StoredPlaylist } from './playlist-writes-queries.ts'

/** The columns of a playlist without the initial state of a new one and without columns of smart ones. */
type CopiedPlaylist = Omit<
  Insertable<Tables['playlists']>,
  | 'form'
  | 'state'
  | 'version'
  | 'deletedAt'
  | 'deletedBy'
  | 'draft'
  | 'windowStart'
  | 'windowEnd'
  | 'plannedPlays'
  | 'plannedSeconds'
>

/** Copies the row of a simple playlist under another uid and name, paused. */
export async function copyPlaylist(
  writes: Writes,
  original: StoredPlaylist,
  copy: { uid: string; name: string; editOfUid: string | null; at: Date },
): Promise<void> {
  await writes
    .insertInto('playlists')
    .values({
      uid: copy.uid,
      clientId: original.clientId,
      kind: original.kind,
      name: copy.name,
      description: original.description,
      crossfadeSeconds: original.crossfadeSeconds,
      startDate: original.startDate,
      endDate: original.endDate,
      editOfUid: copy.editOfUid,
      createdAt: copy.at,
      changedAt: copy.at,
    } satisfies Required<CopiedPlaylist>)
    .execute()
}

/** Copies the items of a playlist. @returns how many */
export async function copyItems(writes: Writes, from: string, to: string): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select position from playlist_items where playlist_uid = ${from} order by position`.execute(writes)
  const uids = rows.map(() => uuidV7())
  const positions = rows.map(({ position }) => position)
  await sql`
    insert into playlist_items (uid, client_id, playlist_uid, media_uid, position, repeat_count, replay_seconds, start_time)
    select x.uid, i.client_id, ${to}::uuid, i.media_uid, i.position, i.repeat_count, i.replay_seconds, i.start_time
    from unnest(${uids}::uuid[], ${positions}::int[]) as x(uid, position)
    join playlist_items i on i.playlist_uid = ${from} and i.position = x.position`.execute(writes)
  return rows.length
}

/** Adds media items at the end of a playlist of `count` items in this order, each played once. */
export async function insertItems(
  writes: Writes,
  playlist: { uid: string; clientId: string; count: number },
  mediaUids: readonly string[],
): Promise<void> {
  const uids = mediaUids.map(() => uuidV7())
  await sql`
    insert into playlist_items (uid, client_id, playlist_uid, media_uid, position, repeat_count)
    select x.uid, ${playlist.clientId}::uuid, ${playlist.uid}::uuid, x.media_uid, ${playlist.count}::int + x.position, 1
    from unnest(${uids}::uuid[], ${mediaUids}::uuid[]) with ordinality as x(uid, media_uid, position)
  `.execute(writes)
}

export interface NamedFile {
  uid: string
  originalName: string
  contentType: MediaType
}

/** Locks media outside the bin by file names, regardless of case and accents, until the transaction ends; melodies and videos before ads. */
export async function holdFilesNamed(writes: Writes, fileNames: readonly string[]): Promise<NamedFile[]> {
  const { rows } = await sql<NamedFile>`
    select uid, original_name, content_type from media_items
    where deleted_at is null and sort_original_name in (select sort_key(x) from unnest(${fileNames}::text[]) as x)
    order by content_type in ('ads', 'videosAds'), uid for share`.execute(writes)
  return rows
}

/** Locks media outside the bin by their uids. */
export async function holdFiles(writes: Writes, uids: readonly string[]): Promise<NamedFile[]> {
  if (uids.length === 0) return []
  const { rows } = await sql<NamedFile>`
    select uid, original_name, content_type from media_items
    where deleted_at is null and uid = any(${uids}::uuid[]) order by uid for share`.execute(writes)
  return rows
}

/** The file names of media outside the bin that differ from the given ones at most in case and accents. */
export async function findFileNames(reads: Reads, fileNames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ originalName: string }>`
    select distinct original_name from media_items
    where deleted_at is null and sort_original_name in (select sort_key(x) from unnest(${fileNames}::text[]) as x)`.execute(
    reads,
  )
  return rows.map(({ originalName }) => originalName)
}

export interface SourceRow {
  name: string
  form: PlaylistForm
}

export async function findSource(reads: Reads, uid: string): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`
    select name, form from playlists where uid = ${uid} and deleted_at is null`.execute(reads)
  return rows[0]
}

export async function listSourceItems(reads: Reads, uid: string) {
  const { rows } = await sql<WrittenEntry>`
    select m.uid as media_uid, m.content_type, m.name, m.original_name, f.duration_seconds
    from playlist_items i join media_items m on m.uid = i.media_uid
    join media_files f on f.media_uid = m.uid and f.file_version = coalesce(i.pinned_file_version, m.file_version)
    where i.playlist_uid = ${uid} order by i.position`.execute(reads)
  return rows
}
