import { CELL_ENDS, type CsvSeparator, FORMULA_SIGNS } from '@floorcast/contract/csv.ts'
import { REPORT_ENUMS } from '@floorcast/contract/report-columns.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import type { FileColumn, ReportQuery } from './report.ts'
import type { ReportTexts } from './report-texts.ts'

/*
 * The statements around a report's own: its cells as a format needs them. PostgreSQL writes the cells, because that is what
 * makes a file as fast as COPY.
 */

interface CellOptions {
  zone: string
  texts: ReportTexts
}

interface CsvOptions extends CellOptions {
  separator: CsvSeparator
}

function cell({ key, title, text }: FileColumn): RawBuilder<unknown> {
  if (text !== undefined) return sql`${text}::text`
  return title === undefined ? sql.ref(`q.${key}`) : sql`(q."tags" ->> ${title})`
}

/** Wall time in the report's zone. */
const wallTime = (instant: RawBuilder<unknown>, zone: string) =>
  sql`(${instant} at time zone ${zone === DEVICE_ZONES ? sql`q."zone"` : sql`${zone}`})`

/** The offsets of most shops, in minutes. Each before the shop's own costs a comparison a cell. */
const USUAL_OFFSETS = [
  0, 60, 120, -300, -360, -480, -420, -240, 480, 540, 180, 330, 600, 660, -180, 240, 300, 420, 720, 780, 570,
  630, 345, -600,
]

const offsetName = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)}`

/** `2026-11-01T09:00:00+01:00`: wall time with its offset, which tells the two passes of a repeated hour apart. */
function instantWithOffset(instant: RawBuilder<unknown>, zone: string): RawBuilder<unknown> {
  const wall = wallTime(instant, zone)
  const offset = sql`(${wall} - ${instant} at time zone 'UTC')`
  // To write an interval as a text and change it takes five times as long as the wall time does. Casts take half as long as `to_char`.
  const usual = USUAL_OFFSETS.map(
    minutes => sql`when ${sql.lit(minutes * 60)} * interval '1 second' then ${sql.lit(offsetName(minutes))}`,
  )
  const other = sql`left(replace('+' || ${offset}::text, '+-', '-'), 6)`
  return sql`replace(left(${wall}::text, 19), ' ', 'T') || case ${offset} ${sql.join(usual, sql` `)} else ${other} end`
}

const rounded = (value: RawBuilder<unknown>, unit: number) =>
  sql`round(${value}::float8 * ${unit}) / ${unit}::float8`

/**
 * The codes of `'`, `=`, `+`, `-`, `@`, tab, carriage return and the wide signs, which texts that `guardFormulas` changes begin with,
 * and the signs after which it changes them: both are found faster than by regular expressions, and most texts have none.
 */
const FIRST_SIGNS = sql`array[39, 61, 43, 45, 64, 9, 13, 65309, 65291, 65293, 65312]`
const CELL_END_SIGNS = sql`E',;\\t\\r\\n'`
/** `guardFormulas` of the contract. */
const escapeFormula = (text: RawBuilder<unknown>) =>
  sql`case
    when ascii(${text}) = any (${FIRST_SIGNS}) or translate(${text}, ${CELL_END_SIGNS}, '') <> ${text} then
      case when ${text} ~ ${sql.lit(`^'*${FORMULA_SIGNS}`)} then '''' else '' end
        || regexp_replace(${text}, ${sql.lit(`(${CELL_ENDS})(?='*${FORMULA_SIGNS})`)}, '\\1''', 'g')
    else nullif(${text}, '') end`

function enumText({ values }: FileColumn, value: RawBuilder<unknown>, texts: ReportTexts) {
  if (!values) return value
  const cases = REPORT_ENUMS[values].map(name => sql`when ${name} then ${texts.valueOf(values, name)}`)
  return sql`case ${value} ${sql.join(cases, sql` `)} else ${value} end`
}

/** `4: the shop was closed; 1: cut short` */
function breakdownText(column: FileColumn, texts: ReportTexts) {
  const reason = enumText(column, sql`split_part(part, '=', 1)`, texts)
  return sql`(select string_agg(split_part(part, '=', 2) || ': ' || ${reason}, '; ' order by at)
    from regexp_split_to_table(${cell(column)}, ' ') with ordinality as parts(part, at) where part <> '')`
}

/** What all formats write alike. */
function plainCell(column: FileColumn): RawBuilder<unknown> {
  const value = cell(column)
  switch (column.type) {
    case 'seconds':
    case 'minutes':
      return rounded(value, 1000)
    case 'number':
    case 'percent':
      return rounded(value, 100)
    case 'day':
    case 'month':
      return sql`${value}::text`
    default:
      return value
  }
}

/** The numbers of spreadsheets that read semicolons have commas. */
const decimal = (column: FileColumn, separator: CsvSeparator) =>
  separator === 'semicolon' && ['seconds', 'minutes', 'number', 'percent'].includes(column.type)
    ? sql`replace((${plainCell(column)})::text, '.', ',')`
    : plainCell(column)

function csvCell(column: FileColumn, { zone, texts, separator }: CsvOptions): RawBuilder<unknown> {
  if (column.type === 'instant') return instantWithOffset(cell(column), zone)
  if (column.type === 'text') return escapeFormula(cell(column))
  if (column.type === 'breakdown') return breakdownText(column, texts)
  return column.type === 'enum' ? enumText(column, cell(column), texts) : decimal(column, separator)
}

/*
 * `limit all`: with a limit PostgreSQL sorts what the rows have and writes the cells of the sorted rows. Else it writes all cells
 * before the first row comes, and sorts them too.
 */

/** The rows of a csv file. */
export const csvRows = (query: ReportQuery, columns: readonly FileColumn[], options: CsvOptions) => sql`
  select ${sql.join(columns.map(column => csvCell(column, options)))} from (${query.rows}) q order by ${query.order}
  limit all`

interface SheetOptions extends CellOptions {
  /** The most rows. */
  limit?: number
  /** The most signs of a text. */
  maxText?: number
}

function sheetCell(column: FileColumn, { zone, texts, maxText }: SheetOptions): RawBuilder<unknown> {
  if (column.type === 'text' && maxText !== undefined) return sql`left(${cell(column)}, ${maxText})`
  if (column.type === 'instant') return sql`left(${wallTime(cell(column), zone)}::text, 19)`
  if (column.type === 'breakdown') return breakdownText(column, texts)
  return column.type === 'enum' ? enumText(column, cell(column), texts) : plainCell(column)
}

/** The rows for files whose cells have types; instants are wall time. */
export const sheetRows = (
  query: ReportQuery,
  columns: readonly FileColumn[],
  { limit, ...options }: SheetOptions,
) => sql`
  select ${sql.join(columns.map(column => sheetCell(column, options)))} from (${query.rows}) q order by ${query.order}
  limit ${limit === undefined ? sql`all` : limit}`

/** For the rest of a session: processes beside each other would read and sort all rows of a part before its first one comes. */
export const inOneProcess = sql`select set_config('max_parallel_workers_per_gather', '0', true)`

/** The number of rows, up to `limit`. */
export const countRows = (query: ReportQuery, limit: number) => sql<{ rows: number }>`
  select count(*) as rows from (select from (${query.rows}) q limit ${limit}) counted`

const previewCell = (column: FileColumn, zone: string) =>
  column.type === 'instant' ? instantWithOffset(cell(column), zone) : plainCell(column)

/** The number of rows and the sum of each summed column: of all rows (`day` is null), and of each day of the column `by`. */
export interface Sums {
  day: string | null
  rows: number
  /** A place for each column of the report. */
  sums: (number | null)[]
}

export function sumRows(query: ReportQuery, columns: readonly FileColumn[], by?: string) {
  const day = by === undefined ? sql`null::date` : sql.ref(`q.${by}`)
  const total = (column: FileColumn) =>
    column.isSummed ? rounded(sql`sum(${cell(column)})`, 1000) : sql`null::float8`
  return sql<Sums>`
    select case when grouping(${day}) = 0 then coalesce(${day}::text, '') end as "day", count(*)::int as "rows",
      array[${sql.join(columns.map(total))}]::float8[] as "sums"
    from (${query.rows}) q group by grouping sets ((), (${day})) order by 1 nulls first`
}

/** The first rows, each an object by the columns' numbers: `c0`, `c1`, … */
export const firstRows = (
  query: ReportQuery,
  columns: readonly FileColumn[],
  { zone, limit }: { zone: string; limit: number },
) => sql<Record<string, string | number | null>>`
  select ${sql.join(columns.map((column, at) => sql`${previewCell(column, zone)} as ${sql.ref(`c${at}`)}`))}
  from (${query.rows}) q order by ${query.order} limit ${limit}`

const TABLES = {
  media: sql`media_items`,
  device: sql`devices`,
  group: sql`groups`,
  playlist: sql`playlists`,
}
export type FilteredItem = keyof typeof TABLES

/** What a filter picks. */
export interface PickedItem {
  kind: FilteredItem
  uid: string
}

/** The names of the client and of its items, in their order; null for an item that was deleted. */
export const clientAndItems = (items: readonly PickedItem[]) => sql<{
  client: string
  items: (string | null)[]
}>`
  select name as client, array[${sql.join(
    items.map(({ kind, uid }) => sql`(select name from ${TABLES[kind]} where uid = ${uid})`),
  )}]::text[] as items
  from clients`

/** Whether the client has this item, in the bin or outside it. */
export async function hasItem(reads: Reads, item: FilteredItem, uid: string): Promise<boolean> {
  const { rows } = await sql`select from ${TABLES[item]} where uid = ${uid}`.execute(reads)
  return rows.length > 0
}
