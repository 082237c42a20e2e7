import type { GroupRow } from '@floorcast/contract/groups.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteGroup } from './groups-data.ts'

interface DeleteGroupProps {
  group: GroupRow
  onClose: () => void
  onDeleted?: () => void
}

/** Moves a group to the recycle bin; one that a publication names stays (SPEC section 8, code 409). */
export function DeleteGroup({ group, onClose, onDeleted }: DeleteGroupProps) {
  const { t } = useWords()
  const { mutateAsync } = useDeleteGroup()
  const remove = async () => {
    await mutateAsync(group.uid)
    void toast('success', t('groups:deleted', { name: group.name }))
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('groups:delete.title')}
      confirmLabel={t('moveToBin')}
      isDanger
      dependents={
        group.publication ? [t('groups:delete.publication', { name: group.publication.name })] : undefined
      }
      onConfirm={remove}
      onClose={onClose}
    >
      {t('groups:delete.text', { name: group.name, count: group.deviceCount })}
    </ConfirmDialog>
  )
}
