import { MAX_BULK_ITEMS, PAGING } from '@floorcast/contract/bulk.ts'
import type { BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { Selection } from '../data-table/list-column.ts'

/** The items of a bulk call: by uid, or all that match a filter except some. */
export type BulkItems<Filter> =
  | { uids: string[] }
  | { filter: Filter; except: string[]; after?: string | undefined; all: true }

/** An item that a bulk call could not change. */
export type FailedItem = NonNullable<Outcome['failed']>[number]

/** A bulk call refuses a page, a size and a sort. */
function withoutPaging<Query>(query: Query): Query {
  const filters = Object.entries(query ?? {}).filter(([name]) => !(name in PAGING))
  return Object.fromEntries(filters) as Query
}

/** The bodies for the items of a selection, each within the size of one call. */
export function itemsOf<Filter>(selection: Selection, filter: Filter): BulkItems<Filter>[] {
  if (selection.kind === 'all')
    // The user has selected all rows and confirms their number.
    return [{ filter: withoutPaging(filter), except: [...selection.except], all: true }]
  const parts: BulkItems<Filter>[] = []
  for (let from = 0; from < selection.uids.length; from += MAX_BULK_ITEMS)
    parts.push({ uids: selection.uids.slice(from, from + MAX_BULK_ITEMS) })
  return parts
}

/** Plans an action on all items of a selection. */
export async function planBulk<Filter>(
  items: readonly BulkItems<Filter>[],
  preview: (items: BulkItems<Filter>) => Promise<BulkPlan>,
): Promise<BulkPlan> {
  const sum = {
    count: 0,
    offline: 0,
    freedBytes: 0,
    leftOut: new Map<BulkPlan['leftOut'][number]['reason'], number>(),
  }
  for (const part of items) {
    const plan = await preview(part)
    sum.count += plan.count
    sum.offline += plan.offline
    sum.freedBytes += plan.freedBytes ?? 0
    for (const { reason, count } of plan.leftOut)
      sum.leftOut.set(reason, (sum.leftOut.get(reason) ?? 0) + count)
  }
  return { ...sum, leftOut: [...sum.leftOut].map(([reason, count]) => ({ reason, count })) }
}

/** One call after the other until nothing is left. */
export async function* runBulk<Filter>(
  items: readonly BulkItems<Filter>[],
  run: (items: BulkItems<Filter>) => Promise<Outcome>,
): AsyncGenerator<Outcome> {
  for (const part of items) {
    for (let after: string | undefined; ;) {
      const outcome = await run('uids' in part || after === undefined ? part : { ...part, after })
      yield outcome
      after = outcome.after
      if (after === undefined) break
    }
  }
}
