import type { MessagePort } from 'node:worker_threads'
import { writeXlsxStream } from 'hucre/xlsx'
import { copiedRows } from './copied-rows.ts'
import type { XlsxFile } from './file-job.ts'

/** Excel's own limit is 1,048,576. */
const ROWS_A_SHEET = 1_000_000

type Type = XlsxFile['columns'][number]['type']

const FORMATS: Partial<Record<Type, string>> = {
  instant: 'yyyy-mm-dd hh:mm:ss',
  day: 'yyyy-mm-dd',
  count: '#,##0',
  seconds: '#,##0.###',
  minutes: '#,##0.##',
  number: '#,##0.##',
  percent: '0.##',
}
const WIDTHS: Partial<Record<Type, number>> = { text: 24, enum: 16, instant: 20, day: 12, breakdown: 40 }
const TEXT_TYPES: readonly Type[] = ['text', 'enum', 'month', 'breakdown']

const DAY_MS = 86_400_000
/** 1 January 1970 as a day of Excel. */
const EPOCH_DAY = 25_569

/** The number with which Excel writes a day or a wall time. */
const toSerial = (text: string) =>
  Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`) / DAY_MS + EPOCH_DAY

function toValue(text: string | null, type: Type): string | number | null {
  if (text === null || text === '') return null
  if (TEXT_TYPES.includes(type)) return text
  return type === 'instant' || type === 'day' ? toSerial(text) : Number(text)
}

async function* sheetRows(port: MessagePort, { columns, notes }: XlsxFile) {
  for await (const row of copiedRows(port))
    yield row.map((text, at) => toValue(text, columns[at]?.type ?? 'text'))
  for (const note of notes) yield [note]
}

/** An xlsx file with a sheet for each million rows. Texts are no formulas: their cells have the type of a text. */
export function xlsxFile(port: MessagePort, file: XlsxFile): AsyncIterable<Uint8Array> {
  return writeXlsxStream(sheetRows(port, file), {
    name: sheetName(file.title),
    columns: file.columns.map(({ heading, type }) => ({
      header: heading,
      width: WIDTHS[type] ?? 14,
      ...(FORMATS[type] && { numFmt: FORMATS[type] }),
    })),
    freezePane: { rows: 1 },
    maxRowsPerSheet: ROWS_A_SHEET + 1,
  })
}

/** Excel takes 31 characters without some signs; a number follows on further sheets. */
const sheetName = (title: string) => title.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 25)
