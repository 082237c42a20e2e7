import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { BulkAction, RowAction, Selection } from '../data-table/list-column.ts'

/** The items that a user has asked to delete. A dialog asks for confirmation. */
export interface DeleteRequest<Row> {
  selection: Selection
  /** A single item; null for a selection. */
  item: Row | null
  onDeleted: () => void
}

/** A list's delete actions, of one row and of the selection, and the request that its dialog confirms. */
export function useDeleteDialog<Row extends { uid: string }>(): {
  deleting: DeleteRequest<Row> | null
  cancel: () => void
  row: RowAction<Row>
  bulk: BulkAction
} {
  const { t } = useTranslate()
  const [deleting, setDeleting] = useState<DeleteRequest<Row> | null>(null)
  const button = { label: t('moveToBin'), icon: <IconTrash size={16} aria-hidden />, isDanger: true }
  return {
    deleting,
    cancel: () => setDeleting(null),
    row: {
      ...button,
      run: row =>
        setDeleting({
          selection: { kind: 'some', uids: [row.uid], count: 1 },
          item: row,
          onDeleted: () => undefined,
        }),
    },
    bulk: { ...button, run: (selection, clear) => setDeleting({ selection, item: null, onDeleted: clear }) },
  }
}
