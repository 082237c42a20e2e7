import { useState } from 'react'

/**
 * The value that a dialog shows. While it is frozen, that is the value of the moment when it froze: from the click on, a plan that is
 * read again would be one for the state that the change makes.
 */
export function useFrozen<T>(value: T, isFrozen: boolean): T {
  const [kept, setKept] = useState({ isFrozen, value })
  if (kept.isFrozen !== isFrozen) setKept({ isFrozen, value })
  return isFrozen && kept.isFrozen ? kept.value : value
}
