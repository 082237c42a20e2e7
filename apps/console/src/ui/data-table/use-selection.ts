import { useState } from 'react'
import {
  allRows,
  chooseRows,
  describeSelection,
  isRowChosen,
  noRows,
  type ChosenRows,
} from './chosen-rows.ts'
import type { Selection } from './list-column.ts'

/** What is chosen, kept over page turns; forgotten when the list shows other things (`scope` changes). */
export interface SelectionControl {
  selection: Selection
  has(uid: string): boolean
  toggle(uids: readonly string[], isChosen: boolean): void
  chooseAll(): void
  clear(): void
}

export function useSelection(scope: string, total: number): SelectionControl {
  const [kept, keep] = useState({ scope, chosen: noRows })
  const chosen = kept.scope === scope ? kept.chosen : noRows
  const choose = (next: ChosenRows) => keep({ scope, chosen: next })
  return {
    selection: describeSelection(chosen, total),
    has: uid => isRowChosen(chosen, uid),
    toggle: (uids, isChosen) => choose(chooseRows(chosen, uids, isChosen)),
    chooseAll: () => choose(allRows),
    clear: () => choose(noRows),
  }
}
