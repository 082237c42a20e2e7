import type { KeyboardEvent } from 'react'
import { isListenKey, listenToRow } from '../listen-key.ts'

/** The arrow down leads from the search field to the first row. */
export function enterRows(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  event.currentTarget.closest('section')?.querySelector<HTMLElement>('tbody tr[tabindex]')?.focus()
}

/** The actions of keys on the row that has the focus, with or without Shift. */
type RowKeys = Record<'Enter' | ' ' | 'F2', (index: number, isShifted: boolean) => void>
const isRowKey = (key: string): key is keyof RowKeys => key === 'Enter' || key === ' ' || key === 'F2'

/**
 * Arrows walk the rows, Home and End jump, Enter opens a row, Space chooses it, with Shift all rows from the last one on, F2
 * renames it, P plays it.
 */
export const rowKeyHandler = (keys: RowKeys) => (event: KeyboardEvent<HTMLTableSectionElement>) => {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[tabindex]')]
  const at = rows.findIndex(row => row === event.target)
  if (at < 0) return
  const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (goal !== undefined) rows[goal]?.focus()
  else if (isRowKey(event.key)) keys[event.key](at, event.shiftKey)
  else if (isListenKey(event)) listenToRow(event)
  else return
  event.preventDefault()
}
