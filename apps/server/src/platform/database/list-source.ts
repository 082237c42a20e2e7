import { type RawBuilder, sql } from 'kysely'
import { ProblemError } from '../lib/errors.ts'
import type { Reads } from './client-scope.ts'
import { isFindable, searchTerms } from './search-terms.ts'

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
  /** What `sort` may name; without a value a row comes last. */
  sorts: Readonly<Record<string, RawBuilder<unknown>>>
  /** Without `sort`: the newest first, by this column. */
  newest: RawBuilder<unknown>
  /** Makes the order total. */
  uid: RawBuilder<unknown>
  large?: LargeList
  /** Grows for ever and nobody needs its exact length: `total` stops at 10,000 without a search too. */
  isEndless?: boolean
}

/** As `search_list` and `list_counts` know them. */
export const LARGE_LISTS = ['devices', 'media', 'playlists'] as const

/** What a list of a client's many things needs besides: docs/decisions/0111. */
export interface LargeList {
  list: (typeof LARGE_LISTS)[number]
  /** Of one kind; null: of any. */
  kind: string | null
  /** `where` has more in it than that kind. */
  isFiltered: boolean
  /** `from` the things' own table alone, under the alias that `from` has for it. */
  own: RawBuilder<unknown>
  /** `where` reads more than the things' own table. */
  isWhereJoined?: boolean
  /** Those of the sorts that an index on the own table serves; such a column is never null. `newest` is always one. */
  walked: readonly string[]
  /** In SQL: a row has a term. */
  holds: (term: string) => RawBuilder<unknown>
  /** In SQL, rows of `term_nr` (from 1) and `group_uid`: groups whose devices a term finds, whatever their own text. */
  groups?: (terms: readonly string[]) => RawBuilder<unknown>
}

/** A search's total stops here: counting on would cost more than it tells. */
export const MOST_COUNTED = 10_000

/** In SQL: a term, whatever its case, in at least one of the fields. */
const isIn = (fields: readonly RawBuilder<unknown>[], term: string) =>
  sql`(${sql.join(
    fields.map(field => sql`strpos(lower(${field}), lower(${term})) > 0`),
    sql` or `,
  )})`

/** In SQL: a row has every term of a search. */
export function matches(search: string, { searched, large }: ListSource): RawBuilder<unknown> {
  const terms = searchTerms(search)
  if (!terms.every(isFindable)) return sql`false`
  if (terms.length === 0) return sql`true`
  return sql.join(
    terms.map(term => large?.holds(term) ?? isIn(searched, term)),
    sql` and `,
  )
}

/** The column of a named sort. @throws ProblemError 400 when the list has none such */
export function sortColumn(sort: string, { sorts }: ListSource): RawBuilder<unknown> {
  const column = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined
  if (!column) throw new ProblemError(400, 'malformed', { errors: [{ path: 'sort', message: 'wrong' }] })
  return column
}

export async function countUpTo(
  reads: Reads,
  counted: RawBuilder<unknown>,
  most: number | null,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select ${counted} limit ${most}) counted`.execute(reads)
  return rows[0]?.total ?? 0
}

/** A total as the contract tells it: of what stops at 10,000, whether there is more. */
export const cappedTotal = (total: number) =>
  total > MOST_COUNTED ? { total: MOST_COUNTED, more: true } : { total }
