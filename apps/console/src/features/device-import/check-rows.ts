import { MAX_IMPORT_LINES, type DeviceImportRow } from '@floorcast/contract/device-import.ts'
import { DeviceDraft } from '@floorcast/contract/devices.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { GroupDraft } from '@floorcast/contract/groups.ts'
import { PlaceTags } from '@floorcast/contract/tag-calls.ts'
import { findHeadings, parseCsv, type CsvRecord } from '../../platform/parse-csv.ts'

/** Why a row cannot be added: a rule of the contract, or of the server's answer. */
export const rowFaults = [
  'empty',
  'too-short',
  'too-long',
  'special-characters',
  'unknown',
  'ambiguous',
  'group-kind',
  'twice',
  'exists',
  'time-zone',
  'time-of-day',
  'wrong',
] as const
export type RowFault = (typeof rowFaults)[number]
export const toRowFault = (message: string): RowFault => rowFaults.find(known => known === message) ?? 'wrong'

/** The columns of a list without headings, in this order. */
const plainColumns = ['name', 'storeNumber', 'group', 'description'] as const
export const placeColumns = PlaceTags.keyof().options
export const columns = [...plainColumns, ...placeColumns] as const
type PlaceColumn = (typeof placeColumns)[number]
export type ImportColumn = (typeof columns)[number]
export const isPlaceColumn = (column: ImportColumn): column is PlaceColumn =>
  placeColumns.some(known => known === column)

/** A row of the user's file. */
export interface CheckedRow {
  line: number
  /** The texts of the file. */
  texts: Record<ImportColumn, string>
  fault: { column: ImportColumn; message: RowFault } | null
  /** The row that the server is sent, and the group's name; null for a row with a fault. */
  row: DeviceImportRow | null
}

export interface KnownGroup {
  uid: string
  name: string
  kind: Kind
}

/** Headings by column: in English, and in the user's language. */
export type Headings = Readonly<Record<ImportColumn, readonly string[]>>

export const englishHeadings: Headings = {
  name: ['name', 'device', 'shop'],
  storeNumber: ['store number', 'storenumber', 'store', 'number'],
  group: ['group', 'device group'],
  description: ['description'],
  city: ['city', 'town'],
  address: ['address', 'street'],
  country: ['country'],
  timeZone: ['time zone', 'timezone'],
  openingTime: ['opening time', 'opening', 'opens', 'open'],
  closingTime: ['closing time', 'closing', 'closes', 'close'],
}

interface FirstRecord {
  /** The column of each cell; null: the record is a device. */
  order: readonly (ImportColumn | undefined)[] | null
  /** Headings of cells that are in no column. Of two headings of one column the first counts. */
  unread: readonly string[]
  /** It has headings, but none for the name. */
  lacksName: boolean
}

const columnOf = (cell: string, headings: Headings) => {
  const heading = cell.toLowerCase().replaceAll('_', ' ')
  return columns.find(column => headings[column].includes(heading))
}

const countColumns = (cells: readonly string[], headings: Headings) =>
  new Set(cells.flatMap(cell => columnOf(cell, headings) ?? [])).size

function readFirst(first: CsvRecord | undefined, headings: Headings): FirstRecord {
  const cells = first?.cells ?? []
  const found = cells.map(cell => columnOf(cell, headings))
  if (!found.includes('name')) {
    // A group may be called 'Group' or 'City'. Two headings, or a plain one in another place, are not a device.
    const known = found.flatMap((column, index) =>
      column ? [{ column, isInPlace: columns[index] === column }] : [],
    )
    const isStray = known.some(({ column, isInPlace }) => !isInPlace && !isPlaceColumn(column))
    return { order: null, unread: [], lacksName: known.length > 1 || isStray }
  }
  const order = found.map((column, index) => (found.indexOf(column) === index ? column : undefined))
  const unread = cells.filter((cell, index) => cell !== '' && order[index] === undefined)
  return { order, unread, lacksName: false }
}

export const noTexts = Object.fromEntries(columns.map(column => [column, ''])) as CheckedRow['texts']

/** Reads the times that spreadsheets write: 9:00, 09:00:00. */
const toTimeOfDay = (text: string) =>
  text.replace(
    /^(\d{1,2}):(\d\d)(?::00)?$/,
    (_, hours: string, minutes: string) => `${hours.padStart(2, '0')}:${minutes}`,
  )

/** Checks the place of a row. A time zone is expensive to check, and thousands of rows have the same. */
function makePlaceCheck() {
  const faults = new Map<string, RowFault | null>()
  const faultOf = (column: PlaceColumn, text: string): RowFault | null => {
    const key = `${column} ${text}`
    const known = faults.get(key)
    if (known !== undefined) return known
    const [issue] = PlaceTags.shape[column].safeParse(text).error?.issues ?? []
    const fault = issue ? toRowFault(issue.message) : null
    faults.set(key, fault)
    return fault
  }
  return (texts: CheckedRow['texts']): NonNullable<CheckedRow['fault']> | { tags: PlaceTags } => {
    const tags: PlaceTags = {}
    for (const column of placeColumns) {
      const isTime = column === 'openingTime' || column === 'closingTime'
      const text = isTime ? toTimeOfDay(texts[column]) : texts[column]
      if (text === '') continue
      const message = faultOf(column, text)
      if (message) return { column, message }
      tags[column] = text
    }
    return { tags }
  }
}

/** Two names with one key are one group to the server. */
const groupKey = (name: string) => name.normalize('NFC').toLowerCase()

/** Why a group with this name does not exist: nobody has created it yet, or nobody can. */
function whyUnknown(name: string): RowFault {
  const [issue] = GroupDraft.shape.name.safeParse(name).error?.issues ?? []
  return issue ? toRowFault(issue.message) : 'unknown'
}

interface RowRules {
  kind: Kind
  groupsByName: ReadonlyMap<string, KnownGroup[]>
  checkPlace: ReturnType<typeof makePlaceCheck>
}

/** The row of a record, or the first rule that it breaks. A group that is still to be created comes last. */
function checkRow(
  { line, texts }: Pick<CheckedRow, 'line' | 'texts'>,
  { kind, groupsByName, checkPlace }: RowRules,
): Pick<CheckedRow, 'fault' | 'row'> {
  const refuse = (column: ImportColumn, message: RowFault) => ({ fault: { column, message }, row: null })
  const draft = DeviceDraft.safeParse(texts)
  if (!draft.success) {
    const [issue] = draft.error.issues
    return refuse(
      columns.find(column => column === issue?.path[0]) ?? 'name',
      toRowFault(issue?.message ?? ''),
    )
  }
  const place = checkPlace(texts)
  if ('message' in place) return refuse(place.column, place.message)
  const { tags } = place
  const device = { line, ...draft.data, ...(Object.keys(tags).length > 0 ? { tags } : {}) }
  const { group: groupName } = texts
  if (groupName === '') return { fault: null, row: device }
  const [group, other] = groupsByName.get(groupKey(groupName)) ?? []
  if (!group) return refuse('group', whyUnknown(groupName))
  if (other) return refuse('group', 'ambiguous')
  if (group.kind === 'video' && kind !== 'video') return refuse('group', 'group-kind')
  return { fault: null, row: { ...device, group: groupName, groupUid: group.uid } }
}

/** The server takes two rows with the same name and store number as one device. */
const identityOf = ({ name, storeNumber }: DeviceImportRow) =>
  `${name.toLowerCase()}\n${storeNumber.toLowerCase()}`

export interface CheckOptions {
  kind: Kind
  groups: readonly KnownGroup[]
  headings: Headings
}

export interface CheckedList extends Pick<FirstRecord, 'unread' | 'lacksName'> {
  /** Empty if the headings of the list lack the name. */
  rows: CheckedRow[]
  /** The file has more lines than an import takes; the others are left out. */
  isTooLong: boolean
}

/** Reads and checks the rows of csv as the server will: names, groups, rows that occur twice. */
export function checkRows(text: string, options: CheckOptions): CheckedList {
  const countHeadings = (cells: readonly string[]) => countColumns(cells, options.headings)
  const all = parseCsv(text, countHeadings)
  // The lines above the headings, such as a title or a date, are not devices.
  const records = all.slice(Math.max(0, findHeadings(all, countHeadings)))
  const { order: heading, unread, lacksName } = readFirst(records[0], options.headings)
  if (lacksName) return { rows: [], isTooLong: false, unread, lacksName }
  const order = heading ?? plainColumns
  const checkPlace = makePlaceCheck()
  const groupsByName = Map.groupBy(options.groups, ({ name }) => groupKey(name))
  const seen = new Set<string>()
  const rows = records.slice(heading ? 1 : 0).map(({ line, cells }): CheckedRow => {
    const texts = { ...noTexts }
    for (const [index, column] of order.entries()) if (column) texts[column] = cells[index] ?? ''
    const checked = checkRow({ line, texts }, { kind: options.kind, groupsByName, checkPlace })
    const identity = checked.row && identityOf(checked.row)
    const isTwice = identity !== null && seen.has(identity)
    if (identity !== null) seen.add(identity)
    return isTwice
      ? { line, texts, fault: { column: 'name', message: 'twice' }, row: null }
      : { line, texts, ...checked }
  })
  const known = rows.filter(({ line }) => line <= MAX_IMPORT_LINES)
  return { rows: known, isTooLong: known.length < rows.length, unread, lacksName }
}

/** Whether the group of the row is still to be created: no error, but it has to be done first. */
export const lacksGroup = ({ fault }: CheckedRow): boolean =>
  fault?.column === 'group' && fault.message === 'unknown'

/** The first row of each group name that does not exist: those that can be created, and those that cannot. */
export function findMissingGroups(rows: readonly CheckedRow[]): {
  creatable: CheckedRow[]
  refused: CheckedRow[]
} {
  const missing = new Map<string, CheckedRow>()
  for (const row of rows) {
    const { fault, texts } = row
    if (fault?.column !== 'group' || fault.message === 'ambiguous' || fault.message === 'group-kind') continue
    const key = groupKey(texts.group)
    if (!missing.has(key)) missing.set(key, row)
  }
  const found = [...missing.values()]
  return { creatable: found.filter(lacksGroup), refused: found.filter(row => !lacksGroup(row)) }
}
