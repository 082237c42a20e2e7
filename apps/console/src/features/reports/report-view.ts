import { Language } from '@floorcast/contract/fields.ts'
import { CsvSeparator } from '@floorcast/contract/csv.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import { reportFormats, type ReportFormat, type ReportParams } from '@floorcast/contract/report-calls.ts'
import {
  DEVICE_ZONES,
  reports,
  reportNames,
  type ReportDefinition,
  type ReportFilter,
  type ReportName,
} from '@floorcast/contract/reports.ts'
import { isRecord } from '../../platform/stored-shape.ts'
import { parseJson } from '../../platform/storage.ts'
import { dayIn, findPreset, periodPresets, presetPeriod, type Period } from './report-period.ts'

type FilterKey = ReportFilter['key']

/** The view of the page, as its address holds it. */
export interface ReportView {
  report: ReportName
  period: Period
  /** An IANA zone, or `device`. */
  zone: string
  format: ReportFormat
  lang: Language
  /** The separator of csv; undefined: that of the language. */
  separator?: CsvSeparator | undefined
  /** Filters of this and other reports; an absent one is `all`. */
  filters: Readonly<Partial<Record<FilterKey, string>>>
  /** The type of the track among the filters, whose uid does not tell it; undefined without a track, and in addresses that do not say it. */
  contentType?: MediaType | undefined
}

export const definitionOf = (report: ReportName): ReportDefinition => reports[report]

/** Whether each filter that a report requires has an item. */
export const hasRequiredFilters = ({ report, filters }: ReportView): boolean =>
  definitionOf(report).filters.every(({ key, isRequired }) => !isRequired || filters[key] !== undefined)

const filterKeys = [...new Set(reportNames.flatMap(name => definitionOf(name).filters.map(({ key }) => key)))]

/** The proof of play, for who has used none yet. */
const FIRST_REPORT: ReportName = 'r1ext'

/** The browser's IANA zone. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function isZone(zone: string): boolean {
  if (zone === DEVICE_ZONES) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== ''
  } catch {
    return false
  }
}

/** Today in a report's zone; with each device's own zone, in the browser's. */
export const todayIn = (zone: string, nowMs: number): string =>
  dayIn(zone !== DEVICE_ZONES && isZone(zone) ? zone : browserZone(), nowMs)

interface Surroundings {
  /** The user's last view, as `writeMemory` wrote it; null if nothing is remembered. */
  memory: string | null
  lang: Language
  nowMs: number
}

/** Reads the view from the address. What it leaves open is as the user had it last, but filters only without a report. */
export function readView(address: URLSearchParams, { memory, lang, nowMs }: Surroundings): ReportView {
  const remembered = parseJson(memory ?? '')
  const last = isRecord(remembered) ? remembered : {}
  const read = (name: string): string | undefined => {
    const value = address.get(name) ?? last[name]
    return typeof value === 'string' ? value : undefined
  }
  const isLink = address.has('report')
  const zone = read('zone') ?? DEVICE_ZONES
  const filters: Partial<Record<FilterKey, string>> = {}
  for (const key of filterKeys) {
    const value = isLink ? address.get(key) : read(key)
    if (value) filters[key] = value
  }
  const separator = CsvSeparator.safeParse(read('separator')).data
  const contentType = MediaType.safeParse(isLink ? address.get('contentType') : read('contentType')).data
  return {
    report: reportNames.find(name => name === read('report')) ?? FIRST_REPORT,
    period: readPeriod(address, last, todayIn(zone, nowMs)),
    zone,
    format: reportFormats.find(format => format === read('format')) ?? reportFormats[0],
    lang: Language.safeParse(read('lang')).data ?? lang,
    ...(separator ? { separator } : {}),
    filters,
    ...(filters.track && contentType ? { contentType } : {}),
  }
}

/** A remembered preset counts from today; other days stay. */
function readPeriod(address: URLSearchParams, last: Record<string, unknown>, today: string): Period {
  const [from, to] = [address.get('from'), address.get('to')]
  if (from !== null || to !== null) return { from: from ?? '', to: to ?? '' }
  const preset = periodPresets.find(name => name === last['preset'])
  if (!preset && typeof last['from'] === 'string' && typeof last['to'] === 'string')
    return { from: last['from'], to: last['to'] }
  return presetPeriod(preset ?? 'week', today)
}

/** The address of a view: a link to it opens the same report. */
export function writeView(view: ReportView): URLSearchParams {
  const { report, period, zone, format, lang, separator, filters, contentType } = view
  const address = new URLSearchParams({ report, from: period.from, to: period.to, zone })
  for (const { key } of definitionOf(report).filters) if (filters[key]) address.set(key, filters[key])
  if (address.has('track') && contentType) address.set('contentType', contentType)
  address.set('format', format)
  address.set('lang', lang)
  if (separator) address.set('separator', separator)
  return address
}

/** The text that is remembered of a view: its address, but the name of a preset instead of its days. */
export function writeMemory(view: ReportView, nowMs: number): string {
  const { from, to, ...kept } = Object.fromEntries(writeView(view))
  const preset = findPreset(view.period, todayIn(view.zone, nowMs))
  return JSON.stringify(preset ? { ...kept, preset } : { ...kept, from, to })
}

/** The parameters of the report's calls. */
export function toParams({ report, period, zone, filters }: ReportView): ReportParams {
  const params: ReportParams = { ...period, zone }
  for (const { key } of definitionOf(report).filters) params[key] = filters[key] ?? 'all'
  return params
}
