import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { isOnSomewhere } from './publication-state-sql.ts'

/** A group or a playlist that publications name. */
export type PublishedItem = { groupUid: string } | { playlistUid: string }

/** The publications outside the bin that name a group or a playlist, and whether they are in force or waiting. */
export async function findPublicationsNaming(
  reads: Reads,
  item: PublishedItem,
  now: Date,
): Promise<{ name: string; isOn: boolean }[]> {
  const names =
    'groupUid' in item ? sql`p.group_uid = ${item.groupUid}` : sql`p.playlist_uid = ${item.playlistUid}`
  const { rows } = await sql<{ name: string; isOn: boolean }>`
    select p.name, ${isOnSomewhere(now)} as is_on from publications p
    where ${names} and p.deleted_at is null order by p.sort_name, p.uid`.execute(reads)
  return rows
}
