import { z } from 'zod'
import { CsvSeparator } from './csv.ts'
import { type Endpoint, endpoint, readers } from './endpoint.ts'
import { Day, Instant, Language, Uid } from './fields.ts'
import { ColumnType } from './report-columns.ts'
import { type ReportDefinition, type ReportFilter, type ReportName, reportNames, reports } from './reports.ts'

/* The calls of the reports, made from their table (reports.ts). */

/** The formats of a file; the first is the console's first choice. */
export const reportFormats = ['xlsx', 'csv', 'pdf'] as const
const ReportFormat = z.enum(reportFormats)
export type ReportFormat = z.infer<typeof ReportFormat>

export const ReportQuery = z.object({
  /** Of the file. */
  format: ReportFormat.default('xlsx'),
  /** The language of headings and texts. */
  lang: Language.default('en'),
  /** The separator of csv files. Default: that of spreadsheets in `lang`. */
  separator: CsvSeparator.optional(),
})

export const ReportFilters = z.object({
  /** What the rows are of. */
  mode: z.enum(['device', 'group', 'all']),
  /** Of one item, or of all. */
  uid: z.union([Uid, z.literal('all')]),
})
function filterSchema({ picks, isRequired }: ReportFilter): z.ZodType<string> {
  const { mode, uid } = ReportFilters.shape
  if (picks === 'mode') return mode
  return isRequired ? Uid : uid
}

/** A report's period (`from` and `to` inclusive, 1 to 45 days of the zone), its zone and its filters by key. */
export type ReportParams = { from: string; to: string; zone: string } & Partial<
  Record<ReportFilter['key'], string>
>

export const ReportPeriod = z.object({
  from: Day,
  to: Day,
  /** Whose days: an IANA time zone such as `Europe/Berlin`, or `device` for that of each device. */
  zone: z.string().min(1).max(64),
})

const paramsOf = ({ filters }: ReportDefinition) =>
  z.object({
    ...Object.fromEntries(filters.map(filter => [filter.key, filterSchema(filter)])),
    ...ReportPeriod.shape,
  }) as unknown as z.ZodType<ReportParams, ReportParams>

/** What the reader of a report has to know about its figures: texts are `reports:notes.<code>`. */
export const ReportNote = z.object({
  /** The name of the text. */
  code: z.string(),
  /** What stands in the text, such as days and counts. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type ReportNote = z.infer<typeof ReportNote>

/** The first rows of a report, for a page. */
export const ReportPreview = z.object({
  /** In the order of the cells. */
  columns: z.array(
    z.object({
      /** The name of the column: its heading is `reports:columns.<key>`. */
      key: z.string(),
      /** What its cells hold. */
      type: ColumnType,
      /** The enum of the cells. */
      values: z.string().optional(),
      /** The heading of a tag's column: its key. */
      title: z.string().optional(),
    }),
  ),
  /**
   * A cell for each column. Instants are wall time with its offset, `2026-11-01T09:00:00+01:00`; enums are the
   * names of their values, and breakdowns such names with counts: `closed=4 cut=1`.
   */
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** The report has more than these 50 rows. */
  hasMore: z.boolean(),
  /** What a reader has to know of the figures. */
  notes: z.array(ReportNote),
  asOf: Instant,
})
export type ReportPreview = z.infer<typeof ReportPreview>

export const PREVIEW_ROWS = 50

const FORMATS =
  'A file: xlsx (up to 3 million rows, else 413), csv (`separator` `comma`, or `semicolon` with decimal commas; the default is the one that spreadsheets in `lang` read), or pdf (totals and the first 5,000 rows). `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. A client has one report at a time: 429 with Retry-After for the others.'

const slashed = (path: string) => `${path}/from/{from}/to/{to}/regiontime/{zone}`

function makeCalls(report: ReportDefinition) {
  const access = readers
  const params = paramsOf(report)
  const path = slashed(report.path)
  return {
    download: endpoint({
      path,
      summary: `${report.summary} ${FORMATS}`,
      access,
      isHeavy: true,
      slots: 'reports',
      params,
      query: ReportQuery,
      answer: z.unknown(),
      answerForm: 'bytes',
    }),
    preview: endpoint({
      path: `/api/v2${path}/preview`,
      summary: `${report.summary} Its first ${PREVIEW_ROWS} rows as JSON.`,
      access,
      isHeavy: true,
      slots: 'previews',
      params,
      answer: ReportPreview,
    }),
    recent: report.answersBarePath
      ? endpoint({
          path: report.path,
          summary: `${report.summary} The last 7 days in the devices’ own zones. ${FORMATS}`,
          access,
          isHeavy: true,
          slots: 'reports',
          query: ReportQuery,
          answer: z.unknown(),
          answerForm: 'bytes',
        })
      : null,
  }
}
export type ReportCalls = ReturnType<typeof makeCalls>

/** The calls of each report. */
export const reportCalls = Object.fromEntries(
  reportNames.map(name => [name, makeCalls(reports[name])]),
) as Record<ReportName, ReportCalls>

/** The calls of all reports by their names in the API's documentation. */
export const namedReportCalls = new Map<string, Endpoint>()
for (const name of reportNames) {
  const { download, preview, recent } = reportCalls[name]
  namedReportCalls.set(name, download).set(`${name}Preview`, preview)
  if (recent) namedReportCalls.set(`${name}Recent`, recent)
}
