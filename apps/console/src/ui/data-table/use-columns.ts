import type { SavedView } from '@floorcast/contract/saved-views.ts'
import { useMemo, useState } from 'react'
import { readStoredJson, writeStored } from '../../platform/storage.ts'
import type { ListColumn } from './list-column.ts'
import { useIsNarrow } from './narrow.ts'

type Chosen = Record<string, boolean>
const nothingChosen: Chosen = {}

/**
 * Which columns of a list are shown: those of the open saved view, with what has been changed since it was opened; without one,
 * those that are remembered in this browser by the list's name.
 */
export function useColumns<Row>(
  list: string,
  columns: readonly ListColumn<Row>[],
  view: SavedView | null,
): { visibility: Chosen; shown: readonly ListColumn<Row>[]; toggle: (id: string) => void } {
  const key = `floorcast.columns.${list}`
  const [kept, setKept] = useState(() => readChosen(key))
  const [changed, setChanged] = useState<{ of: string; chosen: Chosen }>({ of: '', chosen: {} })
  const saved = view && view.columns.length > 0 ? view : null
  const of = saved ? `${saved.uid} ${saved.version}` : ''
  const chosen = saved ? (changed.of === of ? changed.chosen : nothingChosen) : kept
  const isNarrow = useIsNarrow()
  const visibility = useMemo(() => {
    const isUsual = ({ id, isHiddenAtFirst = false, isMinor = false }: ListColumn<Row>, place: number) =>
      saved ? place === 0 || saved.columns.includes(id) : !isHiddenAtFirst && !(isMinor && isNarrow)
    return Object.fromEntries(
      columns.map((column, place) => [column.id, chosen[column.id] ?? isUsual(column, place)]),
    )
  }, [columns, chosen, saved, isNarrow])
  const shown = useMemo(() => columns.filter(({ id }) => visibility[id]), [columns, visibility])
  const toggle = (id: string) => {
    const next = { ...chosen, [id]: !visibility[id] }
    if (saved) return setChanged({ of, chosen: next })
    setKept(next)
    writeStored(key, JSON.stringify(next))
  }
  return { visibility, shown, toggle }
}

function readChosen(key: string): Chosen {
  const stored = readStoredJson(key)
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => typeof value === 'boolean'))
}
