import type { CsvSeparator } from '@floorcast/contract/csv.ts'
import type { ReportFormat } from '@floorcast/contract/report-calls.ts'
import {
  DEVICE_ZONES,
  daysBetween,
  type ReportDefinition,
  type ReportFilter,
  type ReportPlot,
  reports,
} from '@floorcast/contract/reports.ts'
import { Readable } from 'node:stream'
import type { CopySession } from '../../platform/database/copy-scope.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../platform/lib/csv.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { fileStream } from './file-threads.ts'
import type { PdfFile } from './pdf-file.ts'
import type { PdfPlot } from './pdf-plot.ts'
import { copyFirstRows, copyRows, type ReportSource } from './report-parts.ts'
import {
  clientAndItems,
  countRows,
  csvRows,
  type FilteredItem,
  type PickedItem,
  sheetRows,
  sumRows,
  type Sums,
} from './report-rows-queries.ts'
import type { ReportTexts } from './report-texts.ts'
import type { FileColumn, ReportQuery, ReportRequest } from './report.ts'

/** A report with its statement, or its parts. */
export interface PreparedReport extends ReportSource {
  request: ReportRequest
  /** The separator of a csv file. */
  separator: CsvSeparator
}

/** Writes a report as a file of one format. */
type Writer = (session: CopySession, report: PreparedReport, texts: ReportTexts) => Promise<Readable>

const writeCsv: Writer = async (session, report, texts) => {
  const { zone } = report.request
  const { separator } = report
  const { rows } = await copyRows(session, report, {
    form: separator,
    toStatement: (query, columns) => csvRows(query, columns, { zone, texts, separator }),
    // Programs read it.
    totals: null,
  })
  const headings = report.columns.map(column => texts.heading(column))
  return Readable.from(csvFile(headings, rows, separator), { objectMode: false })
}

/** A larger file does not open in a spreadsheet. */
const MAX_XLSX_ROWS = 3_000_000

const notesOf = (query: Pick<ReportQuery, 'notes'>, texts: ReportTexts, isEmpty: boolean) =>
  [...(isEmpty ? [{ code: 'empty' }] : []), ...(query.notes ?? [])].map(note => texts.note(note))

const headed = (columns: readonly FileColumn[], texts: ReportTexts) =>
  columns.map(column => ({ heading: texts.heading(column), type: column.type }))

const tooManyRows = () =>
  new ProblemError('report-rows', { detail: 'An xlsx file has at most 3 million rows. Use format=csv.' })

/** @throws ProblemError 413 above three million rows */
async function refuseTooMany(session: CopySession, { query }: PreparedReport): Promise<void> {
  const rows = 'parts' in query ? await query.rows?.() : query.rows
  if (!rows) return
  const [counted] = await session.rows(countRows({ ...query, rows }, MAX_XLSX_ROWS + 1))
  if ((counted?.rows ?? 0) > MAX_XLSX_ROWS) throw tooManyRows()
}

const writeXlsx: Writer = async (session, report, texts) => {
  await refuseTooMany(session, report)
  const { query, columns, request } = report
  const { rows, isEmpty } = await copyRows(session, report, {
    form: 'text',
    toStatement: (part, ofPart) => sheetRows(part, ofPart, { zone: request.zone, texts }),
    totals: texts.label('totals'),
  })
  const notes = notesOf(query, texts, isEmpty)
  const file = { title: texts.title(request.name), columns: headed(columns, texts), notes }
  return fileStream({ format: 'xlsx', ...file, isRightToLeft: texts.locale.dir === 'rtl' }, rows)
}

/** More rows are for programs, not for readers. */
const MAX_PDF_ROWS = 5000
/** A client may have a thousand tags, each a column. The thread that makes the pages holds all cells. */
const MAX_PDF_CELLS = 90_000
/** More of a text never fits into its cell. */
const MAX_PDF_TEXT = 300

/** PostgreSQL sums all rows; the thread gets only those that the table shows. */
const writePdf: Writer = async (session, report, texts) => {
  const { query, columns, request } = report
  const { plot }: ReportDefinition = reports[request.name]
  const limit = Math.min(MAX_PDF_ROWS, Math.floor(MAX_PDF_CELLS / columns.length))
  const { client, facts } = await findFacts(session, report, texts)
  const { sums, rows } = await copyFirstRows(session, report, {
    limit,
    toSums: part => sumRows(part, columns, plot?.by),
    toStatement: (part, left) =>
      sheetRows(part, columns, { zone: request.zone, texts, limit: left, maxText: MAX_PDF_TEXT }),
  })
  const all = sums.find(({ day }) => day === null)
  const count = all?.rows ?? 0
  const shown = { code: 'firstRows', values: { rows: texts.number(limit), all: texts.number(count) } }
  const title = texts.title(request.name)
  const file: PdfFile = {
    format: 'pdf',
    title,
    client,
    madeAt: request.now,
    language: { tag: texts.locale.tag, direction: texts.locale.dir },
    facts: [...facts, { label: texts.label('rows'), value: texts.number(count) }],
    notes: [...(count > limit ? [texts.note(shown)] : []), ...notesOf(query, texts, false)],
    emptyText: texts.note({ code: 'empty' }),
    plot: plot && count > 0 ? toPlot(plot, report, { sums, texts }) : null,
    columns: headed(columns, texts).map((column, at) => ({ ...column, total: all?.sums[at] ?? null })),
    totalsLabel: texts.label('totals'),
    pageLabel: texts.label('page'),
    footer: [title, client, periodOf(request)].filter(part => part !== '').join(' · '),
  }
  return fileStream(file, rows)
}

const periodOf = ({ from, to }: ReportRequest) => (from === to ? from : `${from} – ${to}`)

/** What a report is of: its client, and period, zone, filters and moment in words. */
async function findFacts(session: CopySession, { request }: PreparedReport, texts: ReportTexts) {
  const { filters }: ReportDefinition = reports[request.name]
  const picked = filters.flatMap(filter => pickedIn(filter, request.filters, texts))
  const [names] = await session.rows(clientAndItems(picked.flatMap(({ item }) => item ?? [])))
  const itemNames = names?.items ?? []
  const facts = [
    { label: texts.label('period'), value: periodOf(request) },
    {
      label: texts.label('zone'),
      value: request.zone === DEVICE_ZONES ? texts.label('deviceZones') : request.zone,
    },
    ...picked.map(({ label, value, item }) => ({
      label,
      value: item ? (itemNames.shift() ?? item.uid) : value,
    })),
    { label: texts.label('madeAt'), value: momentOf(request) },
  ]
  return { client: names?.client ?? '', facts }
}

interface PickedFact {
  label: string
  value: string
  item?: PickedItem
}

/** A filter as a fact; a filter without meaning in the mode is left out. */
function pickedIn(
  { key, picks }: ReportFilter,
  filters: ReportRequest['filters'],
  texts: ReportTexts,
): PickedFact[] {
  const value = filters[key] ?? 'all'
  const mode = filters.mode ?? 'all'
  if (picks === 'mode')
    return mode === 'all' ? [{ label: texts.filter('mode'), value: texts.valueOf('target', 'all') }] : []
  const kind = pickedItem(picks, mode)
  if (!kind) return []
  const label = picks === 'byMode' ? texts.valueOf('target', mode) : texts.filter(key)
  return value === 'all'
    ? [{ label, value: texts.filter('all') }]
    : [{ label, value, item: { kind, uid: value } }]
}

/** `2026-11-01 09:00`, in the report's zone. */
function momentOf({ now, zone }: ReportRequest): string {
  const timeZone = zone === DEVICE_ZONES ? 'UTC' : zone
  const wall = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now)
  return zone === DEVICE_ZONES ? `${wall} UTC` : wall
}

/** What a filter picks one of. */
export function pickedItem(picks: ReportFilter['picks'], mode: string | undefined): FilteredItem | null {
  if (picks === 'byMode') return mode === 'device' || mode === 'group' ? mode : null
  if (picks === 'mode') return null
  return picks === 'ad' ? 'media' : picks
}

/** Each day of the period, also those without rows. */
function toPlot(
  { bars }: ReportPlot,
  { columns, request }: PreparedReport,
  { sums, texts }: { sums: readonly Sums[]; texts: ReportTexts },
): PdfPlot {
  const ofDay = new Map(sums.map(row => [row.day, row.sums]))
  const days = Array.from({ length: daysBetween(request.from, request.to) }, (_, at) =>
    dayAfter(request.from, at),
  )
  const series = columns.flatMap((column, at) =>
    bars.includes(column.key)
      ? [{ name: texts.heading(column), values: days.map(day => ofDay.get(day)?.[at] ?? 0) }]
      : [],
  )
  return { labels: days.map(day => day.slice(5)), series }
}

const DAY_MS = 86_400_000
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Each writes a report as a file of one format. */
export const writers: Readonly<Record<ReportFormat, Writer>> = {
  csv: writeCsv,
  pdf: writePdf,
  xlsx: writeXlsx,
}

/** The lines of COPY end with a line feed alone. */
const line = (cells: readonly string[], separator: CsvSeparator) =>
  csvLine(cells, separator).replace(/\r\n$/, '\n')

/** A csv file: headings, and the rows as COPY wrote them. */
async function* csvFile(headings: readonly string[], rows: Readable, separator: CsvSeparator) {
  yield Buffer.from(BYTE_ORDER_MARK + line(headings, separator))
  for await (const chunk of rows) yield chunk as Buffer
}
