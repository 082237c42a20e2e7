import { IconPencil } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { Renaming, RenameItem } from '../../platform/renaming.ts'
import type { RowAction } from './list-column.ts'

const noActions: never[] = []

/**
 * Which row of a list is renamed in its place, and the entries of the rows' menus: the one that begins it, and `others`. They stay the
 * same until these change: the rows are memoized.
 */
export function useRowRename<Row extends { uid: string }>(
  rename: RenameItem<Row> = null,
  others: readonly RowAction<Row>[] = noActions,
) {
  const { t } = useTranslate()
  const [uid, setUid] = useState<string | null>(null)
  const start = useCallback(
    (row: Row) => {
      if (rename?.(row)) setUid(row.uid)
    },
    [rename],
  )
  const actions = useMemo((): readonly RowAction<Row>[] => {
    if (!rename) return others
    const entry: RowAction<Row> = {
      label: t('shell:rename.button'),
      icon: <IconPencil size={16} aria-hidden />,
      // The menu closes first: it would take the focus back from the field.
      run: row => void setTimeout(() => start(row)),
      isHidden: row => rename(row) === null,
    }
    return [entry, ...others]
  }, [rename, others, start, t])
  const end = useCallback(() => setUid(null), [])
  return {
    actions,
    start,
    end,
    of: (row: Row): Renaming | null => (row.uid === uid ? (rename?.(row) ?? null) : null),
  }
}
