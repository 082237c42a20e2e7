import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { BulkAction, RowAction, Selection } from '../data-table/list-column.ts'

/** What a list's person wants to move to the recycle bin; a dialog asks before it is done. */
export interface DeleteRequest<Row> {
  selection: Selection
  /** The one item that is meant; null for a selection. */
  item: Row | null
  onDeleted: () => void
}

/** A list's actions that move to the recycle bin: of a row, and of all that is chosen. */
export function useDeleteDialog<Row extends { uid: string }>(): {
  deleting: DeleteRequest<Row> | null
  cancel: () => void
  row: RowAction<Row>
  bulk: BulkAction
} {
  const { t } = useTranslate()
  const [deleting, setDeleting] = useState<DeleteRequest<Row> | null>(null)
  const look = { label: t('moveToBin'), icon: <IconTrash size={16} aria-hidden />, isDanger: true }
  return {
    deleting,
    cancel: () => setDeleting(null),
    row: {
      ...look,
      run: row =>
        setDeleting({
          selection: { kind: 'some', uids: [row.uid], count: 1 },
          item: row,
          onDeleted: () => undefined,
        }),
    },
    bulk: { ...look, run: (selection, clear) => setDeleting({ selection, item: null, onDeleted: clear }) },
  }
}
