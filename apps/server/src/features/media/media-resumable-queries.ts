import type { MediaType } from '@floorcast/contract/media.ts'
import type { Insertable } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { Tables } from '../../../database/tables.ts'

/** Whose upload: nobody else sees it, neither another client nor another user of this one. */
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

/** The user's unfinished uploads of a file of this name. */
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
    .execute()
  return rows.map(({ uid }) => uid)
}

export async function insertUpload(writes: Writes, upload: Insertable<Tables['uploads']>): Promise<void> {
  await writes.insertInto('uploads').values(upload).execute()
}

/** Keeps an upload and its storage until `expiresAt`. */
export async function extendUpload(writes: Writes, uid: string, expiresAt: Date): Promise<void> {
  await writes.updateTable('uploads').set({ expiresAt }).where('uid', '=', uid).execute()
  await writes.updateTable('storageReservations').set({ expiresAt }).where('uid', '=', uid).execute()
}

/** Writes down how an upload ended and gives its storage back. @returns false if it has ended before, or is gone. */
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
  await deleteHold(writes, uid)
  return numUpdatedRows > 0n
}

export async function deleteUpload(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('uploads').where('uid', '=', uid).execute()
  await deleteHold(writes, uid)
}

async function deleteHold(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('storageReservations').where('uid', '=', uid).execute()
}
