import { useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { throttle, viewAt, type RibbonView } from './ribbon-view.ts'

/** The resize throttle of docs/specification.md#9-business-constants-and-limits. */
const resizeEveryMs = 40

/** The visible part of a ribbon, in CSS pixels. */
export interface RibbonFrame {
  view: RibbonView
  width: number
  height: number
  /** Its CSS variables have the colors. */
  element: HTMLElement
}

interface RibbonContent {
  windowSeconds: number
  zoom: number
  isMirrored: boolean
  draw: (context: CanvasRenderingContext2D, frame: RibbonFrame) => void
}

/** Pixels from the start of the day; in right-to-left pages `scrollLeft` is negative. */
export const scrolledOf = (viewport: HTMLElement) => Math.abs(viewport.scrollLeft)

/**
 * The canvas of a ribbon: as wide as the visible part of the day, inside a scroller as wide as the zoomed day. The browser
 * scrolls, and only the visible part is drawn; as SVG, a day of a thousand blocks would be a thousand elements to lay out.
 */
class RibbonCanvas {
  readonly #viewport: HTMLElement
  readonly #canvas: HTMLCanvasElement
  #drawn: RibbonContent | undefined
  #view: RibbonView = { from: 0, to: 1 }

  constructor(viewport: HTMLElement, canvas: HTMLCanvasElement) {
    this.#viewport = viewport
    this.#canvas = canvas
  }

  show(drawn: RibbonContent): void {
    this.#drawn = drawn
    this.draw()
  }

  draw(): void {
    const context = this.#canvas.getContext('2d')
    if (!context || !this.#drawn) return
    const { windowSeconds, zoom, draw } = this.#drawn
    const [width, height] = [this.#viewport.clientWidth, this.#canvas.clientHeight]
    this.#view = viewAt(scrolledOf(this.#viewport), { width, zoom, windowSeconds })
    this.#fit(width, height)
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    draw(context, { view: this.#view, width, height, element: this.#viewport })
  }

  /** The time under a pointer, in seconds from the window's start. */
  secondsAt(clientX: number): number {
    const { left, width } = this.#canvas.getBoundingClientRect()
    const share = (clientX - left) / width
    const { from, to } = this.#view
    return from + (this.#drawn?.isMirrored ? 1 - share : share) * (to - from)
  }

  /** Redraws on scroll, and at most every 40 ms on resize. Returns a function that stops it. */
  watch(): () => void {
    let frame = 0
    const scrolled = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => this.draw())
    }
    const resized = throttle(resizeEveryMs, () => this.draw())
    const sizes = new ResizeObserver(resized.call)
    sizes.observe(this.#viewport)
    this.#viewport.addEventListener('scroll', scrolled, { passive: true })
    // It may have been drawn without letters that come now.
    document.fonts.addEventListener('loadingdone', scrolled)
    return () => {
      document.fonts.removeEventListener('loadingdone', scrolled)
      cancelAnimationFrame(frame)
      resized.stop()
      sizes.disconnect()
      this.#viewport.removeEventListener('scroll', scrolled)
    }
  }

  #fit(width: number, height: number): void {
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)]
    if (this.#canvas.width === wide && this.#canvas.height === high) return
    this.#canvas.width = wide
    this.#canvas.height = high
    this.#canvas.style.inlineSize = `${width}px`
  }
}

interface Elements {
  viewport: RefObject<HTMLDivElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
}

/** Keeps the canvas of a ribbon up to date. Returns a function that gives the time under a pointer. */
export function useRibbonCanvas(
  { viewport, canvas }: Elements,
  drawn: RibbonContent,
): (clientX: number) => number {
  const ribbon = useRef<RibbonCanvas>(null)
  const colorScheme = useComputedColorScheme()
  const { primaryColor } = useMantineTheme()
  useLayoutEffect(() => {
    if (viewport.current && canvas.current)
      ribbon.current ??= new RibbonCanvas(viewport.current, canvas.current)
    ribbon.current?.show(drawn)
  })
  useEffect(() => ribbon.current?.watch(), [])
  // The colors are known only after the styles of the mode are applied.
  useEffect(() => {
    const frame = requestAnimationFrame(() => ribbon.current?.draw())
    return () => cancelAnimationFrame(frame)
  }, [colorScheme, primaryColor])
  return clientX => ribbon.current?.secondsAt(clientX) ?? 0
}
