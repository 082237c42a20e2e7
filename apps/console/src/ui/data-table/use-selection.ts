import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ChosenRows, Selection } from './list-column.ts'
import { leftList, rememberList } from './list-memory.ts'

export const noRows: ChosenRows = { isAll: false, marked: new Set() }
export const allRows: ChosenRows = { isAll: true, marked: new Set() }

export function isRowChosen({ isAll, marked }: ChosenRows, uid: string): boolean {
  return marked.has(uid) !== isAll
}

/** Chooses or leaves rows; in 'all but' leaving a row marks it. */
export function chooseRows(
  { isAll, marked }: ChosenRows,
  uids: readonly string[],
  isChosen: boolean,
): ChosenRows {
  const next = new Set(marked)
  for (const uid of uids) {
    if (isChosen === isAll) next.delete(uid)
    else next.add(uid)
  }
  return { isAll, marked: next }
}

/** The input of a bulk action. @param total how many match in all */
export function describeSelection({ isAll, marked }: ChosenRows, total: number): Selection {
  return isAll
    ? { kind: 'all', except: [...marked], count: Math.max(0, total - marked.size) }
    : { kind: 'some', uids: [...marked], count: marked.size }
}

/** Makes the next selection from the present one. */
type ChangeChosen = (next: (chosen: ChosenRows) => ChosenRows) => void

/** The selection of a list. It stays over page turns and after Back; it is cleared when the list shows other items (`scope` changes). */
export interface SelectionControl {
  selection: Selection
  has(uid: string): boolean
  toggle(uids: readonly string[], isChosen: boolean): void
  /** The same function until the scope changes. */
  change: ChangeChosen
  chooseAll(): void
  clear(): void
}

export function useSelection(scope: string, total: number): SelectionControl {
  const { key } = useLocation()
  const [kept, setKept] = useState(() => leftList(key).selection ?? { scope, chosen: noRows })
  useEffect(() => rememberList(key, { selection: kept }), [key, kept])
  const chosen = kept.scope === scope ? kept.chosen : noRows
  const change = useCallback<ChangeChosen>(
    next => setKept(now => ({ scope, chosen: next(now.scope === scope ? now.chosen : noRows) })),
    [scope],
  )
  return {
    selection: describeSelection(chosen, total),
    has: uid => isRowChosen(chosen, uid),
    toggle: (uids, isChosen) => change(now => chooseRows(now, uids, isChosen)),
    change,
    chooseAll: () => change(() => allRows),
    clear: () => change(() => noRows),
  }
}

/** Chooses or leaves a row of the page. */
export type ToggleRow = (uid: string, isRange: boolean) => void

/**
 * A range of rows, from the one that was toggled last, becomes as this one does. The function stays the same when the selection
 * changes: the rows are memoized. @param uids of the page's rows; @param change undefined in a list without a selection
 */
export function useToggleRow(uids: readonly string[], change: ChangeChosen | undefined): ToggleRow {
  const last = useRef<string>(null)
  return useCallback(
    (uid, isRange) => {
      const [from, to] = [uids.indexOf(last.current ?? ''), uids.indexOf(uid)]
      last.current = uid
      const range = isRange && from >= 0 ? uids.slice(Math.min(from, to), Math.max(from, to) + 1) : [uid]
      change?.(chosen => chooseRows(chosen, range, !isRowChosen(chosen, uid)))
    },
    [uids, change],
  )
}
