import type { KeyboardEvent } from 'react'

/** P plays the focused row, or stops it. */
export const isListenKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'p' && !altKey && !ctrlKey && !metaKey

/** Clicks the listen button of the focused row. */
export function listenToRow(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.querySelector<HTMLElement>('[data-listen]')?.click()
}
