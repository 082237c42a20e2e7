import type { Language } from '@floorcast/contract/fields.ts'
import { type CsvSeparator, csvSeparatorOf } from '@floorcast/contract/csv.ts'
import type { ReportFormat, ReportParams } from '@floorcast/contract/report-calls.ts'
import { PREVIEW_ROWS, type ReportPreview } from '@floorcast/contract/report-calls.ts'
import {
  DEVICE_ZONES,
  daysBetween,
  MAX_REPORT_DAYS,
  type ReportDefinition,
  reports,
  type ReportName,
} from '@floorcast/contract/reports.ts'
import { knowsTimeZone } from '../../platform/database/time-zones.ts'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import type { CopyScope, CopySession } from '../../platform/database/copy-scope.ts'
import type { Download } from '../../platform/http/answer/send-file.ts'
import { notFound, wrongField } from '../../platform/lib/errors.ts'
import type { Context } from '../../context.ts'
import { ArchiveWantedError, daysAround, listArchiveFiles, playsOfSession } from '../archive/archive.ts'
import { makers } from './report-makers.ts'
import { readRows } from './report-parts.ts'
import { type LastDays, lastDaysOfEach } from './report-devices-sql.ts'
import { firstRows, hasItem } from './report-rows-queries.ts'
import { ReportTexts } from './report-texts.ts'
import { pickedItem, type PreparedReport, writers } from './report-writers.ts'

interface ReportCaller {
  context: Pick<Context, 'files' | 'log'>
  scope: ClientScope
  exports: CopyScope
  now: Date
  /** Aborts when the caller is gone: the statement ends. */
  signal?: AbortSignal | undefined
}

const LAST_DAYS = 7

type AskedReport = ReportParams & LastDays

const MIME_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** @throws ProblemError 422 for a period that is not 1 to 45 days long, and for an unknown zone */
async function checkPeriod(reads: Reads, { from, to, zone }: ReportParams): Promise<void> {
  const days = daysBetween(from, to)
  if (days < 1) throw wrongField('to', 'end-before-start')
  if (days > MAX_REPORT_DAYS) throw wrongField('to', 'report-days')
  if (zone !== DEVICE_ZONES && !(await knowsTimeZone(reads, zone))) throw wrongField('zone', 'time-zone')
}

/** @throws ProblemError 404 for an item that the client does not have, 422 for one where the mode takes all */
async function checkFilters(reads: Reads, definition: ReportDefinition, params: ReportParams): Promise<void> {
  for (const { key, picks } of definition.filters) {
    const value = params[key]
    if (value === undefined || value === 'all' || picks === 'mode') continue
    const item = pickedItem(picks, params.mode)
    if (item === null) throw wrongField(key, 'wrong')
    if (!(await hasItem(reads, item, value))) throw notFound()
  }
}

interface OpenReport {
  report: Omit<PreparedReport, 'separator'>
  /** The transaction in which the report was prepared, and its rows are read. The caller closes it. */
  session: CopySession
}

/** @throws ArchiveWantedError if the report has plays of the archive and the session does not read them */
async function prepareReport(
  name: ReportName,
  params: AskedReport,
  { context, scope, exports, now, signal, isOverlaid = false }: ReportCaller & { isOverlaid?: boolean },
): Promise<OpenReport> {
  const definition: ReportDefinition = reports[name]
  const { from, to, zone, lastDays, ...filters } = params
  const timeZone = zone === DEVICE_ZONES ? 'UTC' : zone
  const session = await exports.open({ timeZone, signal, isOverlaid })
  try {
    const reads = playsOfSession(context, scope.clientId, session)
    const request = { name, from, to, zone, lastDays, filters, now }
    const query = await makers[name](reads, request)
    const needsAll = 'parts' in query && query.readsPlays === true && !isOverlaid
    if (needsAll && (await listArchiveFiles(reads, daysAround({ from, to }, 4))).length > 0)
      throw new ArchiveWantedError()
    const tags = (query.tagKeys ?? []).map(title => ({ key: `tag:${title}`, type: 'text' as const, title }))
    return { report: { request, query, columns: [...definition.columns, ...tags] }, session }
  } catch (error) {
    session.close()
    throw error
  }
}

/** @throws ProblemError */
async function openReport(name: ReportName, params: AskedReport, caller: ReportCaller): Promise<OpenReport> {
  await checkPeriod(caller.scope.reads, params)
  await checkFilters(caller.scope.reads, reports[name], params)
  return prepareReport(name, params, caller).catch((error: unknown) => {
    if (!(error instanceof ArchiveWantedError)) throw error
    return prepareReport(name, params, { ...caller, isOverlaid: true })
  })
}

/** @throws ProblemError as `writeReport` */
export async function checkReport(
  name: ReportName,
  params: AskedReport,
  caller: ReportCaller,
): Promise<void> {
  const { session } = await openReport(name, params, caller)
  session.close()
}

/** What a report is asked for at its bare path: the last seven days of each device in its zone. */
export const askForLastDays = ({ scope, now }: ReportCaller): Promise<LastDays> =>
  lastDaysOfEach(scope.reads, LAST_DAYS, now)

/** The first rows of a report. @throws ProblemError */
export async function previewReport(
  name: ReportName,
  params: AskedReport,
  caller: ReportCaller,
): Promise<ReportPreview> {
  const { report, session } = await openReport(name, params, caller)
  const { query, columns, request } = report
  try {
    const rows = await readRows(report, PREVIEW_ROWS + 1, (part, limit) =>
      session.rows(firstRows(part, columns, { zone: request.zone, limit })),
    )
    return {
      columns: columns.map(({ key, type, values, title }) => ({
        key,
        type,
        ...(values && { values }),
        ...(title !== undefined && { title }),
      })),
      rows: rows.slice(0, PREVIEW_ROWS).map(row => columns.map((_, at) => row[`c${at}`] ?? null)),
      hasMore: rows.length > PREVIEW_ROWS,
      notes: [...(rows.length === 0 ? [{ code: 'empty' }] : []), ...(query.notes ?? [])],
      asOf: session.asOf,
    }
  } finally {
    session.close()
  }
}

interface ReportFileChoice {
  format: ReportFormat
  lang: Language
  /** The separator of csv files. Default: that of the language. */
  separator?: CsvSeparator | undefined
}

/** A report as a file, which is written while it is read. @throws ProblemError */
export async function writeReport(
  name: ReportName,
  params: AskedReport,
  { format, lang, separator, ...caller }: ReportCaller & ReportFileChoice,
): Promise<Download> {
  const { report, session } = await openReport(name, params, caller)
  try {
    const written = { ...report, separator: separator ?? csvSeparatorOf(lang) }
    const body = await writers[format](session, written, new ReportTexts(lang))
    body.once('close', () => session.close())
    const { from, to } = params
    return {
      fileName: `floorcast-${name}-${from}-${to}.${format}`,
      mimeType: MIME_TYPES[format],
      body,
      asOf: session.asOf,
    }
  } catch (error) {
    session.close()
    throw error
  }
}
