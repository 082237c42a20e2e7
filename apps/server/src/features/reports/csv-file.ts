import type { Readable } from 'node:stream'
import { BYTE_ORDER_MARK, csvLine } from '../../platform/lib/csv.ts'

/** The lines of COPY end with a line feed alone. */
const line = (cells: readonly string[]) => csvLine(cells).replace(/\r\n$/, '\n')

/** A csv file: headings, and the rows as COPY wrote them, or a note if there are none. */
export async function* csvFile(headings: readonly string[], rows: Readable, emptyNote: string) {
  yield Buffer.from(BYTE_ORDER_MARK + line(headings))
  let isEmpty = true
  for await (const chunk of rows) {
    isEmpty = false
    yield chunk as Buffer
  }
  if (isEmpty) yield Buffer.from(line([emptyNote]))
}
