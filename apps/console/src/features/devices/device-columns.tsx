import type { DeviceCard, DeviceRow } from '@floorcast/contract/devices.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import { describeSilence } from '../../ui/device-state.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { nowPlayingCell } from '../../ui/now-playing-cell.tsx'
import { describeVolume } from './describe-volume.ts'

type DeviceField = ItemField<DeviceRow, DeviceCard>

/** Every field of docs/specification.md#2-screens-and-routes in the order of list and card; ids are what the server sorts by. */
export function deviceFields(t: Translate, format: Format): DeviceField[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, only: 'list', cell: row => row.name },
    {
      id: 'storeNumber',
      header: t('devices:storeNumber'),
      isSortable: true,
      isHiddenAtFirst: true,
      panel: 'record',
      none: t('devices:card.none'),
      cell: row => row.storeNumber && <bdi>{row.storeNumber}</bdi>,
    },
    {
      id: 'connectivity',
      header: t('activity:state'),
      only: 'list',
      cell: row => <ActivityBadge device={row} />,
    },
    {
      id: 'nowPlaying',
      header: t('devices:columns.nowPlaying'),
      // The state names it.
      isHiddenAtFirst: true,
      only: 'list',
      cell: row => nowPlayingCell(t, row),
    },
    {
      id: 'silentSince',
      header: t('devices:columns.silent'),
      isSortable: true,
      isHiddenAtFirst: true,
      only: 'list',
      cell: row =>
        row.silentSince && (
          <span className="fc-sentence">
            {t('devices:silentSince', {
              reason: describeSilence(t, row.silentReason).word,
              time: format.dateTime(row.silentSince),
            })}
          </span>
        ),
    },
    ...placementFields(t, format),
    {
      id: 'kind',
      header: t('devices:columns.kind'),
      isHiddenAtFirst: true,
      panel: 'record',
      cell: row => t(`kinds.${row.kind}`),
    },
    ...playerFields(t, format),
    ...recordFields(t, format),
  ]
}

/** Its group, publication, playlist and volume. */
function placementFields(t: Translate, format: Format): DeviceField[] {
  return [
    {
      id: 'group',
      header: t('devices:card.group'),
      panel: 'placement',
      none: t('devices:card.noGroup'),
      cell: row => row.group && <EntityLink entity={row.group} to={paths.group} />,
    },
    {
      id: 'publication',
      header: t('devices:card.currentPublication'),
      isHiddenAtFirst: true,
      panel: 'placement',
      none: t('devices:card.none'),
      cell: row => row.publication && <EntityLink entity={row.publication} to={paths.publication} />,
    },
    {
      id: 'playlist',
      isMinor: true,
      header: t('devices:card.currentPlaylist'),
      panel: 'placement',
      none: t('devices:card.none'),
      cell: row => row.playlist && <EntityLink entity={row.playlist} to={paths.playlist} />,
    },
    {
      id: 'volume',
      header: t('devices:card.volume'),
      only: 'card',
      panel: 'placement',
      cell: device => describeVolume(t, format, device.volume),
    },
  ]
}

/** The machine in the shop. */
function playerFields(t: Translate, format: Format): DeviceField[] {
  return [
    {
      id: 'model',
      header: t('devices:card.model'),
      only: 'card',
      panel: 'player',
      cell: ({ model }) => model,
    },
    {
      id: 'programVersion',
      header: t('devices:card.programVersion'),
      isSortable: true,
      isHiddenAtFirst: true,
      panel: 'player',
      cell: ({ programVersion }) => leftToRight(programVersion),
    },
    {
      id: 'ipAddress',
      header: t('devices:card.ipAddress'),
      only: 'card',
      panel: 'player',
      cell: ({ ipAddress }) => leftToRight(ipAddress),
    },
    {
      id: 'macAddress',
      header: t('devices:card.macAddress'),
      only: 'card',
      panel: 'player',
      cell: ({ macAddress }) => leftToRight(macAddress),
    },
    {
      id: 'temperature',
      header: t('devices:card.temperature'),
      only: 'card',
      panel: 'player',
      cell: ({ temperatureCelsius: celsius }) => celsius !== null && format.temperature(celsius),
    },
    {
      id: 'memorySize',
      header: t('devices:card.memorySize'),
      only: 'card',
      panel: 'player',
      cell: ({ memorySizeBytes: bytes }) => bytes !== null && format.size(bytes),
    },
    {
      id: 'freeMemory',
      header: t('devices:card.freeMemory'),
      only: 'card',
      panel: 'player',
      cell: ({ freeMemoryBytes: bytes }) => bytes !== null && format.size(bytes),
    },
    {
      id: 'alertCheck',
      header: t('devices:card.alertCheck'),
      only: 'card',
      panel: 'player',
      none: t('devices:card.notChecked'),
      cell: ({ alertCheck }) =>
        alertCheck && (
          <>
            <div>
              {alertCheck.faults.length === 0
                ? t('devices:card.alertsSound')
                : t('devices:card.alertFaults', { count: alertCheck.faults.length })}
            </div>
            <time dateTime={alertCheck.checkedAt}>{format.dateTime(alertCheck.checkedAt)}</time>
          </>
        ),
    },
    {
      id: 'lastContactAt',
      isMinor: true,
      header: t('devices:columns.lastContact'),
      isSortable: true,
      panel: 'player',
      cell: row => row.lastContactAt && format.dateTime(row.lastContactAt),
    },
  ]
}

/** The fields of its record. */
function recordFields(t: Translate, format: Format): DeviceField[] {
  return [
    {
      id: 'description',
      header: t('description'),
      only: 'card',
      panel: 'record',
      isProse: true,
      none: t('devices:card.none'),
      cell: ({ description }) => description,
    },
    {
      id: 'licenseKey',
      header: t('devices:card.licenseKey'),
      only: 'card',
      panel: 'record',
      none: t('devices:card.keyHidden'),
      cell: ({ licenseKey }) => leftToRight(licenseKey),
    },
    {
      id: 'expires',
      header: t('devices:card.expires'),
      only: 'card',
      panel: 'record',
      cell: ({ expiresAt }) => format.date(expiresAt),
    },
    {
      id: 'created',
      header: t('devices:card.created'),
      only: 'card',
      panel: 'record',
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    {
      id: 'changedAt',
      header: t('devices:columns.changed'),
      isSortable: true,
      isHiddenAtFirst: true,
      panel: 'record',
      cell: row => format.dateTime(row.changedAt),
    },
    {
      id: 'lastPlayed',
      header: t('devices:card.lastPlayed'),
      only: 'card',
      panel: 'record',
      none: t('devices:card.noPlays'),
      cell: ({ lastPlayed }) =>
        lastPlayed && (
          <>
            <div>{lastPlayed.name}</div>
            <time dateTime={lastPlayed.startedAt}>{format.dateTime(lastPlayed.startedAt)}</time>
          </>
        ),
    },
  ]
}

/** Addresses, keys and versions read left to right in every language. */
const leftToRight = (text: string | null) => text && <bdi dir="ltr">{text}</bdi>
