import { useEffect, useState } from 'react'

/**
 * The present in ms since the epoch, as of the last tick.
 * @param everyMs the interval of the ticks; null: one tick
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
