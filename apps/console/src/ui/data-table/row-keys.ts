import type { KeyboardEvent } from 'react'
import { isListenKey, listenToRow } from '../listen-key.ts'

/** From the search field the arrow down goes to the first row. */
export function enterRows(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  event.currentTarget.closest('section')?.querySelector<HTMLElement>('tbody tr[tabindex]')?.focus()
}

/** What a key does with the row that has the focus. */
type RowKeys = Record<'Enter' | ' ' | 'F2', (index: number) => void>
const isRowKey = (key: string): key is keyof RowKeys => key === 'Enter' || key === ' ' || key === 'F2'

/** Arrows walk the rows, Home and End jump, Enter opens a row, Space chooses it, F2 renames it, P plays it. */
export const rowKeyHandler = (keys: RowKeys) => (event: KeyboardEvent<HTMLTableSectionElement>) => {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[tabindex]')]
  const at = rows.findIndex(row => row === event.target)
  if (at < 0) return
  const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (goal !== undefined) rows[goal]?.focus()
  else if (isRowKey(event.key)) keys[event.key](at)
  else if (isListenKey(event)) listenToRow(event)
  else return
  event.preventDefault()
}
