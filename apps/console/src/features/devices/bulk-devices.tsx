import { changeManyDevices, previewManyDevices, type DeviceAction } from '@floorcast/contract/bulk-calls.ts'
import type { listDevices } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { useState } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { BulkDialog, type BulkActionCalls } from '../../ui/bulk/bulk-dialog.tsx'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { BulkDeviceFields, hasFields, type DeviceBulk } from './bulk-device-fields.tsx'

type Filter = QueryOf<typeof listDevices>

interface BulkDevicesProps {
  action: DeviceBulk
  selection: Selection
  /** A single device, of its own menu; null for a selection. */
  item?: { name: string } | null
  query?: Filter
  onClose: () => void
  onDone: () => void
}

const callsOf = (action: DeviceAction): BulkActionCalls<Filter> => ({
  entity: 'device',
  key: action,
  removes: action.do === 'delete',
  preview: items => call(previewManyDevices, { body: { items, action } }),
  run: items => call(changeManyDevices, { body: { items, action } }),
})

const noFilter: Filter = {}

/** Does one thing with the selected devices. A device in a group is not deleted (docs/specification.md#8-error-catalogue, code 409). */
export function BulkDevices(props: BulkDevicesProps) {
  const { action, selection, item = null, query = noFilter, onClose, onDone } = props
  const { t } = useTranslate()
  const [given, setGiven] = useState<DeviceAction | null>(hasFields(action) ? null : { do: action })
  const undo = useDeviceUndo(given)
  const { count } = selection
  const describeDone = (done: number) => {
    if (action !== 'delete') return t(`bulk:devices.${action}.done`, { count: done })
    return item && done === 1
      ? t('devices:deletedOne', { name: item.name })
      : t('devices:deleted', { count: done })
  }
  const consequence = hasFields(action) || action === 'delete' ? null : t(`bulk:devices.${action}.text`)
  const describeDelete = (planned: number) =>
    item ? t('devices:delete.one', { name: item.name }) : t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('devices:delete.title', { count })
          : t(`bulk:devices.${action}.title`, { count })
      }
      confirmLabel={action === 'delete' ? t('moveToBin') : t(`bulk:devices.${action}.confirm`)}
      isDanger={action === 'delete'}
      selection={selection}
      filter={query}
      calls={given && callsOf(given)}
      doneText={describeDone}
      undo={undo}
      consequence={consequence}
      describe={action === 'delete' ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    >
      {hasFields(action) && <BulkDeviceFields action={action} onChange={setGiven} />}
    </BulkDialog>
  )
}

/** Devices that joined a group leave it again, and get back their former volumes; deleted ones are restored. */
function useDeviceUndo(action: DeviceAction | null) {
  const undoOf = useUndoOf()
  if (action?.do === 'delete') return undoOf.restore('devices')
  const back = backOf(action)
  return (
    back &&
    undoOf.call('device', uids => call(changeManyDevices, { body: { items: { uids }, action: back } }))
  )
}

/** The action that takes another one back; null for those that nothing takes back. */
function backOf(action: DeviceAction | null): DeviceAction | null {
  if (action?.do === 'join') return { do: 'leave' }
  return action?.do === 'volume' ? { do: 'undo-volume', volume: action.volume } : null
}
