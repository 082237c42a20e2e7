import { type RawBuilder, sql } from 'kysely'
import { ProblemError } from '../errors.ts'
import type { Reads } from './client-scope.ts'

/** What every list takes (the contract's ListQuery, parsed). */
export interface ListRequest {
  page: number
  size: number
  search: string
  sort?: string | undefined
  dir: 'asc' | 'desc'
}

export interface ListPage<Row> {
  items: Row[]
  total: number
  page: number
  size: number
  more?: boolean
}

export interface ListSource {
  /** The columns of one row. */
  columns: RawBuilder<unknown>
  /** `from …` with its joins. */
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** Fields that a search looks into. */
  searched: readonly RawBuilder<unknown>[]
  /** What `sort` may name. */
  sorts: Readonly<Record<string, RawBuilder<unknown>>>
  /** Without `sort`: the newest first, by this column. */
  newest: RawBuilder<unknown>
  /** Makes the order total. */
  uid: RawBuilder<unknown>
}

/** A search's total stops here: counting on would cost more than it tells. */
const MOST_COUNTED = 10_000

/** A search's terms: split by spaces, quoted phrases kept together. */
export const searchTerms = (search: string): string[] =>
  [...search.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([term, phrase]) => (phrase ?? term).trim()).filter(Boolean)

const escapeLike = (term: string) => term.replace(/[\\%_]/g, sign => `\\${sign}`)

/** Every term in at least one of the fields, whatever the case. */
function matches(search: string, fields: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const terms = searchTerms(search).map(term => {
    const pattern = `%${escapeLike(term)}%`
    return sql`(${sql.join(
      fields.map(field => sql`${field} ilike ${pattern}`),
      sql` or `,
    )})`
  })
  return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
}

function orderOf(list: ListRequest, { sorts, newest, uid }: ListSource): RawBuilder<unknown> {
  if (list.sort === undefined) return sql`${newest} desc, ${uid} desc`
  const column = Object.hasOwn(sorts, list.sort) ? sorts[list.sort] : undefined
  if (!column) throw new ProblemError(400, 'malformed', { errors: [{ path: 'sort', message: 'wrong' }] })
  const direction = list.dir === 'desc' ? sql`desc nulls last` : sql`asc nulls last`
  return sql`${column} ${direction}, ${uid} ${direction}`
}

/** One page of a list, and how many rows there are in all. @throws ProblemError 400 for a `sort` that it has not. */
export async function readPage<Row>(
  reads: Reads,
  list: ListRequest,
  source: ListSource,
): Promise<ListPage<Row>> {
  const { page, size } = list
  const where = sql`${source.where} and ${matches(list.search, source.searched)}`
  const order = orderOf(list, source)
  const { rows: items } = await sql<Row>`
    select ${source.columns} ${source.from} where ${where} order by ${order}
    limit ${size} offset ${(page - 1) * size}`.execute(reads)
  const isWhole = page === 1 && items.length < size
  if (isWhole) return { items, total: items.length, page, size }
  const most = list.search.trim() === '' ? null : MOST_COUNTED + 1
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select ${source.from} where ${where} limit ${most}) counted`.execute(reads)
  const total = rows[0]?.total ?? 0
  if (most !== null && total > MOST_COUNTED) return { items, total: MOST_COUNTED, page, size, more: true }
  return { items, total, page, size }
}
