import { type RawBuilder, sql } from 'kysely'
import type { Reads } from './client-scope.ts'
import {
  cappedTotal,
  countUpTo,
  getSort,
  isFindable,
  type LargeList,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type ListSource,
  matches,
  MAX_COUNTED,
  type RowOf,
  searchTerms,
  selectList,
} from './list-source.ts'

/*
 * Lists of a client's most numerous items. First the uids of one page and the total, from the items' own table alone: by an
 * index that has the list's order, or of the hits of the search's index; then the whole rows of these few. docs/decisions/0111.
 */

type LargeSource<Columns extends ListColumns = ListColumns> = ListSource<Columns> & { large: LargeList }

interface PageUids {
  uids: string[]
  total: number
  more?: boolean
}

/** The source and the order of a page's uids. */
interface OrderedRows {
  from: RawBuilder<unknown>
  orderBy: RawBuilder<unknown>
}

function orderRows(list: ListRequest, { columns, newest, from, large }: LargeSource): OrderedRows {
  const uid = columns.uid.select
  if (list.sort === undefined) return { from: large.ownTable, orderBy: sql`${newest} desc, ${uid} desc` }
  const { by, index } = getSort(list.sort, columns)
  const direction = list.dir === 'desc' ? sql`desc` : sql`asc`
  // PostgreSQL walks an index backwards for `desc`, and not for `desc nulls last`, although nothing is null.
  const nulls = index === 'never-null' ? sql`` : sql`nulls last`
  return {
    from: index ? large.ownTable : from,
    orderBy: sql`${by} ${direction} ${nulls}, ${uid} ${direction}`,
  }
}

const uidsOfPage = (
  { from, orderBy }: OrderedRows,
  { page, size }: ListRequest,
  { uid, where }: { uid: RawBuilder<string>; where: RawBuilder<unknown> },
) => sql`
  array(select ${uid} ${from} where ${where} order by ${orderBy} limit ${size} offset ${(page - 1) * size})`

/** In SQL: the client's items of a list outside the bin, without a read of all of them. */
const storedTotal = ({ list, kind }: Pick<LargeList, 'list' | 'kind'>) => sql<number>`
  (select coalesce(sum(change), 0)::int from list_counts
    where list = ${list} and ${kind === null ? sql`true` : sql`kind = ${kind}`})`

/** In SQL: the number of the client's devices outside the bin. */
export const deviceCount = storedTotal({ list: 'devices', kind: null })

async function findUids(reads: Reads, list: ListRequest, source: LargeSource): Promise<PageUids> {
  const { columns, large, where } = source
  const ordered = orderRows(list, source)
  const stored = large.isFiltered ? sql`null::int` : storedTotal(large)
  const { rows } = await sql<{ uids: string[]; total: number | null }>`
    select ${uidsOfPage(ordered, list, { uid: columns.uid.select, where })} as uids, ${stored} as total`.execute(
    reads,
  )
  const { uids, total } = rows[0] ?? { uids: [], total: 0 }
  if (total !== null) return { uids, total }
  if (list.page === 1 && uids.length < list.size) return { uids, total: uids.length }
  return { uids, total: await countUpTo(reads, sql`${ordered.from} where ${where}`, null) }
}

/** In SQL: the hits of the search's index, up to one more than are counted. */
function hitsOf({ list, kind, parents }: LargeList, terms: readonly string[]): RawBuilder<unknown> {
  const byParent = terms.map((_, index) =>
    parents
      ? sql`(select coalesce(jsonb_agg(parent_uid), '[]') from parents where term_nr = ${index + 1})`
      : sql`'[]'::jsonb`,
  )
  return sql`search_list(${list}, ${kind}, ${terms}::text[], jsonb_build_array(${sql.join(byParent)}),
    ${MAX_COUNTED + 1})`
}

/** Searches by the index; null if there are too many hits to sort. */
async function searchIndex(
  reads: Reads,
  list: ListRequest,
  { source, terms }: { source: LargeSource; terms: readonly string[] },
): Promise<PageUids | null> {
  const { columns, large } = source
  const uid = columns.uid.select
  const ordered = orderRows(list, source)
  const where = sql`${source.where} and ${uid} = any(array(select uid from hits))`
  const filtered = large.isFiltered
    ? sql`(select count(*) ${ordered.from} where ${where})`
    : sql`null::bigint`
  const { rows } = await sql<{ uids: string[]; hits: number; filtered: number | null }>`
    with ${large.parents ? sql`parents as materialized (${large.parents(terms)}),` : sql``}
      hits as materialized (select uid from ${hitsOf(large, terms)} as hit (uid)),
      counted as materialized (select count(*) as hits from hits)
    select counted.hits,
      case when hits <= ${MAX_COUNTED} then ${uidsOfPage(ordered, list, { uid, where })} else '{}' end as uids,
      case when hits <= ${MAX_COUNTED} then ${filtered} end as filtered
    from counted`.execute(reads)
  const [page] = rows
  if (!page || page.hits > MAX_COUNTED) return null
  return { uids: page.uids, total: page.filtered ?? page.hits }
}

/** Searches with many hits: checks the rows in the list's order until a page is full. */
async function searchInOrder(reads: Reads, list: ListRequest, source: LargeSource): Promise<PageUids> {
  const ordered = orderRows(list, source)
  const where = sql`${source.where} and ${matches(list.search, source)}`
  const { rows } = await sql<{ uids: string[] }>`
    select ${uidsOfPage(ordered, list, { uid: source.columns.uid.select, where })} as uids`.execute(reads)
  const uids = rows[0]?.uids ?? []
  if (!source.large.isFiltered) return { uids, total: MAX_COUNTED, more: true }
  return {
    uids,
    ...cappedTotal(await countUpTo(reads, sql`${ordered.from} where ${where}`, MAX_COUNTED + 1)),
  }
}

async function findPage(reads: Reads, list: ListRequest, source: LargeSource): Promise<PageUids> {
  const terms = searchTerms(list.search)
  if (terms.length === 0) return findUids(reads, list, source)
  if (!terms.every(isFindable)) return { uids: [], total: 0 }
  return (await searchIndex(reads, list, { source, terms })) ?? searchInOrder(reads, list, source)
}

/** Reads a page of a large list. @throws ProblemError 400 for an unknown sort */
export async function readLargePage<Columns extends ListColumns>(
  reads: Reads,
  list: ListRequest,
  source: LargeSource<Columns>,
): Promise<ListPage<RowOf<Columns>>> {
  const { page, size } = list
  const { uids, ...total } = await findPage(reads, list, source)
  if (uids.length === 0) return { items: [], ...total, page, size }
  const uid = source.columns.uid.select
  const { rows: items } = await sql<RowOf<Columns>>`
    ${selectList(source.columns)} ${source.from} where ${uid} = any(${uids}::uuid[])
    order by array_position(${uids}::uuid[], ${uid})`.execute(reads)
  return { items, ...total, page, size }
}
