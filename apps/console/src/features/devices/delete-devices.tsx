import { listDevices } from '@floorcast/contract/devices.ts'
import { Refusal, call } from '../../platform/client.ts'
import { changeEach, gatherUids } from '../../platform/bulk.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import type { ListControl } from '../../ui/data-table/use-list.ts'
import { useDeleteDevice } from './devices-data.ts'

interface DeleteDevicesProps {
  selection: Selection
  /** Of a single device; a selection is told by its count. */
  names: readonly string[]
  query: ListControl['query']
  onClose: () => void
  onDeleted: () => void
}

/** Moves devices to the recycle bin; one that is in a group stays (SPEC section 8, code 409). */
export function DeleteDevices({ selection, names, query, onClose, onDeleted }: DeleteDevicesProps) {
  const { t } = useWords()
  const { mutateAsync } = useDeleteDevice()
  const name = names[0]
  const remove = async () => {
    const uids =
      selection.kind === 'some'
        ? selection.uids
        : await gatherUids(
            (page, size) => call(listDevices, { query: { ...query, page, size } }),
            selection.except,
          )
    const { done, failed } = await changeEach(uids, uid => mutateAsync(uid))
    if (done.length > 0) {
      onDeleted()
      void toast('success', t('devices:deleted', { count: done.length }))
    }
    const first = failed[0]
    if (first && uids.length === 1) throw first.error
    if (first) throw new Refusal({ code: 303 })
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('devices:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {name === undefined
        ? t('devices:delete.many', { count: selection.count })
        : t('devices:delete.one', { name })}
    </ConfirmDialog>
  )
}
