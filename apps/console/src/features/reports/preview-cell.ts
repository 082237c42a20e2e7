import { REPORT_ENUMS, type ReportColumn, type ReportEnum } from '@floorcast/contract/report-columns.ts'
import type { ReportPreview } from '@floorcast/contract/report-calls.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

export type PreviewColumn = ReportPreview['columns'][number]
type Cell = ReportPreview['rows'][number][number]

const numberTypes: readonly ReportColumn['type'][] = ['seconds', 'minutes', 'count', 'number', 'percent']
export const isNumberColumn = ({ type }: PreviewColumn) => numberTypes.includes(type)

interface Tools {
  t: Translate
  format: Format
  /** Rows have zones of their own, so each moment says which. */
  hasOffsets: boolean
}

/** The offset from UTC of a moment: '+01:00', 'Z', or nothing. */
const offsetOf = (text: string) => text.slice(19).replace(/^\.\d+/, '')
const nameOffset = (offset: string) => (/^(?:Z|\+00:00)$/.test(offset) ? 'UTC' : `UTC${offset}`)

/** The offset that all moments of a column share, 'UTC+01:00', for its heading; null if they differ. */
export function sharedOffset({ type }: PreviewColumn, cells: readonly (Cell | undefined)[]): string | null {
  if (type !== 'instant') return null
  const offsets = new Set(
    cells.flatMap(cell => (typeof cell === 'string' && cell !== '' ? [offsetOf(cell)] : [])),
  )
  const [offset] = offsets
  return offset === undefined || offsets.size > 1 ? null : nameOffset(offset)
}

/** A cell in the chosen language; null for none. Units are in the headings, as in the files. */
export function formatCell(tools: Tools, { type, values }: PreviewColumn, cell: Cell): string | null {
  const { t, format } = tools
  if (cell === null || cell === '') return null
  if (typeof cell === 'number') return format.number(cell, type === 'count' ? 0 : 2)
  if (type === 'instant') return formatInstant(tools, cell)
  if (type === 'day') return format.day(cell)
  if (type === 'month') return format.month(cell)
  if (type === 'enum' && values !== undefined && isEnum(values)) return nameValue(t, values, cell)
  if (type === 'breakdown' && values !== undefined && isEnum(values))
    return describeParts(tools, values, cell)
  return cell
}

/** `closed=4 cut=1` as '4: the shop was closed; 1: cut short'. */
const describeParts = ({ t, format }: Tools, values: ReportEnum, cell: string): string =>
  cell
    .split(' ')
    .map(part => part.split('='))
    .map(([name = '', plays]) =>
      t('labeled', { label: format.number(Number(plays), 0), value: nameValue(t, values, name) }),
    )
    .join('; ')

/** The wall time as it came: the browser's own zone plays no part. */
function formatInstant({ format, hasOffsets }: Tools, text: string): string {
  const time = format.wallTime(text)
  return hasOffsets ? `${time} ${nameOffset(offsetOf(text))}` : time
}

const isEnum = (name: string): name is ReportEnum => Object.hasOwn(REPORT_ENUMS, name)

/** A value that this console does not know is shown as it came. */
function nameValue(t: Translate, name: ReportEnum, value: string): string {
  const known: readonly string[] = REPORT_ENUMS[name]
  if (!known.includes(value)) return value
  const key = `reports:values.${name}.${value}` as 'reports:values.result.complete'
  return t(key)
}

type ColumnKey = 'device'

/** The heading of a column, as in the files. */
export const nameColumn = (t: Translate, { key, title }: PreviewColumn): string =>
  title ?? t(`reports:columns.${key as ColumnKey}`)
