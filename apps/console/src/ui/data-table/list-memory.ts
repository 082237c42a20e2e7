import { useEffect, useRef, type FocusEvent } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { sessionStore } from '../../platform/session.ts'
import type { ChosenRows } from './list-column.ts'

/** The state of a list when its page was left. */
interface LeftList {
  selection?: { scope: string; chosen: ChosenRows }
  /** The row that had the focus. */
  rowUid?: string
}

const maxLists = 30
/** The states by the key of the list's entry in the browser's history, so that Back finds them. The last one is the newest. */
const lists = new Map<string, LeftList>()
sessionStore.subscribe(() => {
  if (sessionStore.get().user === null) lists.clear()
})

export const leftList = (key: string): LeftList => lists.get(key) ?? {}

export function rememberList(key: string, change: LeftList): void {
  const next = { ...lists.get(key), ...change }
  lists.delete(key)
  lists.set(key, next)
  const [oldest] = lists.keys()
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
}

const rowsOf = (body: HTMLElement) => [...body.querySelectorAll<HTMLElement>(':scope > tr[tabindex]')]

/** Remembers the row that has the focus, and after Back gives it the focus once. @param uids of the rows */
export function useRowFocus(uids: readonly string[]) {
  const { key } = useLocation()
  const body = useRef<HTMLTableSectionElement>(null)
  const isBack = useNavigationType() === 'POP'
  const mustFocus = useRef(isBack)
  useEffect(() => {
    if (!mustFocus.current || uids.length === 0 || !body.current) return
    mustFocus.current = false
    const at = uids.indexOf(leftList(key).rowUid ?? '')
    if (document.activeElement === document.body) rowsOf(body.current)[at]?.focus()
  }, [key, uids])
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const at = rowsOf(event.currentTarget).findIndex(row => row.contains(event.target))
    const rowUid = uids[at]
    if (rowUid !== undefined) rememberList(key, { rowUid })
  }
  return { ref: body, onFocus }
}
