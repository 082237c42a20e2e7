import { IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { BulkAction, RowAction, Selection } from '../data-table/list-column.ts'

/** A user's request to change items of a list. A dialog asks for confirmation. */
export interface BulkRequest<Action extends string, Row> {
  action: Action
  selection: Selection
  /** A single item, of its row's menu; null for a selection. */
  item: Row | null
  onDone: () => void
}

/** The actions on a list's selection, and the request that its dialog confirms. */
export function useBulkRequest<Action extends string, Row extends { uid: string }>() {
  const { t } = useTranslate()
  const [request, setRequest] = useState<BulkRequest<Action | 'delete', Row> | null>(null)
  const ask = (action: Action | 'delete') => (selection: Selection, clear: () => void) =>
    setRequest({ action, selection, item: null, onDone: clear })
  const button = useMemo(
    () => ({ label: t('moveToBin'), icon: <IconTrash size={16} aria-hidden />, isDanger: true }),
    [t],
  )
  const deleteRow = useMemo(
    (): RowAction<Row> => ({
      ...button,
      run: row =>
        setRequest({
          action: 'delete',
          selection: { kind: 'some', uids: [row.uid], count: 1 },
          item: row,
          onDone: () => undefined,
        }),
    }),
    [button],
  )
  const deleteMany: BulkAction = { ...button, run: ask('delete') }
  return { request, cancel: () => setRequest(null), ask, deleteRow, deleteMany }
}
