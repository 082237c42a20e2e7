import { type RawBuilder, sql } from 'kysely'
import type { Reads } from './client-scope.ts'
import {
  cappedTotal,
  countUpTo,
  type LargeList,
  type ListPage,
  type ListRequest,
  type ListSource,
  matches,
  MOST_COUNTED,
  sortColumn,
} from './list-source.ts'
import { isFindable, searchTerms } from './search-terms.ts'

/*
 * Lists of a client's many things. First the uids of one page and the total, from the things' own table alone: by an index
 * that has the list's order, or of what the search's index found; then the whole rows of these few. docs/decisions/0111.
 */

type LargeSource = ListSource & { large: LargeList }

interface Found {
  uids: string[]
  total: number
  more?: boolean
}

/** How uids are looked for: from what, in which order. */
interface Way {
  from: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/** A walked column is never null, so that one index serves both directions: PostgreSQL does not see that by itself. */
function wayOf(list: ListRequest, source: LargeSource): Way {
  const { newest, uid, large } = source
  const own = large.isWhereJoined ? source.from : large.own
  if (list.sort === undefined) return { from: own, order: sql`${newest} desc, ${uid} desc` }
  const column = sortColumn(list.sort, source)
  const direction = list.dir === 'desc' ? sql`desc` : sql`asc`
  if (large.walked.includes(list.sort))
    return { from: own, order: sql`${column} ${direction}, ${uid} ${direction}` }
  return { from: source.from, order: sql`${column} ${direction} nulls last, ${uid} ${direction}` }
}

const pageOf = (
  { from, order }: Way,
  list: ListRequest,
  found: { uid: RawBuilder<unknown>; where: RawBuilder<unknown> },
) => sql`
  array(select ${found.uid} ${from} where ${found.where} order by ${order}
    limit ${list.size} offset ${(list.page - 1) * list.size})`

const keptTotal = ({ list, kind }: LargeList) => sql`
  (select coalesce(sum(change), 0)::int from list_counts
    where list = ${list} and ${kind === null ? sql`true` : sql`kind = ${kind}`})`

/** Without a search. */
async function walk(reads: Reads, list: ListRequest, source: LargeSource): Promise<Found> {
  const { large, where } = source
  const way = wayOf(list, source)
  const kept = large.isFiltered ? sql`null::int` : keptTotal(large)
  const { rows } = await sql<{ uids: string[]; total: number | null }>`
    select ${pageOf(way, list, source)} as uids, ${kept} as total`.execute(reads)
  const { uids, total } = rows[0] ?? { uids: [], total: 0 }
  if (total !== null) return { uids, total }
  if (list.page === 1 && uids.length < list.size) return { uids, total: uids.length }
  return { uids, total: await countUpTo(reads, sql`${way.from} where ${where}`, null) }
}

/** In SQL: what the search's index finds, one more than is counted if there is. */
function hitsOf({ list, kind, groups }: LargeList, terms: readonly string[]): RawBuilder<unknown> {
  const found = terms.map((_, index) =>
    groups
      ? sql`(select coalesce(jsonb_agg(group_uid), '[]') from found_groups where term_nr = ${index + 1})`
      : sql`'[]'::jsonb`,
  )
  return sql`search_list(${list}, ${kind}, ${terms}::text[], jsonb_build_array(${sql.join(found)}),
    ${MOST_COUNTED + 1})`
}

/** By the search's index; null when that finds too many to be sorted. */
async function lookUp(
  reads: Reads,
  list: ListRequest,
  { source, terms }: { source: LargeSource; terms: readonly string[] },
): Promise<Found | null> {
  const { large, uid } = source
  const way = wayOf(list, source)
  const where = sql`${source.where} and ${uid} = any(array(select uid from hits))`
  const filtered = large.isFiltered ? sql`(select count(*) ${way.from} where ${where})` : sql`null::bigint`
  const { rows } = await sql<{ uids: string[]; hits: number; filtered: number | null }>`
    with ${large.groups ? sql`found_groups as materialized (${large.groups(terms)}),` : sql``}
      hits as materialized (select uid from ${hitsOf(large, terms)} as found (uid)),
      counted as materialized (select count(*) as hits from hits)
    select counted.hits,
      case when hits <= ${MOST_COUNTED} then ${pageOf(way, list, { uid, where })} else '{}' end as uids,
      case when hits <= ${MOST_COUNTED} then ${filtered} end as filtered
    from counted`.execute(reads)
  const [found] = rows
  if (!found || found.hits > MOST_COUNTED) return null
  return { uids: found.uids, total: found.filtered ?? found.hits }
}

/** A search that finds very many: in the list's order one after another is looked at, and a page is soon full. */
async function walkSearched(reads: Reads, list: ListRequest, source: LargeSource): Promise<Found> {
  const way = wayOf(list, source)
  const where = sql`${source.where} and ${matches(list.search, source)}`
  const { rows } = await sql<{ uids: string[] }>`
    select ${pageOf(way, list, { uid: source.uid, where })} as uids`.execute(reads)
  const uids = rows[0]?.uids ?? []
  if (!source.large.isFiltered) return { uids, total: MOST_COUNTED, more: true }
  return { uids, ...cappedTotal(await countUpTo(reads, sql`${way.from} where ${where}`, MOST_COUNTED + 1)) }
}

async function findPage(reads: Reads, list: ListRequest, source: LargeSource): Promise<Found> {
  const terms = searchTerms(list.search)
  if (terms.length === 0) return walk(reads, list, source)
  if (!terms.every(isFindable)) return { uids: [], total: 0 }
  return (await lookUp(reads, list, { source, terms })) ?? walkSearched(reads, list, source)
}

/** One page of a large list. @throws ProblemError 400 for a `sort` that it has not. */
export async function readLargePage<Row>(
  reads: Reads,
  list: ListRequest,
  source: LargeSource,
): Promise<ListPage<Row>> {
  const { page, size } = list
  const { uids, ...total } = await findPage(reads, list, source)
  if (uids.length === 0) return { items: [], ...total, page, size }
  const { rows: items } = await sql<Row>`
    select ${source.columns} ${source.from} where ${source.uid} = any(${uids}::uuid[])
    order by array_position(${uids}::uuid[], ${source.uid})`.execute(reads)
  return { items, ...total, page, size }
}
