import { useState, type KeyboardEvent } from 'react'

/** One Tab stop in a list of rows; arrows, Home and End move the focus. Rows have the attribute `data-row`. */
export function useRovingTabIndex() {
  const [current, setCurrent] = useState(0)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
    const focused = rows.findIndex(row => row === event.target)
    if (focused < 0) return
    const target = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    rows[target]?.focus()
  }
  return { onKeyDown, setCurrent, tabIndexOf: (index: number) => (index === current ? 0 : -1) }
}
