import type { Readable } from 'node:stream'
import type { CsvSeparator } from '@floorcast/contract/csv.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../platform/lib/csv.ts'

/** The lines of COPY end with a line feed alone. */
const line = (cells: readonly string[], separator: CsvSeparator) =>
  csvLine(cells, separator).replace(/\r\n$/, '\n')

/** A csv file: headings, and the rows as COPY wrote them. */
export async function* csvFile(headings: readonly string[], rows: Readable, separator: CsvSeparator) {
  yield Buffer.from(BYTE_ORDER_MARK + line(headings, separator))
  for await (const chunk of rows) yield chunk as Buffer
}
