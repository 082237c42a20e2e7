import { type RawBuilder, sql } from 'kysely'
import type { Reads } from './client-scope.ts'
import { readLargePage } from './large-list.ts'
import {
  cappedTotal,
  countUpTo,
  type ListPage,
  type ListRequest,
  type ListSource,
  matches,
  MOST_COUNTED,
  sortColumn,
} from './list-source.ts'

export type { ListPage, ListRequest, ListSource } from './list-source.ts'

function orderOf(list: ListRequest, source: ListSource): RawBuilder<unknown> {
  const { newest, uid } = source
  if (list.sort === undefined) return sql`${newest} desc, ${uid} desc`
  const direction = list.dir === 'desc' ? sql`desc nulls last` : sql`asc nulls last`
  return sql`${sortColumn(list.sort, source)} ${direction}, ${uid} ${direction}`
}

/** One page of a list, and how many rows there are in all. @throws ProblemError 400 for a `sort` that it has not. */
export async function readPage<Row>(
  reads: Reads,
  list: ListRequest,
  source: ListSource,
): Promise<ListPage<Row>> {
  if (source.large) return readLargePage<Row>(reads, list, { ...source, large: source.large })
  const { page, size } = list
  const where = sql`${source.where} and ${matches(list.search, source)}`
  const { rows: items } = await sql<Row>`
    select ${source.columns} ${source.from} where ${where} order by ${orderOf(list, source)}
    limit ${size} offset ${(page - 1) * size}`.execute(reads)
  const isWhole = page === 1 && items.length < size
  if (isWhole) return { items, total: items.length, page, size }
  const counted = sql`${source.from} where ${where}`
  const isCapped = source.isEndless === true || list.search.trim() !== ''
  if (!isCapped) return { items, total: await countUpTo(reads, counted, null), page, size }
  return { items, ...cappedTotal(await countUpTo(reads, counted, MOST_COUNTED + 1)), page, size }
}

/** What of a list's rows a bulk call is about: those that a search finds, from behind one of them on, save the excepted. */
export interface Matching {
  search: string
  after?: string | undefined
  except: readonly string[]
  most: number
}

/** Up to `most` things that a filter finds, in the order of their uids, and how many more there are. */
export async function readMatching(
  reads: Reads,
  { search, after, except, most }: Matching,
  source: ListSource & { name: RawBuilder<unknown> },
): Promise<{ items: { uid: string; name: string }[]; remaining: number }> {
  const { uid, name } = source
  const isBehind = after === undefined ? sql`true` : sql`${uid} > ${after}`
  const { rows } = await sql<{ uid: string; name: string; found: number }>`
    select ${uid} as uid, ${name} as name, count(*) over () as found ${source.from}
    where ${source.where} and ${matches(search, source)} and ${isBehind} and ${uid} <> all(${except}::uuid[])
    order by ${uid} limit ${most}`.execute(reads)
  return {
    items: rows.map(row => ({ uid: row.uid, name: row.name })),
    remaining: (rows[0]?.found ?? 0) - rows.length,
  }
}
