import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { Renaming, RenameItem } from '../../platform/renaming.ts'
import type { RowAction } from './list-column.ts'

/** Which row of a list is renamed in its place, and the entry of the rows' menus that begins it. */
export function useRowRename<Row extends { uid: string }>(rename: RenameItem<Row> = null) {
  const { t } = useTranslate()
  const [uid, setUid] = useState<string | null>(null)
  const start = (row: Row) => {
    if (rename?.(row)) setUid(row.uid)
  }
  const entry: RowAction<Row> = {
    label: t('shell:rename.button'),
    icon: <IconPencil size={16} aria-hidden />,
    // The menu closes first: it would take the focus back from the field.
    run: row => void setTimeout(() => start(row)),
    isHidden: row => rename?.(row) == null,
  }
  return {
    actions: rename ? [entry] : [],
    start,
    end: () => setUid(null),
    of: (row: Row): Renaming | null => (row.uid === uid ? (rename?.(row) ?? null) : null),
  }
}
