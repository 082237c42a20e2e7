import { MAX_CREDIT_ROWS, type CreditRow } from '@floorcast/contract/media-credit-calls.ts'
import { creditFields } from '@floorcast/contract/media-credits.ts'
import { findHeadings, parseCsv } from '../../platform/parse-csv.ts'

const columns = ['uid', ...creditFields] as const
export type CreditColumn = (typeof columns)[number]

export const isCreditColumn = (name: string): name is CreditColumn => columns.some(known => known === name)

/** Headings in the user's language beside those that the server writes. */
export type CreditHeadings = Readonly<Record<CreditColumn, readonly string[]>>

/** The rows of a file, each with its line, or why it has none. */
export type CreditFile =
  | { rows: CreditRow[]; lines: number[] }
  | { fault: 'no-headings' | 'no-rows' | 'too-many-rows' }

/**
 * Reads the credits of csv with headings. Skips columns that are not credits, such as the name; a credit without a column
 * keeps its value. The server checks the rows.
 */
export function readCredits(text: string, headings: CreditHeadings): CreditFile {
  const columnOf = (cell: string) => columns.find(column => headings[column].includes(cell.toLowerCase()))
  const countHeadings = (cells: readonly string[]) =>
    new Set(cells.flatMap(cell => columnOf(cell) ?? [])).size
  const all = parseCsv(text, countHeadings)
  const [heading, ...records] = all.slice(Math.max(0, findHeadings(all, countHeadings)))
  const order = (heading?.cells ?? []).map(columnOf)
  if (!order.includes('uid') || !creditFields.some(field => order.includes(field)))
    return { fault: 'no-headings' }
  if (records.length === 0) return { fault: 'no-rows' }
  if (records.length > MAX_CREDIT_ROWS) return { fault: 'too-many-rows' }
  const rows = records.map(({ cells }): CreditRow => {
    const row: CreditRow = { uid: '' }
    for (const [index, column] of order.entries())
      if (column && order.indexOf(column) === index) row[column] = cells[index] ?? ''
    return row
  })
  return { rows, lines: records.map(({ line }) => line) }
}
