/** The visible part of the day, in seconds from the window's start. */
export interface RibbonView {
  from: number
  to: number
}

/** Multiples of the visible width; the last shows about 15 minutes of 24 hours. */
export const zoomFactors = [1, 2, 4, 8, 16, 32, 64, 96] as const

/** Steps of the ruler in seconds; the finest with room for its labels is used. */
const rulerSteps = [10, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600] as const

/** Marks of the ruler at round times of day, in seconds from the window's start. @param room least distance of two marks, in pixels */
export function rulerMarks(
  view: RibbonView,
  { startsAtSeconds, width, room }: { startsAtSeconds: number; width: number; room: number },
): number[] {
  const perSecond = width / (view.to - view.from)
  const step = rulerSteps.find(seconds => seconds * perSecond >= room) ?? 21_600
  const first = Math.ceil((startsAtSeconds + view.from) / step) * step - startsAtSeconds
  const marks: number[] = []
  for (let mark = first; mark <= view.to; mark += step) marks.push(mark)
  return marks
}

/** The view at a scroll position. @param scrolled pixels from the start of the day */
export function viewAt(
  scrolled: number,
  { width, zoom, windowSeconds }: { width: number; zoom: number; windowSeconds: number },
): RibbonView {
  const seconds = windowSeconds / zoom
  const from = Math.max(0, Math.min(windowSeconds - seconds, (scrolled / (width * zoom)) * windowSeconds))
  return { from, to: from + seconds }
}

/** The scroll position in pixels that shows a time at a share of the width, within the ends of the day. */
export function scrollTo(
  { seconds, share }: RibbonPlace,
  { width, zoom, windowSeconds }: { width: number; zoom: number; windowSeconds: number },
): number {
  const whole = width * zoom
  return Math.max(0, Math.min(whole - width, (seconds / windowSeconds) * whole - width * share))
}

/** A time of the day and its place in the view: 0 at its start, 1 at its end. */
export interface RibbonPlace {
  seconds: number
  share: number
}

/** Pixels of wheel movement for one zoom step: a notch is 100 to 120, a pinch many small ones. */
const wheelStep = 60
/** Firefox reports lines, three a notch. */
const linePixels = 34

/** Adds up wheel movement. The result is 1 to zoom in, -1 to zoom out, 0 below one step. */
export function createWheelCounter(): (turn: { deltaY: number; deltaMode: number }) => -1 | 0 | 1 {
  let turned = 0
  return ({ deltaY, deltaMode }) => {
    const pixels = deltaMode === 0 ? deltaY : deltaY * linePixels
    turned = turned * pixels < 0 ? pixels : turned + pixels
    if (Math.abs(turned) < wheelStep) return 0
    const by = turned < 0 ? 1 : -1
    turned = 0
    return by
  }
}

/** Runs at most once in `everyMs`, and always after the last call. */
export function throttle(everyMs: number, run: () => void): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const tick = () => {
    timer = undefined
    if (!isWanted) return
    isWanted = false
    run()
    timer = setTimeout(tick, everyMs)
  }
  return {
    call: () => {
      isWanted = true
      if (timer === undefined) tick()
    },
    stop: () => clearTimeout(timer),
  }
}
