/** What part of the day the ribbon shows, in seconds from the window's start. */
export interface RibbonView {
  from: number
  to: number
}

/** So many times the whole day; the last shows about a quarter of an hour of 24. */
export const zooms = [1, 2, 4, 8, 16, 32, 64, 96] as const

/** Steps of the ruler, in seconds; the finest that leaves its figures room is taken. */
const rulerSteps = [10, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600] as const

/** The ruler's moments (seconds from the window's start) at whole wall times. @param room pixels between two of them, at least */
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

/** The view at a scroll position. @param scrolled pixels from the day's beginning */
export function viewAt(
  scrolled: number,
  { width, zoom, windowSeconds }: { width: number; zoom: number; windowSeconds: number },
): RibbonView {
  const seconds = windowSeconds / zoom
  const from = Math.max(0, Math.min(windowSeconds - seconds, (scrolled / (width * zoom)) * windowSeconds))
  return { from, to: from + seconds }
}

/** Where to scroll (pixels) so that a moment stands at a share of the width, or as near as the day's ends allow. */
export function scrollTo(
  { seconds, share }: RibbonPlace,
  { width, zoom, windowSeconds }: { width: number; zoom: number; windowSeconds: number },
): number {
  const whole = width * zoom
  return Math.max(0, Math.min(whole - width, (seconds / windowSeconds) * whole - width * share))
}

/** A moment of the day and where it is seen: 0 at the beginning of what is seen, 1 at its end. */
export interface RibbonPlace {
  seconds: number
  share: number
}

/** Pixels that a wheel turns for one step of zoom: a notch is 100 to 120, a pinch of two fingers many small ones. */
const wheelStep = 60
/** Firefox counts in lines, three a notch. */
const linePixels = 34

/** Counts what a wheel turns. Answers 1 to zoom in, -1 to zoom out, 0 while it is too little. */
export function wheelZoom(): (turn: { deltaY: number; deltaMode: number }) => -1 | 0 | 1 {
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

/** Calls at most once in `everyMs`, the last call always. */
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
