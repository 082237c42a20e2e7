import { useState } from 'react'
import type { Selection } from './list-column.ts'

/** What is chosen, kept over page turns; forgotten when the list shows other things (`scope` changes). */
export interface SelectionControl {
  selection: Selection
  has(uid: string): boolean
  toggle(uids: readonly string[], isChosen: boolean): void
  chooseAll(): void
  clear(): void
}

const none: ReadonlySet<string> = new Set()

export function useSelection(scope: string, total: number): SelectionControl {
  const [kept, keep] = useState({ scope, isAll: false, marked: none })
  const { isAll, marked } = kept.scope === scope ? kept : { isAll: false, marked: none }
  const toggle = (uids: readonly string[], isChosen: boolean) => {
    const next = new Set(marked)
    for (const uid of uids) {
      if (isChosen === isAll) next.delete(uid)
      else next.add(uid)
    }
    keep({ scope, isAll, marked: next })
  }
  const selection: Selection = isAll
    ? { kind: 'all', except: [...marked], count: Math.max(0, total - marked.size) }
    : { kind: 'some', uids: [...marked], count: marked.size }
  return {
    selection,
    has: uid => marked.has(uid) !== isAll,
    toggle,
    chooseAll: () => keep({ scope, isAll: true, marked: none }),
    clear: () => keep({ scope, isAll: false, marked: none }),
  }
}
