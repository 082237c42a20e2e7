import type { UseQueryOptions } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { SavedView } from '@floorcast/contract/saved-views.ts'
import { readStoredJson, writeStored } from '../../platform/storage.ts'
import { useIsNarrow } from './narrow.ts'

/** A column of a list. Its words come from the feature, translated. */
export interface ListColumn<Row> {
  /** Also the name that the server sorts by. */
  id: string
  /** Empty for a column of buttons. */
  header: string
  /** Where there is no value, the list shows a dash. */
  cell: (row: Row) => ReactNode
  /** Only for the first column: shown before the link of the row, and not part of it. */
  lead?: (row: Row) => ReactNode
  isSortable?: boolean
  /** Not shown until the person chooses it. */
  isHiddenAtFirst?: boolean
  /** In a narrow window not shown until the person chooses it. */
  isMinor?: boolean
  /** Numbers stand at the end of the line, in tabular figures. */
  isNumber?: boolean
  /** Values such as 'Full' that say nothing without the heading: on a card they have it before them. */
  isLabeled?: boolean
  /** Sentences, on as many lines as they need; everything else keeps to one. */
  isProse?: boolean
}

/** A cell without a value. */
export const isBlank = (value: ReactNode) =>
  value === null || value === undefined || value === false || value === ''

/** Values that the server finds for a filter. */
export interface FoundValues {
  values: readonly { value: string; name: string; count: number | null }[]
  /** There are more; a search finds them. */
  more: boolean
  /** The names of chosen values that exist. */
  chosen: readonly { uid: string; name: string }[]
}

/** A filter of a list, shown as a chip. `name` is the server's query parameter. */
export interface ListFilter {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
  /** Several values may be chosen; the address holds them with commas. */
  isMulti?: boolean
  /** A rarer filter: it has a chip only while it filters, or once it is chosen from the menu of further filters. */
  isRare?: boolean
  /** Rare in a narrow window. */
  isMinor?: boolean
  /** Further values, several of which may be chosen. */
  found?: {
    query: (search: string, chosen: readonly string[]) => UseQueryOptions<FoundValues, Error, FoundValues>
    /** The name of a value that needs no question; otherwise the query's `chosen` has it. */
    nameOf?: (value: string) => string
  }
}

/** An entry of a row's menu. */
export interface RowAction<Row> {
  label: string
  icon: ReactNode
  run: (row: Row) => void
  isDanger?: boolean
  isHidden?: (row: Row) => boolean
}

/** Either the marked rows are chosen, or all that match but the marked ones. */
export interface ChosenRows {
  isAll: boolean
  marked: ReadonlySet<string>
}

/** The selection in a list: single rows, or all that match its search and filters but some. */
export type Selection =
  | { kind: 'some'; uids: readonly string[]; count: number }
  | { kind: 'all'; except: readonly string[]; count: number }

export interface BulkAction {
  label: string
  icon: ReactNode
  isDanger?: boolean
  /** A rarer action, in the menu behind the buttons. */
  isInMenu?: boolean
  run: (selection: Selection, clear: () => void) => void
}

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
