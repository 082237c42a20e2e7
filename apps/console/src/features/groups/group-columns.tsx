import type { GroupCard, GroupRow } from '@floorcast/contract/groups.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { GroupStateBadge } from './group-state.tsx'

/** The fields of list and card; ids are what the server sorts by. */
export function groupFields(t: Translate, format: Format): ItemField<GroupRow, GroupCard>[] {
  return [
    { id: 'name', header: t('name'), only: 'list', isSortable: true, cell: row => row.name },
    {
      id: 'state',
      header: t('groups:columns.state'),
      only: 'list',
      isSortable: true,
      cell: row => <GroupStateBadge state={row.state} />,
    },
    {
      id: 'devices',
      header: t('groups:columns.devices'),
      only: 'list',
      isNumber: true,
      cell: row =>
        t('groups:online', {
          online: format.number(row.onlineCount),
          devices: format.number(row.deviceCount),
        }),
    },
    {
      id: 'publication',
      header: t('groups:columns.publication'),
      none: t('groups:none'),
      cell: row => row.publication && <EntityLink entity={row.publication} to={paths.publication} />,
    },
    {
      id: 'playlist',
      header: t('groups:playlist'),
      only: 'card',
      none: t('groups:none'),
      cell: ({ playlist }) => playlist && <EntityLink entity={playlist} to={paths.playlist} />,
    },
    { id: 'kind', isMinor: true, header: t('groups:columns.kind'), cell: row => t(`kinds.${row.kind}`) },
    {
      id: 'used',
      header: t('groups:columns.used'),
      isHiddenAtFirst: true,
      cell: row => t(row.isUsed ? 'states.group.used' : 'states.group.unused'),
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      none: t('groups:none'),
      cell: row => row.description,
    },
    {
      id: 'created',
      header: t('groups:created'),
      only: 'card',
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    {
      id: 'changedAt',
      isMinor: true,
      header: t('groups:columns.changed'),
      isSortable: true,
      cell: row => format.dateTime(row.changedAt),
    },
  ]
}
