import type { MediaType } from '@floorcast/contract/media.ts'
import { sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'

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

/** The content types of these items that are outside the bin, held in one order until the transaction ends. */
export async function holdLivingMedia(
  writes: Writes,
  uids: readonly string[],
): Promise<Map<string, MediaType>> {
  const { rows } = await sql<{ uid: string; contentType: MediaType }>`
    select uid, content_type from media_items where uid = any(${uids}::uuid[]) and deleted_at is null
    order by uid for share`.execute(writes)
  return new Map(rows.map(({ uid, contentType }) => [uid, contentType]))
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
