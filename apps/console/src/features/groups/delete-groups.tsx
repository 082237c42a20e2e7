import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { deleteGroup, deleteManyGroups, type GroupRow, type listGroups } from '@floorcast/contract/groups.ts'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import type { KindFilter } from './groups-data.ts'

interface DeleteGroupsProps {
  selection: Selection
  /** The one group that is meant. */
  only?: Pick<GroupRow, 'name' | 'deviceCount' | 'publication'>
  kind?: KindFilter
  query?: QueryOf<typeof listGroups>
  onClose: () => void
  onDeleted: () => void
}

/** Moves groups to the recycle bin; one that a publication names stays (docs/specification.md#8-error-catalogue, code 409). */
export function DeleteGroups(props: DeleteGroupsProps) {
  const { selection, only, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useTranslate()
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'groups',
      one: uid => change(deleteGroup, { body: { uid } }),
      many: body => call(deleteManyGroups, { body }),
    },
    selection,
    filter: { ...query, kind },
    said: count => (only ? t('groups:deletedOne', { name: only.name }) : t('groups:deleted', { count })),
    onDeleted,
  })
  return (
    <ConfirmDialog
      isOpen
      title={t('groups:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      dependents={
        only?.publication ? [t('groups:delete.publication', { name: only.publication.name })] : undefined
      }
      onConfirm={remove}
      onClose={onClose}
    >
      {only ? t('groups:delete.text', { name: only.name, count: only.deviceCount }) : t('groups:delete.many')}
    </ConfirmDialog>
  )
}
