import { deleteDevice, deleteManyDevices, type listDevices } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'

interface DeleteDevicesProps {
  selection: Selection
  /** A single device; null for a selection. */
  item: { name: string; group: { name: string } | null } | null
  query?: QueryOf<typeof listDevices>
  onClose: () => void
  onDeleted: () => void
}

/** Moves devices to the recycle bin; a device in a group stays (docs/specification.md#8-error-catalogue, code 409). */
export function DeleteDevices({ selection, item, query = {}, onClose, onDeleted }: DeleteDevicesProps) {
  const { t } = useTranslate()
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'devices',
      one: uid => change(deleteDevice, { body: { uid } }),
      many: body => call(deleteManyDevices, { body }),
    },
    selection,
    filter: query,
    successMessage: count =>
      item ? t('devices:deletedOne', { name: item.name }) : t('devices:deleted', { count }),
    onDeleted,
  })
  return (
    <ConfirmDialog
      isOpen
      title={t('devices:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      dependents={item?.group ? [item.group.name] : undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      {item
        ? t('devices:delete.one', { name: item.name })
        : t('devices:delete.many', { count: selection.count })}
    </ConfirmDialog>
  )
}
