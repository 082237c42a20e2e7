import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EntityNames } from './entity-names.tsx'
import { HashCell } from './hash-cell.tsx'
import { SignatureBadge } from './update-badges.tsx'

/** The columns of stored files; ids are what the server sorts by. */
export function fileColumns(t: Translate, format: Format): ListColumn<UpdateFileRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: file => <bdi>{file.name}</bdi> },
    {
      id: 'originalName',
      header: t('updates:fields.fileName'),
      isSortable: true,
      isMinor: true,
      cell: file => <bdi dir="ltr">{file.originalName}</bdi>,
    },
    {
      id: 'sizeBytes',
      header: t('updates:fields.size'),
      isSortable: true,
      isNumber: true,
      cell: file => format.size(file.sizeBytes),
    },
    {
      id: 'signature',
      header: t('updates:fields.signature'),
      cell: file => <SignatureBadge state={file.signatureState} />,
    },
    {
      id: 'packages',
      header: t('updates:fields.packages'),
      cell: ({ packages }) => packages.length > 0 && <EntityNames items={packages} to={paths.package} />,
    },
    {
      id: 'uploadedAt',
      header: t('updates:fields.uploaded'),
      isSortable: true,
      cell: file => <RelativeTime instant={file.uploadedAt} />,
    },
    {
      id: 'hash',
      header: t('updates:fields.hash'),
      isHiddenAtFirst: true,
      cell: file => <HashCell hash={file.hash} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: file => file.description,
    },
  ]
}
