import type { Reads } from '../../platform/database/client-scope.ts'
import { searchPatterns } from '../../platform/database/search-patterns.ts'

interface ReferencePage {
  search: string
  page: number
  size: number
}

/** The playlists outside the bin that hold an item, by name. */
export async function findPlaylistsOf(reads: Reads, mediaUid: string, { search, page, size }: ReferencePage) {
  let query = reads
    .selectFrom('playlists')
    .where('deletedAt', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('playlistItems')
          .whereRef('playlistItems.playlistUid', '=', 'playlists.uid')
          .where('playlistItems.mediaUid', '=', mediaUid),
      ),
    )
  for (const pattern of searchPatterns(search)) query = query.where('name', 'ilike', pattern)
  const rows = query.select(['uid', 'name']).orderBy('name').orderBy('uid')
  const counted = query.select(eb => eb.fn.countAll<number>().as('total'))
  return {
    items: await rows
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    total: Number((await counted.executeTakeFirstOrThrow()).total),
  }
}

/** The groups that play an item by an active or delayed publication, by name. */
export async function findGroupsOf(reads: Reads, mediaUid: string, { search, page, size }: ReferencePage) {
  let query = reads
    .selectFrom('groups')
    .where('deletedAt', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('publications')
          .innerJoin('playlistItems', 'playlistItems.playlistUid', 'publications.playlistUid')
          .whereRef('publications.groupUid', '=', 'groups.uid')
          .where('playlistItems.mediaUid', '=', mediaUid)
          .where('publications.state', 'in', ['active', 'delayed'])
          .where('publications.deletedAt', 'is', null),
      ),
    )
  for (const pattern of searchPatterns(search)) query = query.where('name', 'ilike', pattern)
  const rows = query.select(['uid', 'name']).orderBy('name').orderBy('uid')
  const counted = query.select(eb => eb.fn.countAll<number>().as('total'))
  return {
    items: await rows
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    total: Number((await counted.executeTakeFirstOrThrow()).total),
  }
}
