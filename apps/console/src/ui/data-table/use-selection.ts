import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Selection } from './list-column.ts'
import { leftList, rememberList } from './list-memory.ts'

/** Either the marked rows are chosen, or all that match but the marked ones. */
export interface ChosenRows {
  isAll: boolean
  marked: ReadonlySet<string>
}

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

/** What a bulk action is given. @param total how many match in all */
export function describeSelection({ isAll, marked }: ChosenRows, total: number): Selection {
  return isAll
    ? { kind: 'all', except: [...marked], count: Math.max(0, total - marked.size) }
    : { kind: 'some', uids: [...marked], count: marked.size }
}

/** The selection of a list. It stays over page turns and after Back; it is cleared when the list shows other items (`scope` changes). */
export interface SelectionControl {
  selection: Selection
  has(uid: string): boolean
  toggle(uids: readonly string[], isChosen: boolean): void
  chooseAll(): void
  clear(): void
}

export function useSelection(scope: string, total: number): SelectionControl {
  const { key } = useLocation()
  const [kept, setKept] = useState(() => leftList(key).selection ?? { scope, chosen: noRows })
  useEffect(() => rememberList(key, { selection: kept }), [key, kept])
  const chosen = kept.scope === scope ? kept.chosen : noRows
  const choose = (next: ChosenRows) => setKept({ scope, chosen: next })
  return {
    selection: describeSelection(chosen, total),
    has: uid => isRowChosen(chosen, uid),
    toggle: (uids, isChosen) => choose(chooseRows(chosen, uids, isChosen)),
    chooseAll: () => choose(allRows),
    clear: () => choose(noRows),
  }
}

/** Chooses or leaves a row of the page. */
export type ToggleRow = (uid: string, isRange: boolean) => void

/** As a range, the rows from the one that was toggled last become as this one does. @param uids of the page's rows */
export function useToggleRow(uids: readonly string[], control: SelectionControl | null): ToggleRow {
  const last = useRef<string>(null)
  return (uid, isRange) => {
    if (!control) return
    const [from, to] = [uids.indexOf(last.current ?? ''), uids.indexOf(uid)]
    last.current = uid
    const range = isRange && from >= 0 ? uids.slice(Math.min(from, to), Math.max(from, to) + 1) : [uid]
    control.toggle(range, !control.has(uid))
  }
}
