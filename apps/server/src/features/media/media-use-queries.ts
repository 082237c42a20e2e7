import { sql, type RawBuilder } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { isOnSomewhere } from '../../platform/database/publication-state.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'

/** By name from A on, unless told. */
type ReferencePage = Pick<ListRequest, 'search' | 'page' | 'size'> & Partial<ListRequest>

interface Referrer {
  uid: string
  name: string
}

const referrers = (
  reads: Reads,
  { sort = 'name', dir = 'asc', ...list }: ReferencePage,
  given: { table: RawBuilder<unknown>; uids: RawBuilder<unknown> },
): Promise<ListPage<Referrer>> =>
  readPage<Referrer>(
    reads,
    { ...list, sort, dir },
    {
      columns: sql`t.uid, t.name`,
      from: sql`from ${given.table} t`,
      where: sql`t.deleted_at is null and t.uid in (${given.uids})`,
      searched: [sql`t.name`],
      sorts: { name: sql`lower(t.name)` },
      newest: sql`t.changed_at`,
      uid: sql`t.uid`,
    },
  )

/** The playlists outside the bin that hold an item, by name. */
export const findPlaylistsOf = (reads: Reads, mediaUid: string, list: ReferencePage) =>
  referrers(reads, list, {
    table: sql`playlists`,
    uids: sql`select i.playlist_uid from playlist_items i where i.media_uid = ${mediaUid}`,
  })

/** The groups that play an item by an active or delayed publication, by name. */
export const findGroupsOf = (
  reads: Reads,
  mediaUid: string,
  { now, ...list }: ReferencePage & { now: Date },
) =>
  referrers(reads, list, {
    table: sql`groups`,
    uids: sql`select p.group_uid from publications p join playlist_items i on i.playlist_uid = p.playlist_uid
      where i.media_uid = ${mediaUid} and ${isOnSomewhere(now)} and p.deleted_at is null`,
  })

/** The names of the profiles that name an item, drafted or in force. */
export async function findProfilesOf(reads: Reads, mediaUid: string, most: number): Promise<string[]> {
  const { rows } = await sql<Referrer>`
    select f.uid, f.name from profiles f join profile_media n on n.profile_uid = f.uid
    where n.media_uid = ${mediaUid} order by lower(f.name), f.uid limit ${most}`.execute(reads)
  return rows.map(({ name }) => name)
}
