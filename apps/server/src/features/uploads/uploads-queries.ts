import type { MediaType } from '@floorcast/contract/media.ts'
import { sql, type Insertable } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../../database/tables.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { FILE_DELETION_LOCK } from '../../platform/storage/file-store.ts'

const BYTES_PER_GIGABYTE = 1_000_000_000

/** Only one transaction of a client at a time decides about its storage and its stored files. */
export async function lockStorage(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storage ${clientId}`}, 0))`.execute(writes)
}

/** Keeps backups from beginning until the transaction ends. @returns false while one copies files */
export async function shareFileDeletion(writes: Writes): Promise<boolean> {
  const { rows } = await sql<{ isShared: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.raw(FILE_DELETION_LOCK)}) as is_shared`.execute(writes)
  return rows[0]?.isShared === true
}

/** Bytes that the client's plan allows, that its files use (the recycle bin's too), and that other uploads hold. */
export async function readStorage(reads: Reads, { now, exceptUid }: { now: Date; exceptUid?: string }) {
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
    .$if(exceptUid !== undefined, query => query.where('uid', '!=', exceptUid ?? ''))
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

/** Adds a reservation, or changes the size and the life of one that exists. */
export async function saveReservation(
  writes: Writes,
  reservation: Insertable<Tables['storageReservations']>,
): Promise<void> {
  const { sizeBytes, expiresAt } = reservation
  await writes
    .insertInto('storageReservations')
    .values(reservation)
    .onConflict(conflict => conflict.column('uid').doUpdateSet({ sizeBytes, expiresAt }))
    .execute()
}

export async function extendReservation(writes: Writes, uid: string, expiresAt: Date): Promise<void> {
  await writes.updateTable('storageReservations').set({ expiresAt }).where('uid', '=', uid).execute()
}

/** Deletes a reservation, and expired ones of ended processes. */
export async function deleteReservation(writes: Writes, uid: string, now: Date): Promise<void> {
  await writes
    .deleteFrom('storageReservations')
    .where(eb => eb.or([eb('uid', '=', uid), eb('expiresAt', '<', now.toISOString())]))
    .execute()
}

/** The note of a stored file that may have no row. */
export interface FileNote {
  uid: string
  sha256: string
}

/** By the clock of the database, which all servers share. */
const NOTE_DUE = sql<Date>`clock_timestamp() + interval '5 minutes'`

/** Notes that these files may have no row. Nobody else deletes them for five minutes. */
export async function noteFiles(
  writes: Writes,
  clientId: string,
  hashes: readonly string[],
): Promise<FileNote[]> {
  const notes = [...new Set(hashes)].map(sha256 => ({ uid: uuidV7(), sha256 }))
  if (notes.length === 0) return notes
  const rows = notes.map(note => ({ ...note, clientId, dueAt: NOTE_DUE }))
  await writes.insertInto('fileNotes').values(rows).execute()
  return notes
}

const uidsOf = (notes: readonly FileNote[]) => notes.map(({ uid }) => uid)

export async function renewNotes(writes: Writes, notes: readonly FileNote[]): Promise<void> {
  await writes.updateTable('fileNotes').set({ dueAt: NOTE_DUE }).where('uid', 'in', uidsOf(notes)).execute()
}

/** Leaves a file to the server that looks for notes that are due. */
export async function leaveNote(writes: Writes, { uid }: FileNote): Promise<void> {
  await writes
    .updateTable('fileNotes')
    .set({ dueAt: sql<Date>`clock_timestamp()` })
    .where('uid', '=', uid)
    .execute()
}

/** @returns false if one of them was not there any more */
export async function endNotes(writes: Writes, notes: readonly FileNote[]): Promise<boolean> {
  if (notes.length === 0) return true
  const gone = await writes.deleteFrom('fileNotes').where('uid', 'in', uidsOf(notes)).executeTakeFirst()
  return Number(gone.numDeletedRows) === notes.length
}

/**
 * True if a media file, a preview (of items in the recycle bin too), an update file or a file of the archive of the client has these
 * bytes, or if another server works on them.
 */
export async function isStoredFileNeeded(reads: Reads, { uid, sha256 }: FileNote): Promise<boolean> {
  const { rows } = await sql<{ isNeeded: boolean }>`
    select exists (select from (${NAMED_FILES}) named where sha256 = ${sha256})
      or exists (select from file_notes
        where sha256 = ${sha256} and uid != ${uid} and due_at > clock_timestamp()) as is_needed`.execute(
    reads,
  )
  return rows[0]?.isNeeded === true
}

/** Those of a client's stored files that no row and no note names. */
export async function findUnownedFiles(reads: Reads, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select unnest(${hashes}::text[]) as sha256
    except select sha256 from (${NAMED_FILES}) named where sha256 = any(${hashes}::text[])
    except select sha256 from file_notes where sha256 = any(${hashes}::text[])`.execute(reads)
  return rows.map(({ sha256 }) => sha256)
}

/** The hash and size of each stored file that a row of the client names. */
export async function listStoredFiles(reads: Reads): Promise<{ sha256: string; sizeBytes: number }[]> {
  const { rows } = await sql<{ sha256: string; sizeBytes: string }>`${NAMED_FILES} order by 1`.execute(reads)
  return rows.map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes: Number(sizeBytes) }))
}

/** All stored files that rows of the client name: what is not among them may be deleted. */
const NAMED_FILES = sql`
  select sha256, size_bytes from media_files
  union select preview_sha256, preview_size_bytes from media_items where preview_sha256 is not null
  union select sha256, size_bytes from update_files
  union select sha256, size_bytes from play_archives`

/** An upload and its user. Nobody else sees it: neither another client nor another user of this one. */
export interface UploadId {
  uid: string
  userUid: string
  now: Date
}

/** A user's upload that has not expired; null if there is none. */
export async function findUpload(reads: Reads, { uid, userUid, now }: UploadId) {
  const row = await reads
    .selectFrom('uploads')
    .select(['uid', 'originalName', 'contentType', 'sizeBytes', 'metadata', 'outcome', 'expiresAt'])
    .where('uid', '=', uid)
    .where('userUid', '=', userUid)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  return row ?? null
}
export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>

export async function countUnfinished(reads: Reads, userUid: string, now: Date): Promise<number> {
  const { count } = await reads
    .selectFrom('uploads')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('userUid', '=', userUid)
    .where('outcome', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** No server works on the upload. */
const isFree = sql<boolean>`(busy_until is null or busy_until < clock_timestamp())`

/** The user's unfinished uploads of a file of this name that no server works on. */
export async function findUnfinished(
  reads: Reads,
  of: { userUid: string; contentType: MediaType; originalName: string },
): Promise<string[]> {
  const rows = await reads
    .selectFrom('uploads')
    .select('uid')
    .where('userUid', '=', of.userUid)
    .where('contentType', '=', of.contentType)
    .where('originalName', '=', of.originalName)
    .where('outcome', 'is', null)
    .where(isFree)
    .execute()
  return rows.map(({ uid }) => uid)
}

export async function insertUpload(writes: Writes, upload: Insertable<Tables['uploads']>): Promise<void> {
  await writes.insertInto('uploads').values(upload).execute()
}

/** Extends the life of an upload, and of its reservation, which is reduced to `sizeBytes` if given. */
export async function extendUpload(
  writes: Writes,
  uid: string,
  { expiresAt, ...reserved }: { expiresAt: Date; sizeBytes?: number },
): Promise<void> {
  await writes.updateTable('uploads').set({ expiresAt }).where('uid', '=', uid).execute()
  await writes
    .updateTable('storageReservations')
    .set({ expiresAt, ...reserved })
    .where('uid', '=', uid)
    .execute()
}

/** Saves the outcome of an upload and releases its reservation. @returns false if it has an outcome already, or is gone */
export async function endUpload(
  writes: Writes,
  uid: string,
  end: { outcome: object; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('uploads')
    .set({ outcome: JSON.stringify(end.outcome), expiresAt: end.expiresAt })
    .where('uid', '=', uid)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  await releaseReservation(writes, uid)
  return numUpdatedRows > 0n
}

export async function deleteUpload(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('uploads').where('uid', '=', uid).execute()
  await releaseReservation(writes, uid)
}

async function releaseReservation(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('storageReservations').where('uid', '=', uid).execute()
}

/** Takes or renews a server's lease of an upload, for half a minute. @returns false while another server has it */
export async function leaseUpload(
  writes: Writes,
  { uid, by }: { uid: string; by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await writes
    .updateTable('uploads')
    .set({ busyBy: by, busyUntil: sql<Date>`clock_timestamp() + interval '30 seconds'` })
    .where('uid', '=', uid)
    .where(eb => eb.or([eb('busyBy', '=', by), isFree]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function endLease(writes: Writes, { uid, by }: { uid: string; by: string }): Promise<void> {
  await writes
    .updateTable('uploads')
    .set({ busyBy: null, busyUntil: null })
    .where('uid', '=', uid)
    .where('busyBy', '=', by)
    .execute()
}

/** The pieces of an upload that are in the store, in their order. */
export async function listPieces(reads: Reads, uploadUid: string) {
  const rows = await reads
    .selectFrom('uploadPieces')
    .select(['uid', 'startByte', 'sizeBytes'])
    .where('uploadUid', '=', uploadUid)
    .orderBy('startByte')
    .execute()
  return rows.map(row => ({ ...row, startByte: Number(row.startByte), sizeBytes: Number(row.sizeBytes) }))
}

export async function sizeOfPieces(reads: Reads, uploadUid: string): Promise<number> {
  const pieces = await listPieces(reads, uploadUid)
  return pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

export async function insertPiece(writes: Writes, piece: Insertable<Tables['uploadPieces']>): Promise<void> {
  await writes.insertInto('uploadPieces').values(piece).execute()
}

export async function deletePieces(writes: Writes, uploadUid: string): Promise<{ uid: string }[]> {
  return writes.deleteFrom('uploadPieces').where('uploadUid', '=', uploadUid).returning('uid').execute()
}

/** Whether an upload may be continued. */
export async function isUnfinished(reads: Reads, uid: string, now: Date): Promise<boolean> {
  const row = await reads
    .selectFrom('uploads')
    .select('uid')
    .where('uid', '=', uid)
    .where('outcome', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  return row !== undefined
}
