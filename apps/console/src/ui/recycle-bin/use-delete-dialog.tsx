import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../platform/i18n.ts'
import type { BulkAction, RowAction, Selection } from '../data-table/list-column.ts'

/** What a list's person wants to move to the recycle bin; a dialog asks before it is done. */
export interface Doomed<Row> {
  selection: Selection
  /** The one thing that is meant. */
  only?: Row
  onDeleted: () => void
}

/** A list's actions that move to the recycle bin: of a row, and of all that is chosen. */
export function useDoomed<Row extends { uid: string }>(): {
  doomed: Doomed<Row> | null
  spare: () => void
  row: RowAction<Row>
  bulk: BulkAction
} {
  const { t } = useWords()
  const [doomed, doom] = useState<Doomed<Row> | null>(null)
  const look = { label: t('moveToBin'), icon: <IconTrash size={16} aria-hidden />, isDanger: true }
  return {
    doomed,
    spare: () => doom(null),
    row: {
      ...look,
      run: only =>
        doom({ selection: { kind: 'some', uids: [only.uid], count: 1 }, only, onDeleted: () => undefined }),
    },
    bulk: { ...look, run: (selection, clear) => doom({ selection, onDeleted: clear }) },
  }
}
