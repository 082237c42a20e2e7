import type { Reference } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from './client-scope.ts'
import { readLargePage } from './large-list.ts'
import { PLAN_EACH_TIME } from './scoped-pool.ts'
import {
  cappedTotal,
  countUpTo,
  getSort,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type ListSource,
  matches,
  MAX_COUNTED,
  type RowOf,
  selectList,
  sortKey,
} from './list-source.ts'

export type { ListColumns, ListPage, ListRequest, RowOf } from './list-source.ts'

/** In SQL: the uid and name of a joined row as one value; null without a row. */
export const referenceTo = (alias: string): RawBuilder<Reference | null> => {
  const [uid, name] = [sql.ref(`${alias}.uid`), sql.ref(`${alias}.name`)]
  return sql`case when ${uid} is not null then jsonb_build_object('uid', ${uid}, 'name', ${name}) end`
}

/** In SQL: the uids and names of the rows `from …` of an alias as one value, sorted by name. */
export const referencesTo = (alias: string, from: RawBuilder<unknown>): RawBuilder<Reference[]> => {
  const [uid, name] = [sql.ref(`${alias}.uid`), sql.ref(`${alias}.name`)]
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('uid', ${uid}, 'name', ${name}) order by ${sortKey(name)}, ${uid}) ${from}), '[]')`
}

/** Reads rows of a list's columns, such as the row of a card. `from` begins with `from` and ends with the order, if any. */
export const readRows = <Columns extends ListColumns>(
  reads: Reads,
  columns: Columns,
  from: RawBuilder<unknown>,
): Promise<RowOf<Columns>[]> => read(reads, sql`${selectList(columns)} ${from}`)

/** Like readRows, planned for its values each time: for days (PLAN_EACH_TIME). */
export const readRowsOfDays = <Columns extends ListColumns>(
  reads: Reads,
  columns: Columns,
  from: RawBuilder<unknown>,
): Promise<RowOf<Columns>[]> => read(reads, sql`${sql.raw(PLAN_EACH_TIME)}${selectList(columns)} ${from}`)

async function read<Row>(reads: Reads, statement: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`${statement}`.execute(reads)
  return rows
}

function orderBy(list: ListRequest, { columns, newest, thenBy }: ListSource): RawBuilder<unknown> {
  const uid = columns.uid.select
  if (list.sort === undefined) return sql`${newest} desc, ${uid} desc`
  const direction = list.dir === 'desc' ? sql`desc nulls last` : sql`asc nulls last`
  const next = thenBy ? sql`${thenBy} ${direction},` : sql``
  return sql`${getSort(list.sort, columns).by} ${direction}, ${next} ${uid} ${direction}`
}

/** Reads a page of a list and the total. @throws ProblemError 400 for an unknown sort */
export async function readPage<Columns extends ListColumns>(
  reads: Reads,
  list: ListRequest,
  source: ListSource<Columns>,
): Promise<ListPage<RowOf<Columns>>> {
  if (source.large) return readLargePage(reads, list, { ...source, large: source.large })
  const { page, size } = list
  const from = sql`${source.from} where ${source.where} and ${matches(list.search, source)}`
  const items = await readRows(
    reads,
    source.columns,
    sql`${from} order by ${orderBy(list, source)} limit ${size} offset ${(page - 1) * size}`,
  )
  const isWhole = page === 1 && items.length < size
  if (isWhole) return { items, total: items.length, page, size }
  const isCapped = source.isEndless === true || list.search.trim() !== ''
  if (!isCapped) {
    const { readTotal = () => countUpTo(reads, from, null) } = source
    return { items, total: await readTotal(), page, size }
  }
  return { items, ...cappedTotal(await countUpTo(reads, from, MAX_COUNTED + 1)), page, size }
}

/** The rows of a bulk call: those that a search finds, after the uid `after`, except some. */
export interface Matching {
  search: string
  after?: string | undefined
  except: readonly string[]
  max: number
}

/** Up to `max` items that a filter finds, in the order of their uids, and how many more there are. */
export async function readMatching(
  reads: Reads,
  { search, after, except, max }: Matching,
  source: ListSource<ListColumns & { name: { select: RawBuilder<string> } }>,
): Promise<{ items: { uid: string; name: string }[]; remaining: number }> {
  const uid = source.columns.uid.select
  const isBehind = after === undefined ? sql`true` : sql`${uid} > ${after}`
  const { rows } = await sql<{ uid: string; name: string; matching: number }>`
    select ${uid} as uid, ${source.columns.name.select} as name, count(*) over () as matching ${source.from}
    where ${source.where} and ${matches(search, source)} and ${isBehind} and ${uid} <> all(${except}::uuid[])
    order by ${uid} limit ${max}`.execute(reads)
  return {
    items: rows.map(row => ({ uid: row.uid, name: row.name })),
    remaining: (rows[0]?.matching ?? 0) - rows.length,
  }
}

/** In SQL: the uids of all items that a filter finds, except some. */
export function matchingUids(
  { search, after, except }: Omit<Matching, 'max'>,
  source: ListSource,
): RawBuilder<unknown> {
  const uid = source.columns.uid.select
  const isBehind = after === undefined ? sql`true` : sql`${uid} > ${after}`
  return sql`
    select ${uid} as uid ${source.from}
    where ${source.where} and ${matches(search, source)} and ${isBehind} and ${uid} <> all(${except}::uuid[])`
}
