import { SilentReason, type DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import { LeftOut, SHORTER_THAN_FILE, UNKNOWN_PUBLICATION, UpdateStep } from '@floorcast/contract/events.ts'
import type { Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { mediaItemNames } from '../../platform/media-item-names.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'

/** The five logs of a device, in the order of their links. */
export const logKinds: readonly DeviceLogKind[] = ['playtrack', 'playlist', 'heartbeat', 'debug', 'update']

const tones = {
  complete: 'good',
  joined: 'good',
  cut: 'late',
  failed: 'down',
  began: 'good',
  ended: 'none',
  silent: 'none',
  playing: 'good',
  info: 'none',
  warning: 'late',
  error: 'down',
} as const satisfies Record<string, StatusTone>
type Known = keyof typeof tones
const isKnown = (status: string): status is Known => Object.hasOwn(tones, status)

/** The event of an entry in words. */
function LogStatus({ kind, status }: { kind: DeviceLogKind; status: string }) {
  const { t } = useTranslate()
  const step = UpdateStep.safeParse(status).data
  if (kind === 'update') return <bdi>{step ? t(`logs:steps.${step}`) : status}</bdi>
  if (!isKnown(status)) return <bdi>{status}</bdi>
  return <StatusBadge tone={tones[status]}>{t(`logs:status.${status}`)}</StatusBadge>
}

type Field = Exclude<keyof LogEntry, 'uid'>

/** The first columns of each kind; users can choose the rest of the log entry. */
const shownAtFirst: Record<DeviceLogKind, readonly Field[]> = {
  playtrack: [
    'eventTime',
    'plannedTime',
    'track',
    'type',
    'status',
    'secondsPlayed',
    'playlist',
    'description',
    'comment',
  ],
  heartbeat: ['eventTime', 'receiveTime', 'status', 'track', 'volume', 'temperatureCelsius', 'version'],
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
  'plannedTime',
  'secondsPlayed',
  'volume',
  'temperatureCelsius',
]
const numbers: readonly Field[] = ['plannedTime', 'secondsPlayed', 'volume', 'temperatureCelsius', 'code']
const sortable: readonly Field[] = ['eventTime', 'receiveTime']

/** The columns of a log of one kind: every field of the log entry (docs/specification.md#3-entities-and-their-fields). */
export function logColumns(
  { t, format }: { t: Translate; format: Format },
  kind: DeviceLogKind,
): ListColumn<LogEntry>[] {
  const shown = shownAtFirst[kind]
  const order = [...shown, ...fields.filter(field => !shown.includes(field))]
  return order.map(field => ({
    id: field,
    header: nameField({ t, format }, field),
    isSortable: sortable.includes(field),
    isHiddenAtFirst: !shown.includes(field),
    isProse: field === 'description' || field === 'comment',
    isNumber: numbers.includes(field),
    cell: entry => drawField({ t, format }, { kind, field, entry }),
  }))
}

/** Times are by the reader's clock, which may not be the shop's: the column says so. */
function nameField({ t, format }: { t: Translate; format: Format }, field: Field): string {
  const name = t(`logs:fields.${field}`)
  const isTime = field === 'eventTime' || field === 'receiveTime'
  return isTime ? t('logs:inZone', { name, zone: format.zone }) : name
}

interface Drawn {
  kind: DeviceLogKind
  field: Field
  entry: LogEntry
}

function drawField(tools: { t: Translate; format: Format }, { kind, field, entry }: Drawn) {
  const { t, format } = tools
  const value = entry[field]
  if (value === null) return null
  if (field === 'status') return <LogStatus kind={kind} status={String(value)} />
  if (field === 'plannedTime') return format.time(String(value))
  if (field === 'eventTime' || field === 'receiveTime') return format.moment(String(value))
  if (typeof value === 'number') return drawNumber(format, field, value)
  if (field === 'class') return <bdi>{namePlayerCode(t, value)}</bdi>
  return <bdi>{nameValue(t, field, value)}</bdi>
}

/** The words of a player's message, and its code, by which others have written about it. */
const namePlayerCode = (t: Translate, code: string) =>
  isOneOf(playerCodes, code) ? t('withNote', { text: t(`logs:codes.${code}`), note: code }) : code

function drawNumber(format: Format, field: Field, value: number): string {
  if (field === 'secondsPlayed') return format.duration(value)
  if (field === 'volume') return format.percent(value / 100)
  if (field === 'temperatureCelsius') return format.temperature(value)
  return format.number(value)
}

/** The messages of players in the debug log. Their details are in English. */
const playerCodes = [
  'clock-not-believed',
  'dates-uncertain',
  'protocol-unknown',
  'download-done',
  'download-refused',
  'download-too-short',
  'download-too-long',
  'download-wrong-hash',
  'download-damaged',
  'download-disk',
  'file-damaged',
  'file-short',
  'file-quarantined',
  'player-missing',
  'player-stuck',
  'player-died',
  'player-error',
  'output-failed',
  'alert-check-failed',
  'alert-sound-damaged',
  'alert-sound-failed',
  'data-folder-restored',
  'disk-full',
  'disk-not-writable',
  'command-followed',
  'command-failed',
  'channel-open',
  'server-changed',
  'server-not-taken',
] as const
const reasons = [
  'closed',
  'publication',
  'outside-dates',
  'outside-window',
  'clock-change',
  'short-file',
  'clock',
  'schedule',
  'alert',
  'no-publication',
  'empty',
  'not-downloaded',
  'agent-stopped',
  SHORTER_THAN_FILE,
  UNKNOWN_PUBLICATION,
] as const
const isOneOf = <Code extends string>(codes: readonly Code[], code: string): code is Code =>
  codes.some(known => known === code)
const isMediaType = (code: string): code is keyof typeof mediaItemNames => Object.hasOwn(mediaItemNames, code)

/** Words for codes. What users have named, such as a track called 'closed', is shown as it is. */
function nameValue(t: Translate, field: Field, value: string): string {
  if (field === 'comment' && value === 'clock-doubted') return t('logs:clockDoubted')
  if (field === 'comment' && isOneOf(LeftOut.options, value)) return t(`logs:leftOut.${value}`)
  if (field === 'type') {
    if (isMediaType(value)) return t(`routes:${mediaItemNames[value]}`)
    return isOneOf(logKinds, value) ? t(`logs:kinds.${value}`) : value
  }
  if (field !== 'description') return value
  if (isOneOf(reasons, value)) return t(`logs:why.${value}`)
  const silence = SilentReason.safeParse(value).data
  return silence ? t(`activity:silentReasons.${silence}`) : value
}
