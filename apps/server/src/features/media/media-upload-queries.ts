import type { MediaType } from '@floorcast/contract/media.ts'
import { sql, type Insertable } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../platform/database/tables.ts'

const BYTES_PER_GIGABYTE = 1_000_000_000

/** One upload of a client at a time decides about its storage and its stored files; until the transaction's end. */
export async function lockStorage(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storage ${clientId}`}, 0))`.execute(writes)
}

/** Bytes that the client's plan allows, that its media take (the bin's too) and that running uploads hold. */
export async function readStorage(reads: Reads, now: Date) {
  const files = reads
    .selectFrom('mediaFiles')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('sizeBytes'), sql.lit(0)).as('sum'))
  const previews = reads
    .selectFrom('mediaItems')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('previewSizeBytes'), sql.lit(0)).as('sum'))
  const held = reads
    .selectFrom('storageReservations')
    .where('expiresAt', '>', now.toISOString())
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('sizeBytes'), sql.lit(0)).as('sum'))
  const row = await reads
    .selectFrom('clients')
    .innerJoin('plans', 'plans.key', 'clients.planKey')
    .select('plans.mediaGigabytes')
    .select([files.as('files'), previews.as('previews'), held.as('held')])
    .executeTakeFirstOrThrow()
  return {
    allowedBytes: Number(row.mediaGigabytes) * BYTES_PER_GIGABYTE,
    usedBytes: Number(row.files) + Number(row.previews),
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

/** Removes the versions of an item's file before `fileVersion` that no playlist is pinned to; answers their hashes. */
export async function deleteFormerFiles(
  writes: Writes,
  mediaUid: string,
  fileVersion: number,
): Promise<string[]> {
  const rows = await writes
    .deleteFrom('mediaFiles')
    .where('mediaUid', '=', mediaUid)
    .where('fileVersion', '<', fileVersion)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('playlistItems')
            .whereRef('playlistItems.mediaUid', '=', 'mediaFiles.mediaUid')
            .whereRef('playlistItems.pinnedFileVersion', '=', 'mediaFiles.fileVersion'),
        ),
      ),
    )
    .returning('sha256')
    .execute()
  return rows.map(row => row.sha256)
}

/** True if some file or preview of the client, in the bin or not, has these bytes. */
export async function isStoredFileUsed(reads: Reads, sha256: string): Promise<boolean> {
  const file = await reads
    .selectFrom('mediaFiles')
    .select('mediaUid')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  if (file) return true
  const preview = await reads
    .selectFrom('mediaItems')
    .select('uid')
    .where('previewSha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return preview !== undefined
}
