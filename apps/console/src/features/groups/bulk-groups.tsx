import { changeManyGroups, previewManyGroups, type EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import type { GroupRow, listGroups } from '@floorcast/contract/groups.ts'
import { useMemo } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { editConfirm, oppositeOf } from '../../ui/bulk/edit-actions.ts'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'

interface BulkGroupsProps {
  action: EditAction
  selection: Selection
  /** A single group, of its own menu; null for a selection. */
  item: Pick<GroupRow, 'name' | 'deviceCount'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listGroups>
  onClose: () => void
  onDone: () => void
}

/** Activates, pauses or deletes groups. One that a publication names is not deleted (docs/specification.md#8-error-catalogue, code 409). */
export function BulkGroups(props: BulkGroupsProps) {
  const { action, selection, item, kind = 'all', query, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const filter = useMemo(() => ({ ...query, kind }), [query, kind])
  const { count } = selection
  const isDelete = action === 'delete'
  const opposite = oppositeOf(action)
  const undo = opposite
    ? undoOf.call('group', uids => call(changeManyGroups, { body: { items: { uids }, action: opposite } }))
    : undoOf.restore('groups')
  const doneText = (done: number) => {
    if (action !== 'delete') return t(`bulk:groups.${action}.done`, { count: done })
    return item && done === 1
      ? t('groups:deletedOne', { name: item.name })
      : t('groups:deleted', { count: done })
  }
  const describeDelete = (planned: number) =>
    item
      ? t('groups:delete.text', { name: item.name, count: item.deviceCount })
      : t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('groups:delete.title', { count })
          : t(`bulk:groups.${action}.title`, { count })
      }
      confirmLabel={editConfirm(t, action)}
      isDanger={isDelete}
      selection={selection}
      filter={filter}
      calls={{
        entity: 'group',
        key: action,
        removes: action === 'delete',
        preview: items => call(previewManyGroups, { body: { items, action } }),
        run: items => call(changeManyGroups, { body: { items, action } }),
      }}
      doneText={doneText}
      undo={undo}
      consequence={isDelete && !item && t('groups:delete.many')}
      describe={isDelete ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
