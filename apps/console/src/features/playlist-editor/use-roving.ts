import { useState, type KeyboardEvent } from 'react'

/** One stop for Tab in a list of rows; arrows, Home and End walk them. Rows carry `data-row`. */
export function useRoving() {
  const [at, setAt] = useState(0)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
    const now = rows.findIndex(row => row === event.target)
    if (now < 0) return
    const goal = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (goal === undefined) return
    event.preventDefault()
    rows[goal]?.focus()
  }
  return { onKeyDown, setAt, tabIndexOf: (index: number) => (index === at ? 0 : -1) }
}
