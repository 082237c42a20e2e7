import type { MessagePort } from 'node:worker_threads'
import type { ColumnType } from '@floorcast/contract/report-columns.ts'
import PDFDocument from 'pdfkit'
import { copiedRows } from './copied-rows.ts'
import { GRAY, MARGIN, PdfCanvas } from './pdf-canvas.ts'
import { drawPlot, PLOT_HEIGHT, type PdfPlot } from './pdf-plot.ts'
import { isNumber, PdfTable } from './pdf-table.ts'
import { cleanText, type Direction, type TextStyle } from './pdf-text.ts'

/** What a pdf shows beside its rows. */
export interface PdfFile {
  format: 'pdf'
  title: string
  client: string
  madeAt: Date
  language: { tag: string; direction: Direction }
  /** What the report is of: period, zone, filters, … */
  facts: readonly { label: string; value: string }[]
  notes: readonly string[]
  /** Drawn between notes and table. */
  plot: PdfPlot | null
  columns: readonly { heading: string; type: ColumnType; total: number | null }[]
  /** Stands in a table without rows. */
  emptyText: string
  /** Stands in the first column of the sums. */
  totalsLabel: string
  /** A text of the catalogue with `{{page}}` and `{{pages}}`. */
  pageLabel: string
  /** The line at the foot of each page. */
  footer: string
}

const TITLE: TextStyle = { size: 18, weight: 'bold' }
const CLIENT: TextStyle = { size: 9 }
const FACT_LABEL: TextStyle = { size: 7.5 }
const FACT: TextStyle = { size: 9 }
const NOTE: TextStyle = { size: 8 }
const FOOTER: TextStyle = { size: 7.5 }
const FACT_WIDTH = 118
const FACT_GAP = 12
const NOTE_HEIGHT = 11.5

/** A pdf of a report. Its rows are few (see MAX_PDF_ROWS): widths and the number of pages follow from all of them. */
export async function* pdfFile(port: MessagePort, file: PdfFile): AsyncGenerator<Uint8Array> {
  const rows: (string | null)[][] = []
  for await (const row of copiedRows(port)) rows.push(row)
  const doc = new PDFDocument({
    autoFirstPage: false,
    // No standard font, whose metrics it would read.
    font: '',
    fontLayoutCache: false,
    lang: file.language.tag,
    displayTitle: true,
    info: { Title: file.title, Author: file.client, Creator: 'Floorcast', CreationDate: file.madeAt },
  })
  const drawn = drawReport(doc, file, rows)
  drawn.catch((error: Error) => doc.destroy(error))
  yield* doc as AsyncIterable<Uint8Array>
  await drawn
}

async function drawReport(doc: PDFKit.PDFDocument, file: PdfFile, rows: (string | null)[][]): Promise<void> {
  const canvas = new PdfCanvas(doc, file.language.direction)
  const table = new PdfTable(canvas, formatTable(file, rows))
  canvas.addPage(table.orientation)
  const top = drawHeader(canvas, file)
  const pages = table.plan(top)
  for (const [at, page] of pages.entries()) {
    if (at > 0) canvas.addPage(table.orientation)
    table.draw(page, at === 0 ? top : MARGIN)
    drawFooter(canvas, file, { page: at + 1, pages: pages.length })
    // The bytes of a page leave before the next one is drawn.
    await new Promise(setImmediate)
  }
  doc.end()
}

/** The rows become those of the table, so that nothing holds them twice. */
function formatTable({ columns, language, totalsLabel, emptyText }: PdfFile, rows: (string | null)[][]) {
  const formats = columns.map(({ type, total }, at) => {
    if (!isNumber(type)) return cleanText
    let digits = fractionDigits(total)
    for (const row of rows) digits = Math.max(digits, fractionDigits(row[at]))
    digits = Math.min(digits, type === 'seconds' ? 3 : 2)
    const format = new Intl.NumberFormat(`${language.tag}-u-nu-latn`, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    return (text: string) => format.format(Number(text))
  })
  const toCell = (text: string | null, at: number) =>
    text === null || text === '' ? '' : (formats[at]?.(text) ?? text)
  for (const [nr, row] of rows.entries()) rows[nr] = row.map(toCell)
  const hasTotals = rows.length > 0 && columns.some(({ total }) => total !== null)
  const toTotal = (total: number | null, at: number) =>
    total === null ? (at === 0 ? totalsLabel : '') : toCell(String(total), at)
  return {
    columns: columns.map(({ heading, type }) => ({ heading: cleanText(heading), type })),
    rows: rows as string[][],
    emptyText,
    totals: hasTotals ? columns.map(({ total }, at) => toTotal(total, at)) : null,
  }
}

/** The digits behind the point of a number as PostgreSQL writes it. */
function fractionDigits(number: string | number | null | undefined): number {
  const point = String(number ?? '').indexOf('.')
  return point < 0 ? 0 : String(number).length - point - 1
}

/** @returns where the table begins */
function drawHeader(canvas: PdfCanvas, file: PdfFile): number {
  const { content, text, direction } = canvas
  let y = MARGIN + 6
  canvas.label(text.cut(cleanText(file.client), CLIENT, content.width), {
    ...content,
    y,
    color: GRAY,
    ...CLIENT,
  })
  y += 25
  canvas.label(text.cut(file.title, TITLE, content.width), { ...content, y, direction, ...TITLE })
  y = drawFacts(canvas, file, y + 22)
  for (const note of file.notes) {
    for (const line of text.lines(cleanText(note), NOTE, { width: content.width, max: 4 })) {
      canvas.label(line, { ...content, y, color: GRAY, direction, ...NOTE })
      y += NOTE_HEIGHT
    }
    y += 2
  }
  if (!file.plot) return y + 4
  drawPlot(canvas, file.plot, { y, tag: `${file.language.tag}-u-nu-latn` })
  return y + PLOT_HEIGHT + 4
}

/** Labels above values, four or five beside each other. @returns the baseline of a line below them */
function drawFacts(canvas: PdfCanvas, { facts }: PdfFile, top: number): number {
  const { content, text, direction } = canvas
  const inLine = Math.floor((content.width + FACT_GAP) / (FACT_WIDTH + FACT_GAP))
  const width = (content.width + FACT_GAP) / inLine - FACT_GAP
  let y = top
  for (let from = 0; from < facts.length; from += inLine) {
    let height = 0
    for (const [at, { label, value }] of facts.slice(from, from + inLine).entries()) {
      const box = { start: content.start + at * (width + FACT_GAP), width }
      canvas.label(text.cut(label, FACT_LABEL, width), { ...box, y, color: GRAY, direction, ...FACT_LABEL })
      const lines = text.lines(cleanText(value), FACT, { width, max: 2 })
      for (const [n, line] of lines.entries()) canvas.label(line, { ...box, y: y + 12 + n * 12, ...FACT })
      height = Math.max(height, 12 + lines.length * 12)
    }
    y += height + 8
  }
  return y + 2
}

function drawFooter(
  canvas: PdfCanvas,
  { footer, pageLabel }: PdfFile,
  { page, pages }: { page: number; pages: number },
): void {
  const { content, text, direction } = canvas
  const y = canvas.height - 24
  const number = pageLabel.replace('{{page}}', String(page)).replace('{{pages}}', String(pages))
  const width = content.width - text.width(number, FOOTER) - FACT_GAP
  canvas.label(text.cut(cleanText(footer), FOOTER, width), {
    ...content,
    width,
    y,
    color: GRAY,
    direction,
    ...FOOTER,
  })
  canvas.label(number, { ...content, y, color: GRAY, align: 'end', direction, ...FOOTER })
}
