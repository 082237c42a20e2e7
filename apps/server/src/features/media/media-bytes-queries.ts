import type { Reads } from '../../platform/database/client-scope.ts'
import { livingMedia } from './media-queries.ts'

/** What delivering an item's newest file or its preview needs; null if it is not there or in the bin. */
export async function findMediaBytes(reads: Reads, uid: string) {
  const row = await livingMedia(reads)
    .where('item.uid', '=', uid)
    .select(['item.originalName', 'item.previewSha256', 'item.previewMimeType', 'item.previewSizeBytes'])
    .select(['file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}

/** One version of an item's file by its hash, in the bin or not: what a device that holds its manifest may fetch. */
export async function findMediaFile(reads: Reads, uid: string, sha256: string) {
  const row = await reads
    .selectFrom('mediaItems as item')
    .innerJoin('mediaFiles as file', 'file.mediaUid', 'item.uid')
    .where('item.uid', '=', uid)
    .where('file.sha256', '=', sha256)
    .select(['item.originalName', 'file.sha256', 'file.sizeBytes', 'file.mimeType'])
    .executeTakeFirst()
  return row ?? null
}
