import type { PackageCard, PackageRow } from '@floorcast/contract/update-packages.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { PackageBadge } from './update-badges.tsx'

/** The fields of list and card; ids are what the server sorts by. */
export function packageFields(t: Translate, format: Format): ItemField<PackageRow, PackageCard>[] {
  return [
    { id: 'name', header: t('name'), only: 'list', isSortable: true, cell: row => row.name },
    {
      id: 'version',
      header: t('updates:fields.version'),
      isSortable: true,
      cell: row => <bdi>{row.version}</bdi>,
    },
    {
      id: 'state',
      header: t('updates:fields.state'),
      only: 'list',
      isSortable: true,
      cell: row => <PackageBadge state={row.state} />,
    },
    {
      id: 'category',
      header: t('updates:fields.category'),
      isSortable: true,
      isMinor: true,
      cell: row => <bdi>{row.category}</bdi>,
    },
    {
      id: 'files',
      header: t('updates:fields.files'),
      cell: ({ fileCount, sizeBytes }) =>
        fileCount > 0 && t('updates:filesOf', { count: fileCount, size: format.size(sizeBytes) }),
      none: t('updates:none'),
    },
    {
      id: 'channels',
      header: t('updates:fields.channels'),
      cell: ({ channels }) => channels.length > 0 && format.list(channels.map(({ name }) => name)),
      none: t('updates:none'),
    },
    {
      id: 'created',
      header: t('updates:fields.created'),
      only: 'card',
      cell: ({ createdAt }) => format.dateTime(createdAt),
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
      none: t('updates:none'),
      cell: row => row.description,
    },
  ]
}
