import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads } from './client-scope.ts'

/** A table whose rows have a name and can be in the recycle bin. */
type NamedTable = {
  [Table in keyof Tables]: Tables[Table] extends { uid: unknown; name: unknown; deletedAt: unknown }
    ? Table
    : never
}[keyof Tables]

interface Named {
  uid: string
  name: string
}

const always = sql`true`

/** Names of those of the uids that exist outside the recycle bin and fulfill `where` (alias `t`). */
export async function findNames(
  reads: Reads,
  { table, where = always }: { table: NamedTable; where?: RawBuilder<unknown> },
  uids: readonly string[],
): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select t.uid, t.name from ${sql.table(table)} t
    where t.deleted_at is null and ${where} and t.uid = any(${uids}::uuid[]) order by t.uid`.execute(reads)
  return rows
}

/** The first 1,000 rows outside the recycle bin that fulfill `isUnused` (alias `t`), and how many more there are. */
export async function findUnused(
  reads: Reads,
  table: NamedTable,
  isUnused: RawBuilder<unknown>,
): Promise<{ items: Named[]; remaining: number }> {
  const { rows } = await sql<Named & { unused: number }>`
    select t.uid, t.name, count(*) over () as unused from ${sql.table(table)} t
    where t.deleted_at is null and ${isUnused} order by t.uid limit ${MAX_BULK_ITEMS}`.execute(reads)
  const items = rows.map(({ uid, name }) => ({ uid, name }))
  return { items, remaining: (rows[0]?.unused ?? 0) - items.length }
}

/** Groups or playlists of a kind outside the recycle bin for a select field, by name. */
export async function listPickable(reads: Reads, table: 'groups' | 'playlists', kind: KindFilter) {
  let query = reads.selectFrom(table).select(['uid', 'name', 'kind', 'state']).where('deletedAt', 'is', null)
  if (kind !== 'all') query = query.where('kind', '=', kind)
  return query.orderBy('sortName').orderBy('uid').execute()
}
