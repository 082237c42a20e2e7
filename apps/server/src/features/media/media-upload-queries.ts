import type { MediaType } from '@floorcast/contract/media.ts'
import { sql, type Insertable } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../../database/tables.ts'

const BYTES_PER_GIGABYTE = 1_000_000_000

/** One upload of a client at a time decides about its storage and its stored files; until the transaction's end. */
export async function lockStorage(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storage ${clientId}`}, 0))`.execute(writes)
}

/** Bytes that the client's plan allows, that its media (the bin's too) and update files take, and that running uploads hold. */
export async function readStorage(reads: Reads, now: Date) {
  const files = reads
    .selectFrom('mediaFiles')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('sizeBytes'), sql.lit(0)).as('sum'))
  const previews = reads
    .selectFrom('mediaItems')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('previewSizeBytes'), sql.lit(0)).as('sum'))
  const updates = reads
    .selectFrom('updateFiles')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('sizeBytes'), sql.lit(0)).as('sum'))
  const held = reads
    .selectFrom('storageReservations')
    .where('expiresAt', '>', now.toISOString())
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('sizeBytes'), sql.lit(0)).as('sum'))
  const row = await reads
    .selectFrom('clients')
    .innerJoin('plans', 'plans.key', 'clients.planKey')
    .select('plans.mediaGigabytes')
    .select([files.as('files'), previews.as('previews'), updates.as('updates'), held.as('held')])
    .executeTakeFirstOrThrow()
  return {
    allowedBytes: Number(row.mediaGigabytes) * BYTES_PER_GIGABYTE,
    usedBytes: Number(row.files) + Number(row.previews) + Number(row.updates),
    heldBytes: Number(row.held),
  }
}

export type Reservation = Insertable<Tables['storageReservations']>

export async function insertReservation(writes: Writes, reservation: Reservation): Promise<void> {
  await writes.insertInto('storageReservations').values(reservation).execute()
}

export async function extendReservation(writes: Writes, uid: string, expiresAt: Date): Promise<void> {
  await writes.updateTable('storageReservations').set({ expiresAt }).where('uid', '=', uid).execute()
}

/** Forgets a reservation, and those that ended processes left to expire. */
export async function deleteReservation(writes: Writes, uid: string, now: Date): Promise<void> {
  await writes
    .deleteFrom('storageReservations')
    .where(eb => eb.or([eb('uid', '=', uid), eb('expiresAt', '<', now.toISOString())]))
    .execute()
}

/** True if another item of the kind, outside the bin, came from a file of this name. */
export async function isNameTaken(
  reads: Reads,
  name: { contentType: MediaType; originalName: string; uid?: string | undefined },
) {
  const row = await reads
    .selectFrom('mediaItems')
    .select('uid')
    .where('contentType', '=', name.contentType)
    .where('originalName', '=', name.originalName)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined && row.uid !== name.uid
}

export async function insertMediaItem(writes: Writes, item: Insertable<Tables['mediaItems']>): Promise<void> {
  await writes.insertInto('mediaItems').values(item).execute()
}

export async function insertMediaFile(writes: Writes, file: Insertable<Tables['mediaFiles']>): Promise<void> {
  await writes.insertInto('mediaFiles').values(file).execute()
}

/** What the history says of an item's newest file. */
export async function findFileFields(reads: Reads, mediaUid: string) {
  return reads
    .selectFrom('mediaItems as m')
    .innerJoin('mediaFiles as f', join =>
      join.onRef('f.mediaUid', '=', 'm.uid').onRef('f.fileVersion', '=', 'm.fileVersion'),
    )
    .select([
      'm.originalName',
      'f.fileVersion as version',
      'f.sha256 as hash',
      'f.sizeBytes',
      'f.durationSeconds',
    ])
    .where('m.uid', '=', mediaUid)
    .executeTakeFirstOrThrow()
}

interface ItemUpdate {
  originalName?: string
  fileVersion?: number
  description?: string
  previewSha256?: string
  previewMimeType?: string
  previewSizeBytes?: number
  changedAt: Date
}

export async function updateMediaItem(writes: Writes, uid: string, update: ItemUpdate): Promise<void> {
  await writes
    .updateTable('mediaItems')
    .set(eb => ({ ...update, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/**
 * Lets the smart playlists that hold an item go over to its newest file where that is as long as the planned one, to
 * within 0.05 s; resolves to the playlists that stay with a former file.
 */
export async function moveFilePins(writes: Writes, mediaUid: string): Promise<string[]> {
  await sql`
    update playlist_items i set pinned_file_version = m.file_version
    from media_items m join media_files f on f.media_uid = m.uid and f.file_version = m.file_version
    where i.media_uid = ${mediaUid} and m.uid = i.media_uid and i.pinned_file_version < m.file_version
      and abs(f.duration_seconds - i.planned_seconds) <= 0.05`.execute(writes)
  const { rows } = await sql<{ playlistUid: string }>`
    select distinct i.playlist_uid from playlist_items i join media_items m on m.uid = i.media_uid
    where i.media_uid = ${mediaUid} and i.pinned_file_version < m.file_version`.execute(writes)
  return rows.map(row => row.playlistUid)
}

/** Removes the former versions of these items' files that no playlist is pinned to; resolves to their hashes. */
export async function deleteFormerFiles(writes: Writes, mediaUids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    delete from media_files f using media_items m
    where f.media_uid = any(${mediaUids}::uuid[]) and m.uid = f.media_uid and f.file_version < m.file_version
      and not exists (select from playlist_items i
        where i.media_uid = f.media_uid and i.pinned_file_version = f.file_version)
    returning f.sha256`.execute(writes)
  return rows.map(row => row.sha256)
}

/** True if some file or preview of the client, in the bin or not, or an update file has these bytes. */
export async function isStoredFileUsed(reads: Reads, sha256: string): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select exists (select from media_files where sha256 = ${sha256})
      or exists (select from media_items where preview_sha256 = ${sha256})
      or exists (select from update_files where sha256 = ${sha256}) as is_used`.execute(reads)
  return rows[0]?.isUsed === true
}
