import type { MediaType } from '@floorcast/contract/media.ts'
import { sql, type Insertable } from 'kysely'
import type { LoudnessFigures } from '../media-probe/media-probe.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../../database/tables.ts'
import { type InsertOf, pick } from '../../platform/database/columns.ts'
import { writtenOfMedia } from './media-queries.ts'

/** True if another item of the content type, outside the bin, has a file of this name. */
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

const newMedia = ['uid', 'clientId', 'contentType', ...writtenOfMedia, 'createdAt'] as const
type NewMedia = InsertOf<
  'mediaItems',
  typeof newMedia,
  keyof Omit<Insertable<Tables['mediaItems']>, 'version' | 'deletedAt' | 'deletedBy'>
>

export async function insertMedia(writes: Writes, item: NewMedia): Promise<void> {
  await writes.insertInto('mediaItems').values(pick(item, newMedia)).execute()
}

/** Its loudness is measured later; its tags are read. */
const newMediaFile = [
  'mediaUid',
  'fileVersion',
  'clientId',
  'sha256',
  'mimeType',
  'sizeBytes',
  'durationSeconds',
  'bitRate',
  'sampleRate',
  'channels',
  'width',
  'height',
  'isGapless',
  'loudnessState',
  'uploadedAt',
  'uploadedBy',
] as const
type NewMediaFile = InsertOf<
  'mediaFiles',
  typeof newMediaFile,
  keyof Omit<
    Insertable<Tables['mediaFiles']>,
    'integratedLufs' | 'truePeakDbtp' | 'areTagsRead' | 'workUntil' | 'workTries'
  >
>

export async function insertMediaFile(writes: Writes, file: NewMediaFile): Promise<void> {
  await writes.insertInto('mediaFiles').values(pick(file, newMediaFile)).execute()
}

/** The audited fields of an item's newest file. */
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

/**
 * Moves the smart playlists that hold an item to its newest file where its length differs from the planned one by at most
 * 0.05 s; returns the playlists that keep a former file.
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

/** Deletes the former versions of these items' files that no playlist is pinned to; returns their hashes. */
export async function deleteFormerFiles(writes: Writes, mediaUids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    delete from media_files f using media_items m
    where f.media_uid = any(${mediaUids}::uuid[]) and m.uid = f.media_uid and f.file_version < m.file_version
      and not exists (select from playlist_items i
        where i.media_uid = f.media_uid and i.pinned_file_version = f.file_version)
    returning f.sha256`.execute(writes)
  return rows.map(row => row.sha256)
}

/** The newest file and the preview of an item, for their delivery; null if it is not there or in the bin. */
export async function findNewestFile(reads: Reads, uid: string) {
  const row = await reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', join =>
      join.onRef('file.mediaUid', '=', 'item.uid').onRef('file.fileVersion', '=', 'item.fileVersion'),
    )
    .where('item.deletedAt', 'is', null)
    .where('item.uid', '=', uid)
    .select(['item.originalName', 'item.previewSha256', 'item.previewMimeType', 'item.previewSizeBytes'])
    .select(['file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}

/** One version of an item's file by its hash, whether the item is in the bin or not. */
export async function findFileVersion(reads: Reads, uid: string, sha256: string) {
  const row = await reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', 'file.mediaUid', 'item.uid')
    .where('item.uid', '=', uid)
    .where('file.sha256', '=', sha256)
    .select(['item.originalName', 'file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}

/** How often work on a file is begun. Then it waits for the daily maintenance, or for an operator who runs it. */
export const MAX_TRIES = 5

/** A file that a server works on. */
export interface WorkedFile {
  mediaUid: string
  fileVersion: number
}

/** No server has begun on the file `f`, or the one that had is gone, and it did not fail too often. */
export const mayBegin = (now: Date) =>
  sql<boolean>`f.work_tries < ${MAX_TRIES} and (f.work_until is null or f.work_until <= ${now.toISOString()}::timestamptz)`

/** Takes the lease of a file. @returns the number of this try; null if another server has begun, or the file is gone */
export async function beginWork(
  writes: Writes,
  { mediaUid, fileVersion }: WorkedFile,
  { at, until }: { at: Date; until: Date },
): Promise<number | null> {
  const { rows } = await sql<{ tries: number }>`
    update media_files f set work_until = ${until.toISOString()}::timestamptz, work_tries = f.work_tries + 1
    where f.media_uid = ${mediaUid} and f.file_version = ${fileVersion} and ${mayBegin(at)}
    returning f.work_tries as tries`.execute(writes)
  return rows[0]?.tries ?? null
}

export async function renewWork(writes: Writes, file: WorkedFile, until: Date): Promise<void> {
  await updateWork(writes, file).set({ workUntil: until }).execute()
}

/** Gives the lease back. `until`: no server begins before. */
export async function endWork(
  writes: Writes,
  file: WorkedFile,
  { tries, until }: { tries: number; until: Date | null },
): Promise<void> {
  await updateWork(writes, file).set({ workTries: tries, workUntil: until }).execute()
}

const updateWork = (writes: Writes, { mediaUid, fileVersion }: WorkedFile) =>
  writes.updateTable('mediaFiles').where('mediaUid', '=', mediaUid).where('fileVersion', '=', fileVersion)

/** Has files tried again whose work failed too often. */
export async function retryFailedWork(writes: Writes): Promise<void> {
  await writes.updateTable('mediaFiles').set({ workTries: 0 }).where('workTries', '>=', MAX_TRIES).execute()
}

/** A file whose loudness is not measured yet. */
export interface UnmeasuredFile extends WorkedFile {
  sha256: string
  mimeType: string
  durationSeconds: number
}

/** The client's file that has waited longest for its loudness and may be begun; null if there is none. */
export async function findUnmeasuredFile(reads: Reads, now: Date): Promise<UnmeasuredFile | null> {
  const row = await reads
    .selectFrom('mediaFiles as f')
    .select(['mediaUid', 'fileVersion', 'sha256', 'mimeType', 'durationSeconds'])
    .where('loudnessState', '=', 'pending')
    .where(mayBegin(now))
    .orderBy('uploadedAt')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Saves figures; null: the file cannot be measured. Returns false if the file is gone or was measured meanwhile. */
export async function saveLoudness(
  writes: Writes,
  file: UnmeasuredFile,
  figures: LoudnessFigures | null,
): Promise<boolean> {
  const row = await writes
    .updateTable('mediaFiles')
    .set({
      loudnessState: figures ? 'measured' : 'not-measured',
      integratedLufs: figures?.integratedLufs ?? null,
      truePeakDbtp: figures?.truePeakDbtp ?? null,
    })
    .where('mediaUid', '=', file.mediaUid)
    .where('fileVersion', '=', file.fileVersion)
    .where('loudnessState', '=', 'pending')
    .returning('mediaUid')
    .executeTakeFirst()
  return row !== undefined
}
