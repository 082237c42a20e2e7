import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { scrolledOf } from '../../ui/ribbon/ribbon-canvas.ts'
import { scrollTo, createWheelCounter, zoomFactors, type RibbonPlace } from '../../ui/ribbon/ribbon-view.ts'

interface ZoomTarget {
  day: SmartDay
  chosen: number
}

export interface RibbonZoom {
  /** Width of the day as a multiple of the visible width. */
  factor: number
  mayIn: boolean
  mayOut: boolean
  change: (by: number) => void
  reset: () => void
  /** Scrolls to a block that is out of view. */
  reveal: (block: number) => void
}

const middleOf = (day: SmartDay, block: number) =>
  (day.blockStarts[block] ?? 0) + (day.blockDurations[block] ?? 0) / 2

const isMirrored = (box: HTMLElement) => getComputedStyle(box).direction === 'rtl'

function scroll(box: HTMLElement, place: RibbonPlace, { windowSeconds }: SmartDay): void {
  const pixels = scrollTo(place, {
    width: box.clientWidth,
    zoom: box.scrollWidth / box.clientWidth,
    windowSeconds,
  })
  box.scrollTo({ left: isMirrored(box) ? -pixels : pixels, behavior: 'instant' })
}

/** The time under a pointer, and its place in the view. */
function placeAt(box: HTMLElement, clientX: number, { windowSeconds }: SmartDay): RibbonPlace {
  const { left, right } = box.getBoundingClientRect()
  const pixels = isMirrored(box) ? right - clientX : clientX - left
  return {
    seconds: ((scrolledOf(box) + pixels) / box.scrollWidth) * windowSeconds,
    share: pixels / box.clientWidth,
  }
}

/** Zooms around the chosen block; with Ctrl and the wheel, or a pinch, around the pointer. */
export function useRibbonZoom(
  viewport: RefObject<HTMLDivElement | null>,
  { day, chosen }: ZoomTarget,
): RibbonZoom {
  const [level, setLevel] = useState(0)
  const factor = zoomFactors[level] ?? 1
  const latest = useRef<ZoomTarget>({ day, chosen })
  const pointed = useRef<RibbonPlace>(null)
  useLayoutEffect(() => {
    latest.current = { day, chosen }
  })
  // After layout with the new width, before paint.
  useLayoutEffect(() => {
    const now = latest.current
    const place = pointed.current ?? { seconds: middleOf(now.day, now.chosen), share: 0.5 }
    pointed.current = null
    if (viewport.current) scroll(viewport.current, place, now.day)
  }, [viewport, factor])
  const change = (by: number) => setLevel(now => Math.max(0, Math.min(zoomFactors.length - 1, now + by)))
  useEffect(() => {
    const box = viewport.current
    if (!box) return
    const count = createWheelCounter()
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const by = count(event)
      if (by === 0) return
      pointed.current = placeAt(box, event.clientX, latest.current.day)
      change(by)
    }
    box.addEventListener('wheel', turn, { passive: false })
    return () => box.removeEventListener('wheel', turn)
  }, [viewport])
  const reveal = (block: number) => {
    const box = viewport.current
    if (!box) return
    const middle = middleOf(day, block)
    const pixels = (middle / day.windowSeconds) * box.scrollWidth - scrolledOf(box)
    if (pixels < 0 || pixels > box.clientWidth) scroll(box, { seconds: middle, share: 0.5 }, day)
  }
  return {
    factor,
    mayIn: level < zoomFactors.length - 1,
    mayOut: level > 0,
    change,
    reset: () => setLevel(0),
    reveal,
  }
}
