import { useEffect } from 'react'

/** Puts the cursor into the search field of the page's list, with letters that were typed for it. */
type EnterField = (typed: string) => void

/** Null while the page has no search field. */
let enterField: EnterField | null = null
/** The text typed since `/` was pressed without a field; null: it was not pressed. */
let ahead: string | null = null

/** The search field of a list: `/` enters it. A `/` that was pressed while the page was loading enters it at once. */
export function useSearchField(enter: EnterField): void {
  useEffect(() => {
    enterField = enter
    if (ahead !== null) enter(ahead)
    ahead = null
    return () => {
      enterField = null
    }
  })
}

/** A key that is pressed while one writes somewhere or a dialog is open. */
export const isElsewhere = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null

/**
 * `/` puts the cursor into the search field, unless one is writing somewhere or a dialog is open. Without a field, and while the
 * page is being left, it waits with what is typed for that of the next page, until another key or the pointer is used.
 */
export function useSearchKey(isLeaving: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (isElsewhere(event) || key === 'Shift') return
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey
      if (isLetter && ahead !== null) ahead += key
      else if (isLetter && key === '/') {
        event.preventDefault()
        if (enterField && !isLeaving) enterField('')
        else ahead = ''
      } else ahead = key === 'Backspace' && ahead !== null ? ahead.slice(0, -1) : null
    }
    const forget = () => {
      ahead = null
    }
    addEventListener('keydown', onKey)
    addEventListener('pointerdown', forget)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('pointerdown', forget)
    }
  }, [isLeaving])
}
