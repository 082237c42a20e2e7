import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { deleteGroup, deleteManyGroups, type GroupRow, type listGroups } from '@floorcast/contract/groups.ts'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'

interface DeleteGroupsProps {
  selection: Selection
  /** A single group; null for a selection. */
  item: Pick<GroupRow, 'name' | 'deviceCount' | 'publication'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listGroups>
  onClose: () => void
  onDeleted: () => void
}

/**
 * Moves groups to the recycle bin; a group in use by a publication stays (docs/specification.md#8-error-catalogue,
 * code 409).
 */
export function DeleteGroups(props: DeleteGroupsProps) {
  const { selection, item, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useTranslate()
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'groups',
      one: uid => change(deleteGroup, { body: { uid } }),
      many: body => call(deleteManyGroups, { body }),
    },
    selection,
    filter: { ...query, kind },
    successMessage: count =>
      item ? t('groups:deletedOne', { name: item.name }) : t('groups:deleted', { count }),
    onDeleted,
  })
  return (
    <ConfirmDialog
      isOpen
      title={t('groups:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      dependents={
        item?.publication ? [t('groups:delete.publication', { name: item.publication.name })] : undefined
      }
      onConfirm={remove}
      onClose={onClose}
    >
      {item ? t('groups:delete.text', { name: item.name, count: item.deviceCount }) : t('groups:delete.many')}
    </ConfirmDialog>
  )
}
