import type { ChannelRow } from '@floorcast/contract/update-channels.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EntityNames } from './entity-names.tsx'
import { ChannelBadge } from './update-badges.tsx'

/** The columns of channels; ids are what the server sorts by. */
export function channelColumns(t: Translate, format: Format): ListColumn<ChannelRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('updates:fields.state'),
      isSortable: true,
      cell: row => <ChannelBadge state={row.state} />,
    },
    {
      id: 'groups',
      header: t('updates:fields.groups'),
      cell: ({ groups }) => groups.length > 0 && <EntityNames items={groups} to={paths.group} />,
    },
    {
      id: 'devices',
      header: t('updates:fields.devices'),
      isNumber: true,
      cell: row => format.number(row.deviceCount),
    },
    {
      id: 'packages',
      header: t('updates:fields.packages'),
      cell: ({ packages }) => packages.length > 0 && <EntityNames items={packages} to={paths.package} />,
    },
    {
      id: 'changedAt',
      header: t('updates:fields.changed'),
      isSortable: true,
      isMinor: true,
      cell: row => <RelativeTime instant={row.changedAt} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: row => row.description,
    },
  ]
}
