import { BULK_MOST } from '@floorcast/contract/bulk.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from './client-scope.ts'

type NamedTable = 'devices' | 'groups' | 'playlists' | 'publications'

interface Named {
  uid: string
  name: string
}

async function named(
  reads: Reads,
  table: NamedTable | 'mediaItems',
  where: RawBuilder<unknown>,
): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select t.uid, t.name from ${sql.table(table)} t where t.deleted_at is null and ${where} order by t.uid
  `.execute(reads)
  return rows
}

/** Names of those of the uids that are there, outside the bin. */
export const findNames = (reads: Reads, table: NamedTable, uids: readonly string[]): Promise<Named[]> =>
  named(reads, table, sql`t.uid = any(${uids}::uuid[])`)

/** The same for media of one content type. */
export const findMediaNames = (
  reads: Reads,
  contentType: string,
  uids: readonly string[],
): Promise<Named[]> =>
  named(reads, 'mediaItems', sql`t.content_type = ${contentType} and t.uid = any(${uids}::uuid[])`)

/**
 * Groups or playlists that no publication names, or publications that are neither on nor waiting: the first 1,000, and how
 * many more there are.
 */
export async function findUnused(
  reads: Reads,
  table: 'groups' | 'playlists' | 'publications',
): Promise<{ items: Named[]; remaining: number }> {
  const column = table === 'groups' ? sql`group_uid` : sql`playlist_uid`
  const isUnused =
    table === 'publications'
      ? sql`t.state = 'disabled'`
      : sql`not exists (select from publications p where p.${column} = t.uid and p.deleted_at is null)`
  const { rows } = await sql<Named & { found: number }>`
    select t.uid, t.name, count(*) over () as found from ${sql.table(table)} t
    where t.deleted_at is null and ${isUnused} order by t.uid limit ${BULK_MOST}`.execute(reads)
  const items = rows.map(({ uid, name }) => ({ uid, name }))
  return { items, remaining: (rows[0]?.found ?? 0) - items.length }
}
