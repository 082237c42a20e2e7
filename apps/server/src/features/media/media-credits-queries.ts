import type { MediaType } from '@floorcast/contract/media.ts'
import { creditFields, type MediaCredits } from '@floorcast/contract/media-credits.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { matches } from '../../platform/database/list-source.ts'
import { mayBegin, type WorkedFile } from './media-file-queries.ts'
import { type MediaSet, mediaSource } from './media-queries.ts'

/** An item's credits, with what its newest file has in the place of an ISRC. */
export type StoredCredits = MediaCredits & { invalidIsrc: string }

export interface CreditedItem extends MediaCredits {
  uid: string
  name: string
}

const columns = sql`item.uid, item.name, item.artist, item.title, item.isrc, item.composer, item.publisher`

/** The next items of a list after a row, by name, at most `max`. */
export async function listCredits(
  reads: Reads,
  { search, ...set }: MediaSet & { search: string },
  { after, max }: { after: { place: string; uid: string } | null; max: number },
): Promise<(CreditedItem & { place: string })[]> {
  const source = mediaSource(set)
  const isAfter = after ? sql`(item.sort_name, item.uid) > (${after.place}, ${after.uid}::uuid)` : sql`true`
  const { rows } = await sql<CreditedItem & { place: string }>`
    select ${columns}, item.sort_name as place from media_items item
    where ${source.where} and ${matches(search, source)} and ${isAfter}
    order by item.sort_name, item.uid limit ${max}`.execute(reads)
  return rows
}

/** The items outside the bin of these uids; `isLocked` locks them, in one order, until the transaction ends. */
export async function findCredited(
  reads: Reads,
  { contentType, uids, isLocked }: { contentType: MediaType; uids: readonly string[]; isLocked: boolean },
): Promise<CreditedItem[]> {
  const { rows } = await sql<CreditedItem>`
    select ${columns} from media_items item
    where item.uid = any(${uids}::uuid[]) and item.content_type = ${contentType} and item.deleted_at is null
    order by item.uid ${isLocked ? sql`for update` : sql``}`.execute(reads)
  return rows
}

/** Saves the credits of items and raises their record versions. */
export async function saveCredits(
  writes: Writes,
  items: readonly (MediaCredits & { uid: string })[],
  changedAt: Date,
): Promise<void> {
  const uids = items.map(({ uid }) => uid)
  const [artists, titles, isrcs, composers, publishers] = creditFields.map(field =>
    items.map(item => item[field]),
  )
  await sql`
    update media_items item
    set artist = x.artist, title = x.title, isrc = x.isrc, composer = x.composer, publisher = x.publisher,
      changed_at = ${changedAt}, version = version + 1
    from unnest(${uids}::uuid[], ${artists}::text[], ${titles}::text[], ${isrcs}::text[], ${composers}::text[],
      ${publishers}::text[]) as x(uid, artist, title, isrc, composer, publisher)
    where item.uid = x.uid`.execute(writes)
}

/** A file of an earlier release, whose tags nobody has read. */
export interface UnreadFile extends WorkedFile {
  sha256: string
  mimeType: string
}

/** The next file of the client whose tags are not read yet; null if there is none. */
export async function findUnreadFile(reads: Reads, now: Date): Promise<UnreadFile | null> {
  const row = await reads
    .selectFrom('mediaFiles as f')
    .select(['mediaUid', 'fileVersion', 'sha256', 'mimeType'])
    .where('areTagsRead', '=', false)
    .where(mayBegin(now))
    .orderBy('mediaUid')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Marks the tags of a file as read. @returns the item, locked, if it is the newest file of one outside the bin */
export async function markTagsRead(writes: Writes, file: UnreadFile) {
  await writes
    .updateTable('mediaFiles')
    .set({ areTagsRead: true })
    .where('mediaUid', '=', file.mediaUid)
    .where('fileVersion', '=', file.fileVersion)
    .execute()
  const { rows } = await sql<StoredCredits & { uid: string; name: string }>`
    select ${columns}, item.invalid_isrc from media_items item
    where item.uid = ${file.mediaUid} and item.file_version = ${file.fileVersion} for no key update`.execute(
    writes,
  )
  return rows[0] ?? null
}

/** Saves what the tags of a stored file say. */
export async function saveTagCredits(
  writes: Writes,
  uid: string,
  { changedAt, ...credits }: StoredCredits & { changedAt: Date },
): Promise<void> {
  const { artist, title, isrc, composer, publisher, invalidIsrc } = credits
  await writes
    .updateTable('mediaItems')
    .set({ artist, title, isrc, composer, publisher, invalidIsrc, changedAt, version: sql`version + 1` })
    .where('uid', '=', uid)
    .execute()
}
