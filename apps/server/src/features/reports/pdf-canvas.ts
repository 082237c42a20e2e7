import { type Direction, PdfText, type TextStyle } from './pdf-text.ts'

/** Side margins and the top; in points, as all sizes here. */
export const MARGIN = 40
export const BOTTOM_MARGIN = 48
export const INK = '#212529'
export const GRAY = '#5c636a'
export const LINE = '#ced4da'

/** A4. */
const SHORT_SIDE = 595.28
const LONG_SIDE = 841.89
export type Orientation = 'portrait' | 'landscape'
export const contentWidth = (orientation: Orientation) =>
  (orientation === 'portrait' ? SHORT_SIDE : LONG_SIDE) - 2 * MARGIN

/** A part of the page; `start` counts from the side where lines begin. */
export interface Box {
  start: number
  width: number
}

interface Label extends TextStyle, Box {
  /** The place of the baseline. */
  y: number
  color?: string
  /** `right` keeps the units of numbers in one column, in both directions. */
  align?: 'start' | 'end' | 'center' | 'right'
  /** Without one, the text's first letter decides it. */
  direction?: Direction
}

/** Pages that are mirrored for a language from right to left. */
export class PdfCanvas {
  readonly text: PdfText
  readonly direction: Direction
  readonly #doc: PDFKit.PDFDocument
  #orientation: Orientation = 'portrait'

  constructor(doc: PDFKit.PDFDocument, direction: Direction) {
    this.#doc = doc
    this.text = new PdfText(doc)
    this.direction = direction
  }

  get width(): number {
    return this.#orientation === 'portrait' ? SHORT_SIDE : LONG_SIDE
  }

  get height(): number {
    return this.#orientation === 'portrait' ? LONG_SIDE : SHORT_SIDE
  }

  /** What no page's table may pass. */
  get bottom(): number {
    return this.height - BOTTOM_MARGIN
  }

  get content(): Box {
    return { start: MARGIN, width: this.width - 2 * MARGIN }
  }

  addPage(orientation: Orientation): void {
    this.#orientation = orientation
    this.#doc.addPage({ size: 'A4', layout: orientation, margin: 0 })
  }

  label(text: string, { start, width, y, color = INK, align = 'start', direction, ...style }: Label): void {
    if (text === '') return
    const left = this.#left(start, width)
    const spare = width - this.text.width(text, style)
    const x = left + spare * this.#shareBefore(align)
    this.text.draw(text, { ...style, x, y, color, ...(direction && { direction }) })
  }

  fill({ start, width, y, height }: Box & { y: number; height: number }, color: string): void {
    this.#doc.rect(this.#left(start, width), y, width, height).fill(color)
  }

  line({ start, width }: Box, y: number, { color = LINE, weight = 0.5 } = {}): void {
    const left = this.#left(start, width)
    this.#doc
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(weight)
      .stroke(color)
  }

  #left(start: number, width: number): number {
    return this.direction === 'ltr' ? start : this.width - start - width
  }

  #shareBefore(align: NonNullable<Label['align']>): number {
    if (align === 'center') return 0.5
    if (align === 'right') return 1
    return (align === 'start') === (this.direction === 'ltr') ? 0 : 1
  }
}
