import type { GroupRow } from '@floorcast/contract/groups.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { GroupStateBadge } from './group-state.tsx'

/** The columns of the group list; their ids are what the server sorts by. */
export function groupColumns(t: Translate, format: Format): ListColumn<GroupRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => row.name },
    {
      id: 'state',
      header: t('groups:columns.state'),
      isSortable: true,
      cell: row => <GroupStateBadge state={row.state} />,
    },
    {
      id: 'devices',
      header: t('groups:columns.devices'),
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
      cell: row => <EntityLink entity={row.publication} to={paths.publication} />,
    },
    { id: 'kind', header: t('groups:columns.kind'), cell: row => t(`kinds.${row.kind}`) },
    {
      id: 'used',
      header: t('groups:columns.used'),
      isHiddenAtFirst: true,
      cell: row => t(row.isUsed ? 'states.used' : 'states.unused'),
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: row => row.description || '–',
    },
    {
      id: 'changedAt',
      header: t('groups:columns.changed'),
      isSortable: true,
      cell: row => format.dateTime(row.changedAt),
    },
  ]
}
