import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import type { Format } from '../../platform/format.ts'
import type { Words } from '../../platform/i18n.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { LogStatus } from './log-status.tsx'

type Field = Exclude<keyof LogEntry, 'uid'>

/** What each kind shows at first; the rest of SPEC's log entry may be chosen. */
const shownAtFirst: Record<DeviceLogKind, readonly Field[]> = {
  playtrack: ['eventTime', 'track', 'status', 'playlist', 'description'],
  heartbeat: ['eventTime', 'receiveTime', 'status', 'track', 'version', 'comment'],
  debug: ['eventTime', 'status', 'class', 'description'],
  playlist: ['eventTime', 'status', 'playlist', 'version', 'description'],
  update: ['eventTime', 'status', 'version', 'updatePackage', 'description'],
}

const fields: readonly Field[] = [
  'eventTime',
  'receiveTime',
  'track',
  'status',
  'playlist',
  'version',
  'updatePackage',
  'type',
  'class',
  'code',
  'channel',
  'request',
  'description',
  'comment',
]
const sortable: readonly Field[] = ['eventTime', 'receiveTime']

/** The columns of a log of one kind: every field of SPEC's log entry. */
export function logColumns(
  { t, format }: { t: Words; format: Format },
  kind: DeviceLogKind,
): ListColumn<LogEntry>[] {
  const shown = shownAtFirst[kind]
  const order = [...shown, ...fields.filter(field => !shown.includes(field))]
  return order.map(field => ({
    id: field,
    header: nameField({ t, format }, field),
    isSortable: sortable.includes(field),
    isHiddenAtFirst: !shown.includes(field),
    cell: entry => drawField({ t, format }, { kind, field, entry }),
  }))
}

/** Times are by the reader's clock, which may not be the shop's: the column says so. */
function nameField({ t, format }: { t: Words; format: Format }, field: Field): string {
  const name = t(`logs:fields.${field}`)
  const isTime = field === 'eventTime' || field === 'receiveTime'
  return isTime ? t('logs:inZone', { name, zone: format.zone }) : name
}

interface Drawn {
  kind: DeviceLogKind
  field: Field
  entry: LogEntry
}

function drawField({ t, format }: { t: Words; format: Format }, { kind, field, entry }: Drawn) {
  const value = entry[field]
  if (value === null) return '–'
  if (field === 'eventTime' || field === 'receiveTime') return format.moment(String(value))
  if (field === 'status') return <LogStatus kind={kind} status={String(value)} />
  if (field === 'comment' && value === 'clock-doubted') return t('logs:clockDoubted')
  if (typeof value === 'number') return format.number(value)
  return <bdi>{value}</bdi>
}
