import { useDeferredValue, useEffect } from 'react'

const firstPath = location.pathname
let isOver = false

/**
 * False in the first drawing of the page that a window begins with, and true right after it: what the page is opened for is seen
 * sooner when the rest follows it. Pages that are opened later are drawn whole, so that going back finds their scroll position.
 */
export function useAfterFirstPaint(): boolean {
  useEffect(() => {
    isOver = true
  }, [])
  return useDeferredValue(true, isOver || location.pathname !== firstPath)
}
