import type { DeviceRow } from '@floorcast/contract/devices.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'

/** The columns of the device list; their ids are what the server sorts by. */
export function deviceColumns(t: Translate, format: Format): ListColumn<DeviceRow>[] {
  const contact = (row: DeviceRow) => (row.lastContactAt ? format.dateTime(row.lastContactAt) : '–')
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => row.name },
    {
      id: 'storeNumber',
      header: t('devices:storeNumber'),
      isSortable: true,
      isHiddenAtFirst: true,
      cell: row => <bdi>{row.storeNumber || '–'}</bdi>,
    },
    {
      id: 'connectivity',
      header: t('devices:columns.connectivity'),
      cell: row => <ConnectivityBadge state={row.connectivity} />,
    },
    { id: 'nowPlaying', header: t('devices:columns.nowPlaying'), cell: row => row.nowPlaying?.name ?? '–' },
    {
      id: 'group',
      header: t('devices:columns.group'),
      cell: row => <EntityLink entity={row.group} to={paths.group} />,
    },
    {
      id: 'publication',
      header: t('devices:columns.publication'),
      isHiddenAtFirst: true,
      cell: row => <EntityLink entity={row.publication} to={paths.publication} />,
    },
    {
      id: 'playlist',
      header: t('devices:columns.playlist'),
      cell: row => <EntityLink entity={row.playlist} to={paths.playlist} />,
    },
    {
      id: 'kind',
      header: t('devices:columns.kind'),
      isHiddenAtFirst: true,
      cell: row => t(`kinds.${row.kind}`),
    },
    { id: 'lastContactAt', header: t('devices:columns.lastContact'), isSortable: true, cell: contact },
    {
      id: 'changedAt',
      header: t('devices:columns.changed'),
      isSortable: true,
      isHiddenAtFirst: true,
      cell: row => format.dateTime(row.changedAt),
    },
  ]
}
