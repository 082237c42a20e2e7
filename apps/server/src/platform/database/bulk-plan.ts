import type { BulkPlan, LeftOutReason } from '@floorcast/contract/bulk-calls.ts'
import { type RawBuilder, sql } from 'kysely'
import type { BulkSelection } from '../lib/bulk.ts'
import type { Reads } from './client-scope.ts'
import { matchingUids } from './list.ts'
import type { ListSource } from './list-source.ts'

/** In SQL: the uids of a selection, without a limit. Named ones may not exist. */
export const selectedUids = <Filter extends { search: string }>(
  selection: BulkSelection<Filter>,
  sourceOf: (filter: Filter) => ListSource,
): RawBuilder<unknown> =>
  'uids' in selection
    ? sql`select unnest(${selection.uids}::uuid[])`
    : matchingUids({ ...selection, search: selection.filter.search }, sourceOf(selection.filter))

interface PlannedItems {
  /** In SQL: uids. */
  selected: RawBuilder<unknown>
  /** `from …`, of items outside the bin. */
  from: RawBuilder<unknown>
  uid: RawBuilder<unknown>
  /** In SQL: why an item is left out; null if it is not. */
  why: RawBuilder<unknown>
  /** In SQL: the item is a device without contact. */
  isOffline?: RawBuilder<unknown>
}

const never = sql`false`

/**
 * Counts what an action on a selection changes and what it leaves out, by reason; the most frequent reason first. The selection is
 * an array: as a subquery, PostgreSQL would run it for each item of a table that it has no statistics of.
 */
export async function countBulk(
  reads: Reads,
  { selected, from, uid, why, isOffline = never }: PlannedItems,
): Promise<BulkPlan> {
  const { rows } = await sql<{ reason: LeftOutReason | null; count: number; offline: number }>`
    select reason, count(*)::int as count, count(*) filter (where is_offline)::int as offline
    from (select ${why} as reason, ${isOffline} as is_offline ${from} and ${uid} = any(array(${selected}))) item
    group by reason order by count(*) desc, reason`.execute(reads)
  const changed = rows.find(({ reason }) => reason === null)
  return {
    count: changed?.count ?? 0,
    offline: changed?.offline ?? 0,
    leftOut: rows.flatMap(({ reason, count }) => (reason === null ? [] : { reason, count })),
  }
}
