import { useEffect, useState } from 'react'

/**
 * The present in ms since the epoch, as of the last tick.
 * @param everyMs the interval of the ticks; null: one tick
 */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return
    const tick = () => setNow(Date.now())
    // The last value may be old: there was no tick until now.
    const first = setTimeout(tick)
    const timer = setInterval(tick, everyMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [everyMs])
  return now
}
