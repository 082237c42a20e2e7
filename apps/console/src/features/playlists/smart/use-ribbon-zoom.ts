import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { scrolledOf } from './ribbon-canvas.ts'
import { scrollTo, zooms } from './ribbon-view.ts'
import type { SmartDay } from './smart-day.ts'

interface Looked {
  day: SmartDay
  chosen: number
}

export interface RibbonZoom {
  /** How many times wider than what is seen the day is. */
  factor: number
  mayIn: boolean
  mayOut: boolean
  change: (by: number) => void
  reset: () => void
  /** Scrolls to a block, if it is out of view. */
  reveal: (block: number) => void
}

const middleOf = (day: SmartDay, block: number) =>
  (day.blockStarts[block] ?? 0) + (day.blockDurations[block] ?? 0) / 2

function scroll(box: HTMLElement, seconds: number, { windowSeconds }: SmartDay): void {
  const pixels = scrollTo(seconds, {
    width: box.clientWidth,
    zoom: box.scrollWidth / box.clientWidth,
    windowSeconds,
  })
  box.scrollTo({ left: getComputedStyle(box).direction === 'rtl' ? -pixels : pixels, behavior: 'instant' })
}

/** Zoom steps around the chosen block; Ctrl and the wheel zoom too. */
export function useRibbonZoom(
  viewport: RefObject<HTMLDivElement | null>,
  { day, chosen }: Looked,
): RibbonZoom {
  const [level, setLevel] = useState(0)
  const factor = zooms[level] ?? 1
  const looked = useRef<Looked>({ day, chosen })
  useLayoutEffect(() => {
    looked.current = { day, chosen }
  })
  // The day has its new width by now, and nobody has seen it yet.
  useLayoutEffect(() => {
    const now = looked.current
    if (viewport.current) scroll(viewport.current, middleOf(now.day, now.chosen), now.day)
  }, [viewport, factor])
  const change = (by: number) => setLevel(now => Math.max(0, Math.min(zooms.length - 1, now + by)))
  useEffect(() => {
    const box = viewport.current
    if (!box) return
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      change(event.deltaY < 0 ? 1 : -1)
    }
    box.addEventListener('wheel', turn, { passive: false })
    return () => box.removeEventListener('wheel', turn)
  }, [viewport])
  const reveal = (block: number) => {
    const box = viewport.current
    if (!box) return
    const middle = middleOf(day, block)
    const pixels = (middle / day.windowSeconds) * box.scrollWidth - scrolledOf(box)
    if (pixels < 0 || pixels > box.clientWidth) scroll(box, middle, day)
  }
  return {
    factor,
    mayIn: level < zooms.length - 1,
    mayOut: level > 0,
    change,
    reset: () => setLevel(0),
    reveal,
  }
}
