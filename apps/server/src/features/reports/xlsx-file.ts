import type { MessagePort } from 'node:worker_threads'
import { copiedRows } from './copied-rows.ts'
import type { XlsxFile } from './file-threads.ts'
import { type ZipEntry, zipStream } from '../../platform/lib/zip-stream.ts'
import {
  bookParts,
  CLOSE_SHEET,
  columnName,
  formatsOf,
  openSheet,
  sheetPath,
  sheetRow,
  stylesPart,
  type XlsxColumn,
} from './xlsx-parts.ts'

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

type Row = readonly (string | number | null)[]

/** Compressing smaller pieces takes longer. */
const PIECE_LENGTH = 65_536

interface SheetsOptions {
  rows: AsyncIterator<Row>
  isRightToLeft: boolean
  rowsASheet: number
}

/** Writes rows into sheets, one after another, as long as there are any. */
class SheetWriter {
  readonly #columns: readonly XlsxColumn[]
  readonly #names: readonly string[]
  readonly #styles: readonly number[]
  readonly #isRightToLeft: boolean
  readonly #rowsASheet: number
  readonly #rows: AsyncIterator<Row>
  #next: IteratorResult<Row> | null = null

  constructor(columns: readonly XlsxColumn[], { rows, isRightToLeft, rowsASheet }: SheetsOptions) {
    const formats = formatsOf(columns)
    this.#columns = columns
    this.#names = columns.map((_, at) => columnName(at))
    this.#styles = columns.map(({ format }) => (format === undefined ? 0 : formats.indexOf(format) + 1))
    this.#isRightToLeft = isRightToLeft
    this.#rowsASheet = rowsASheet
    this.#rows = rows
  }

  async hasMore(): Promise<boolean> {
    this.#next ??= await this.#rows.next()
    return this.#next.done !== true
  }

  async *sheet(): AsyncGenerator<string> {
    const place = { names: this.#names, styles: this.#styles }
    const headings = this.#columns.map(({ heading }) => heading)
    let piece = openSheet(this.#columns, this.#isRightToLeft) + sheetRow(headings, { number: 1, ...place })
    for (let number = 2; number <= this.#rowsASheet + 1; number += 1) {
      this.#next ??= await this.#rows.next()
      if (this.#next.done === true) break
      piece += sheetRow(this.#next.value, { number, ...place })
      this.#next = null
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
    yield piece + CLOSE_SHEET
  }
}

const toColumn = ({ heading, type }: XlsxFile['columns'][number]): XlsxColumn => ({
  heading,
  width: WIDTHS[type] ?? 14,
  format: FORMATS[type],
})

async function* parts(port: MessagePort, file: XlsxFile, rowsASheet: number): AsyncGenerator<ZipEntry> {
  const columns = file.columns.map(toColumn)
  const { isRightToLeft } = file
  const writer = new SheetWriter(columns, { rows: sheetRows(port, file), isRightToLeft, rowsASheet })
  const sheets: string[] = []
  yield { path: 'xl/styles.xml', content: [stylesPart(formatsOf(columns))] }
  do {
    const number = sheets.length + 1
    yield { path: `xl/${sheetPath(sheets.length)}`, content: writer.sheet() }
    sheets.push(number === 1 ? sheetName(file.title) : `${sheetName(file.title)}_${number}`)
  } while (await writer.hasMore())
  for (const { path, xml } of bookParts(sheets)) yield { path, content: [xml] }
}

/** An xlsx file with a sheet for each million rows. Texts are no formulas: their cells have the type of a text. */
export const xlsxFile = (
  port: MessagePort,
  file: XlsxFile,
  rowsASheet = ROWS_A_SHEET,
): AsyncIterable<Uint8Array> => zipStream(parts(port, file, rowsASheet))

/** Excel takes 31 characters without some signs; a number follows on further sheets. */
const sheetName = (title: string) => title.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 25)
