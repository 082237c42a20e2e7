import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'

export interface Purged {
  uid: string
  name: string
  /** The hashes of its files and preview. */
  hashes: string[]
  /** The media whose files its plan pins. Their former files may have no other use. */
  plannedMedia: string[]
}

interface Kind {
  table: RawBuilder<unknown>
  /** The column within whose values names are unique; null if they are unique in the table. */
  within: 'kind' | 'content_type' | null
  /** Whether another item of the bin cannot be restored without the item `b`. */
  isNeeded: RawBuilder<unknown>
  /** The hashes of the files of `b`. The statement that deletes it still sees them. */
  hashes: RawBuilder<unknown>
}

const NO_HASHES = sql`'{}'::text[]`
const NO_UIDS = sql`'{}'::uuid[]`
const PLANNED_MEDIA = sql`array(select i.media_uid from playlist_items i
  where i.playlist_uid = b.uid and i.pinned_file_version is not null)`
export const KINDS: Record<BinKind, Kind> = {
  media: {
    table: sql`media_items`,
    within: 'content_type',
    isNeeded: sql`(exists (select from playlist_items i where i.media_uid = b.uid)
      or exists (select from profile_media n where n.media_uid = b.uid))`,
    hashes: sql`array_remove(array(select f.sha256 from media_files f where f.media_uid = b.uid)
      || b.preview_sha256, null)`,
  },
  devices: { table: sql`devices`, within: 'kind', isNeeded: sql`false`, hashes: NO_HASHES },
  groups: {
    table: sql`groups`,
    within: 'kind',
    isNeeded: sql`exists (select from publications p where p.group_uid = b.uid)`,
    hashes: NO_HASHES,
  },
  publications: { table: sql`publications`, within: 'kind', isNeeded: sql`false`, hashes: NO_HASHES },
  playlists: {
    table: sql`playlists`,
    within: 'kind',
    isNeeded: sql`exists (select from publications p where p.playlist_uid = b.uid)`,
    hashes: NO_HASHES,
  },
}

/** In SQL: another item of the bin cannot be restored without the item `b`. */
export const isNeededInBin = (x: BinKind): RawBuilder<unknown> => KINDS[x].isNeeded

/** Deletes up to `max` items that are meant and that no other item needs. An item that is restored at the same time stays. */
async function purgeMeant(
  writes: Writes,
  x: BinKind,
  { isMeant, max }: { isMeant: RawBuilder<unknown>; max: number },
): Promise<Purged[]> {
  const { table, isNeeded, hashes } = KINDS[x]
  const plannedMedia = x === 'playlists' ? PLANNED_MEDIA : NO_UIDS
  const { rows } = await sql<Purged>`
    delete from ${table} b where ${isMeant} and b.uid in (
      select b.uid from ${table} b
      where ${isMeant} and not ${isNeeded} order by b.deleted_at, b.uid limit ${max})
    returning b.uid, b.name, ${hashes} as hashes, ${plannedMedia} as planned_media`.execute(writes)
  return rows
}

/** Deletes up to `max` items of a kind that came into the bin before a moment and that no other item needs. */
export const purgeBinnedBefore = (
  writes: Writes,
  x: BinKind,
  { before, max }: { before: Date; max: number },
): Promise<Purged[]> => purgeMeant(writes, x, { isMeant: sql`b.deleted_at < ${before}`, max })

/** Deletes those of these items that are in the bin and that no other item needs. */
export const purgeBinned = (writes: Writes, x: BinKind, uids: readonly string[]): Promise<Purged[]> =>
  purgeMeant(writes, x, {
    isMeant: sql`b.deleted_at is not null and b.uid = any(${uids}::uuid[])`,
    max: uids.length,
  })
