import { useEffect, useRef, useState } from 'react'

/** Numbers are animated for 500 ms (docs/specification.md#9-business-constants-and-limits). */
const runsMs = 500

/** Animates from the previous number to the new one, unless the user prefers reduced motion. */
export function AnimatedNumber({ value, format }: { value: number; format: (value: number) => string }) {
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useEffect(() => {
    if (from.current === value) return
    const start = from.current
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const startedMs = performance.now()
    let frame = 0
    const step = (nowMs: number) => {
      const share = isStill ? 1 : Math.min(1, Math.max(0, (nowMs - startedMs) / runsMs))
      from.current = start + (value - start) * (1 - (1 - share) ** 3)
      setShown(from.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value])
  return (
    <>
      <span aria-hidden>{format(shown)}</span>
      <span className="fc-unseen">{format(value)}</span>
    </>
  )
}
