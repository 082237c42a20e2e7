import type { ColumnType } from '@floorcast/contract/report-columns.ts'
import { contentWidth, INK, LINE, MARGIN, type Orientation, type PdfCanvas } from './pdf-canvas.ts'
import type { TextStyle } from './pdf-text.ts'

const CELL: TextStyle = { size: 8 }
const TOTAL: TextStyle = { size: 8, weight: 'bold' }
const HEAD: TextStyle = { size: 7.5, weight: 'bold' }
const EMPTY: TextStyle = { size: 10 }
const LINE_HEIGHT = 11
/** From the top of a line to its baseline. */
const ASCENT = 8.5
const PADDING = { side: 5, top: 3 }
const MAX_LINES = 3
const MAX_HEAD_LINES = 5
/** A longer text is broken, even where there is space. */
const MAX_TEXT_WIDTH = 220
const MIN_TEXT_WIDTH = 56
/** A longer word of a heading is broken. */
const MAX_HEAD_WIDTH = 90
const SHADE = '#f1f3f5'

/** What a table shows. Cells are texts without control characters. */
export interface TableContent {
  columns: readonly { heading: string; type: ColumnType }[]
  rows: readonly (readonly string[])[]
  /** The totals of all rows, a cell for each column. */
  totals: readonly string[] | null
  /** Stands where the rows would be. */
  emptyText: string
}

/** The columns that fit on a page. */
type Band = readonly { at: number; start: number; width: number }[]

/** Rows of a band on one page. */
export interface TablePage {
  band: Band
  from: number
  to: number
}

interface Widths {
  at: number
  type: ColumnType
  natural: number
  least: number
}

export const isNumber = (type: ColumnType) =>
  ['seconds', 'minutes', 'count', 'number', 'percent'].includes(type)
const alignOf = (type: ColumnType) => (isNumber(type) ? 'right' : 'start')
const sumOf = (widths: readonly Widths[], key: 'natural' | 'least') =>
  widths.reduce((sum, column) => sum + column[key], 0)

/** A table over several pages, with its heads on each and rows that are never cut. */
export class PdfTable {
  readonly orientation: Orientation
  readonly #canvas: PdfCanvas
  readonly #content: TableContent
  readonly #bands: readonly Band[]

  constructor(canvas: PdfCanvas, content: TableContent) {
    this.#canvas = canvas
    this.#content = content
    const widths = content.columns.map((_, at) => this.#measure(at))
    this.orientation = sumOf(widths, 'natural') <= contentWidth('portrait') ? 'portrait' : 'landscape'
    const available = contentWidth(this.orientation)
    this.#bands = cutBands(widths, available).map(band => placed(fitted(band, available)))
  }

  /** The pages of the table, whose first one begins at `top`. Columns that do not fit follow on further pages. */
  plan(top: number): TablePage[] {
    const pages: TablePage[] = []
    for (const band of this.#bands) {
      const headHeight = this.#headHeight(band)
      let y = (pages.length === 0 ? top : MARGIN) + headHeight + (this.#content.totals ? rowHeight(1) : 0)
      let from = 0
      for (const [at, row] of this.#content.rows.entries()) {
        const height = rowHeight(this.#lineCount(row, band))
        if (y + height > this.#canvas.bottom && at > from) {
          pages.push({ band, from, to: at })
          from = at
          y = MARGIN + headHeight
        }
        y += height
      }
      pages.push({ band, from, to: this.#content.rows.length })
    }
    return pages
  }

  draw({ band, from, to }: TablePage, top: number): void {
    let y = this.#drawHead(band, top)
    const { rows, totals } = this.#content
    if (from === 0 && totals) y = this.#drawRow(band, totals, { y, style: TOTAL })
    for (const row of rows.slice(from, to)) y = this.#drawRow(band, row, { y, style: CELL })
    if (rows.length === 0) this.#drawEmptyText(y)
  }

  #measure(at: number): Widths {
    const { columns, rows, totals } = this.#content
    const { heading, type } = columns[at] ?? { heading: '', type: 'text' }
    const { text } = this.#canvas
    const wordWidths = heading.split(/\s+/).map(word => text.width(word, HEAD))
    const word = Math.min(Math.max(...wordWidths), MAX_HEAD_WIDTH)
    // A heading takes about two lines.
    const head = Math.max(word, Math.min(text.width(heading, HEAD) * 0.6, MAX_HEAD_WIDTH))
    let cell = text.width(totals?.[at] ?? '', TOTAL)
    for (const row of rows) cell = Math.max(cell, text.width(row[at] ?? '', CELL))
    cell = Math.min(cell, MAX_TEXT_WIDTH)
    const isLong = type === 'text' || type === 'enum' || type === 'breakdown'
    const natural = Math.ceil(Math.max(head, cell)) + 2 * PADDING.side
    const least = Math.ceil(Math.max(word, isLong ? MIN_TEXT_WIDTH : cell)) + 2 * PADDING.side
    return { at, type, natural, least: Math.min(natural, least) }
  }

  #lines(text: string, style: TextStyle, width: number): string[] {
    const max = style === HEAD ? MAX_HEAD_LINES : MAX_LINES
    return this.#canvas.text.lines(text, style, { width: width - 2 * PADDING.side + 0.01, max })
  }

  #lineCount(row: readonly string[], band: Band): number {
    return Math.max(...band.map(({ at, width }) => this.#lines(row[at] ?? '', CELL, width).length))
  }

  #headHeight(band: Band): number {
    const { columns } = this.#content
    const counts = band.map(({ at, width }) => this.#lines(columns[at]?.heading ?? '', HEAD, width).length)
    return rowHeight(Math.max(...counts)) + 2
  }

  #drawEmptyText(top: number): void {
    const { content, direction } = this.#canvas
    const box = { start: content.start + PADDING.side, width: content.width - 2 * PADDING.side }
    this.#canvas.label(this.#content.emptyText, { ...box, y: top + 20, direction, ...EMPTY })
  }

  /** Heads end at one line, whose texts are as near to their columns as possible. */
  #drawHead(band: Band, top: number): number {
    const { content } = this.#canvas
    const height = this.#headHeight(band)
    this.#canvas.fill({ ...content, y: top, height }, SHADE)
    for (const { at, ...box } of band) {
      const { heading, type } = this.#content.columns[at] ?? { heading: '', type: 'text' }
      const lines = this.#lines(heading, HEAD, box.width)
      const first = top + height - PADDING.top - 1 - lines.length * LINE_HEIGHT
      this.#drawLines(lines, { ...box, y: first, style: HEAD, type })
    }
    this.#canvas.line(content, top + height, { color: INK, weight: 0.75 })
    return top + height
  }

  #drawRow(band: Band, row: readonly string[], { y, style }: { y: number; style: TextStyle }): number {
    let count = 1
    for (const { at, ...box } of band) {
      const lines = this.#lines(row[at] ?? '', style, box.width)
      count = Math.max(count, lines.length)
      this.#drawLines(lines, {
        ...box,
        y: y + PADDING.top,
        style,
        type: this.#content.columns[at]?.type ?? 'text',
      })
    }
    const end = y + rowHeight(count)
    this.#canvas.line(this.#canvas.content, end, style === TOTAL ? { color: INK } : { color: LINE })
    return end
  }

  #drawLines(lines: readonly string[], { start, width, y, style, type }: CellBox): void {
    const box = { start: start + PADDING.side, width: width - 2 * PADDING.side }
    for (const [n, line] of lines.entries())
      this.#canvas.label(line, { ...box, y: y + ASCENT + n * LINE_HEIGHT, align: alignOf(type), ...style })
  }
}

interface CellBox {
  start: number
  width: number
  /** The top of the first line. */
  y: number
  style: TextStyle
  type: ColumnType
}

const rowHeight = (lines: number) => lines * LINE_HEIGHT + 2 * PADDING.top

/** Columns that do not fit on a page are cut into bands, each with the first column. */
function cutBands(widths: readonly Widths[], available: number): Widths[][] {
  const [first, ...others] = widths
  if (!first) return []
  let band = [first]
  const bands = [band]
  for (const column of others) {
    if (sumOf(band, 'least') + column.least > available && band.length > 1) {
      band = [first]
      bands.push(band)
    }
    band.push(column)
  }
  return bands
}

/** Texts give what is too much. What is spare goes to other columns than numbers, which stay beside each other. */
function fitted(band: readonly Widths[], available: number): Widths[] {
  const [natural, least] = [sumOf(band, 'natural'), sumOf(band, 'least')]
  if (natural <= available) {
    const wide = band.filter(({ type }) => !isNumber(type))
    const growth = 1 + (available - natural) / sumOf(wide, 'natural')
    return band.map(column =>
      wide.includes(column) ? { ...column, natural: column.natural * growth } : column,
    )
  }
  const share = (available - least) / (natural - least)
  return band.map(column => ({ ...column, natural: column.least + (column.natural - column.least) * share }))
}

function placed(band: readonly Widths[]): Band {
  let start = MARGIN
  return band.map(({ at, natural }) => {
    const box = { at, start, width: natural }
    start += natural
    return box
  })
}
