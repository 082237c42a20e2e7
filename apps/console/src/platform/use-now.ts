import { useEffect, useState } from 'react'

/**
 * The present in ms since the epoch, as of the last tick.
 * @param everyMs how often to look at the clock; null: only once
 */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
