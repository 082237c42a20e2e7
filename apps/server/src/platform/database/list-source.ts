import { foldText } from '@floorcast/contract/fold-text.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import { notOneOf, ProblemError } from '../lib/errors.ts'
import type { Reads } from './client-scope.ts'

/*
 * The source of a list: its columns, tables and rows. A feature writes one list of columns. The select list, the type of a
 * row, the sorts and the searched columns follow from it:
 *
 *   const groupColumns = {
 *     uid: { select: sql<string>`g.uid` },
 *     name: { select: sql<string>`g.name`, sort: sql`g.sort_name`, search: true },
 *     changedAt: { select: sql<string>`g.changed_at`, sort: true },
 *   }
 *   type GroupRecord = RowOf<typeof groupColumns>      // { uid: string, name: string, changedAt: string }
 */

/** A column of a list. Its name is that of the row's field and of the sort. */
export interface ListColumn<Value = unknown> {
  /** Without it the column is only for the sort or the search. */
  select?: RawBuilder<Value>
  /** The column can be sorted by; rows without a value come last. true: by `select`. */
  sort?: true | RawBuilder<unknown>
  /**
   * An index on the table of a large list has this order: one for both directions where the sort is never null, one for
   * each direction where it may be null.
   */
  sortIndex?: 'never-null' | 'nullable'
  /** A search reads it. true: `select`. The search of a large list reads `search_text` instead. */
  search?: true | readonly RawBuilder<unknown>[]
}

export type ListColumns = Readonly<Record<string, ListColumn>> & {
  readonly uid: ListColumn & { select: RawBuilder<string> }
}

/** The row that a list of columns selects. */
export type RowOf<Columns> = {
  [
    Column in keyof Columns as Columns[Column] extends { select: RawBuilder<unknown> } ? Column : never
  ]: Columns[Column] extends { select: RawBuilder<infer Value> } ? Value : never
}

export interface ListSource<Columns extends ListColumns = ListColumns> {
  columns: Columns
  /** `from …` with its joins. */
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** The order without `sort`: the newest first, by this. */
  newest: RawBuilder<unknown>
  /** The order of rows that a sort finds equal; without it, and then, by uid. A large list has none. */
  thenBy?: RawBuilder<unknown>
  /** The number of rows without a search, where it is known; otherwise they are counted. */
  readTotal?: () => Promise<number>
  large?: LargeList
  /** The list grows without limit: `total` stops at 10,000 also without a search. */
  isEndless?: boolean
}

/** Further fields of the lists of a client's most numerous items: docs/decisions/0111. */
export interface LargeList {
  /** Its name in `search_list` and `list_counts`. */
  list: Tables['listCounts']['list']
  /** The kind of its items; null: any. */
  kind: string | null
  /** `where` has more conditions than that kind. */
  isFiltered: boolean
  /** `from` the items' own table, under the alias that `from` has for it, with what `where` reads and nothing more. */
  ownTable: RawBuilder<unknown>
  /** In SQL: a row has a term. */
  hasTerm: (term: string) => RawBuilder<unknown>
  /** In SQL, rows of `term_nr` (from 1) and `parent_uid`: a term finds all items of these parents, whatever their own text. */
  parents?: (terms: readonly string[]) => RawBuilder<unknown>
}

/** The query of every list (the contract's ListQuery, parsed). */
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

/** `select …`: every column that is selected, under its name. */
export const selectList = (columns: ListColumns): RawBuilder<unknown> =>
  sql`select ${sql.join(
    Object.entries(columns).flatMap(([name, { select }]) =>
      select ? [sql`${select} as ${sql.id(name)}`] : [],
    ),
  )}`

/** The sort of a request and its index. @throws ProblemError 422 for an unknown sort */
export function getSort(
  name: string,
  columns: ListColumns,
): { by: RawBuilder<unknown>; index: ListColumn['sortIndex'] } {
  const { select, sort, sortIndex } = (Object.hasOwn(columns, name) ? columns[name] : undefined) ?? {}
  const by = sort === true ? select : sort
  if (!by)
    throw notOneOf(
      'sort',
      name,
      Object.keys(columns).filter(other => columns[other]?.sort),
    )
  return { by, index: sortIndex }
}

/**
 * In SQL: a name in the order of names, where its table has no `sort_name`: without case, accents and width, numbers by value.
 * The collation makes it the same in each cluster: docs/decisions/0252.
 */
export const sortKey = (name: RawBuilder<unknown>): RawBuilder<unknown> => sql`sort_key(${name}) collate "C"`

const searchedFields = (columns: ListColumns): readonly RawBuilder<unknown>[] =>
  Object.values(columns).flatMap(({ select, search }) => (search === true ? (select ?? []) : (search ?? [])))

const MAX_TERMS = 10

/** Quotation marks of the console's languages: “…”, „…“, «…», 「…」, 『…』, and the wide one of Chinese. */
const QUOTES = /[“”„‟«»「」『』＂]/g

/**
 * The terms of a search, split at spaces; phrases in quotation marks stay together, also without the closing one. Every term
 * must be in at least one of the searched columns, regardless of case, accents and the forms of letters. No character has a special meaning.
 * @throws ProblemError 400 for more than ten: each is looked up in every row
 */
export function searchTerms(search: string): string[] {
  const terms = [
    ...search
      .normalize('NFC')
      .replaceAll(QUOTES, '"')
      .matchAll(/"([^"]*)"?|[^\s"]+/g),
  ]
    .map(([term, phrase]) => (phrase ?? term).trim())
    .filter(term => foldText(term) !== '')
  if (terms.length > MAX_TERMS)
    throw new ProblemError('search-terms', { detail: `A search has at most ${MAX_TERMS} terms.` })
  return terms
}

/** False for terms with control characters: PostgreSQL refuses U+0000, and U+001F separates the fields of a row. */
export const isFindable = (term: string): boolean => !/\p{Cc}/u.test(term.replaceAll(/[\t\r\n]/g, ''))

/** In SQL: whether a term is in at least one of the fields, regardless of case and accents. */
const isIn = (fields: readonly RawBuilder<unknown>[], term: string) =>
  sql`(${sql.join(
    fields.map(field => sql`strpos(fold(${field}), fold(${term})) > 0`),
    sql` or `,
  )})`

/** In SQL: whether every term of a search is in one of the fields, or fulfills `hasTerm`. */
export function hasTerms(
  search: string,
  fields: readonly RawBuilder<unknown>[],
  hasTerm = (term: string): RawBuilder<unknown> => isIn(fields, term),
): RawBuilder<unknown> {
  const terms = searchTerms(search)
  if (!terms.every(isFindable)) return sql`false`
  if (terms.length === 0) return sql`true`
  return sql.join(terms.map(hasTerm), sql` and `)
}

/** In SQL: whether a row has every term of a search. */
export const matches = (search: string, { columns, large }: ListSource): RawBuilder<unknown> =>
  hasTerms(search, searchedFields(columns), large?.hasTerm)

/** The total of a search stops here: an exact count costs too much. */
export const MAX_COUNTED = 10_000

/** Counts rows `from …`, up to `max` of them; null: all. */
export async function countUpTo(
  reads: Reads,
  counted: RawBuilder<unknown>,
  max: number | null,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select ${counted} limit ${max}) counted`.execute(reads)
  return rows[0]?.total ?? 0
}

/** A total in the contract's form: `more` is true if it stops at 10,000. */
export const cappedTotal = (total: number) =>
  total > MAX_COUNTED ? { total: MAX_COUNTED, more: true } : { total }
