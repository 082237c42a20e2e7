import bidiFactory from 'bidi-js'
import {
  type Face,
  faces,
  fileOf,
  isArabic,
  makeFont,
  outlineOf,
  type PdfFont,
  scaleOf,
  type Weight,
} from './pdf-fonts.ts'

/** Its types are those of another kind of module. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Also Greek and Cyrillic: most texts, in one run. */
const LATIN = /^[\u0020-\u04ff]+$/
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
/** They order text in other programs; here they would be boxes. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Spaces, joiners and marks stay with the letters before them. */
const FOLLOWS = /^[\p{Zs}\p{M}\u200c\u200d]$/u

export type Direction = 'ltr' | 'rtl'

/** A part of a line in one font and direction. */
interface Run {
  text: string
  face: Face
  /** Odd from right to left; see Unicode's annex 9. */
  level: number
}

export interface TextStyle {
  size: number
  weight?: Weight
}

interface DrawnText extends TextStyle {
  /** The baseline's left end. */
  x: number
  y: number
  color: string
  direction?: Direction
}

/** One line without control characters. */
export const cleanText = (text: string) => text.replaceAll(CONTROLS, ' ').replaceAll(DIRECTION_MARKS, '')

/** Measures, breaks and draws lines whose letters may be of several scripts. */
export class PdfText {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts = new Map<string, PdfFont>()
  readonly #faces = new Map<number, Face>()

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
  }

  /** In points. */
  width(text: string, { size, weight = 'regular' }: TextStyle): number {
    let width = 0
    for (const { text: part, face } of this.#runs(text)) width += this.#font(face, weight).widthOf(part)
    return width * size
  }

  /** Draws one line. @param drawn without a direction, the first letter decides it */
  draw(text: string, { x, y, size, color, weight = 'regular', direction }: DrawnText): void {
    let left = x
    this.#doc.fillColor(color)
    for (const run of visualOrder(this.#runs(text, direction ?? 'auto'))) {
      const font = this.#font(run.face, weight)
      const textWidth = font.widthOf(run.text) * size
      this.#doc.font(fileOf(run.face, weight)).fontSize(size * scaleOf(run.face))
      const outline = outlineOf(run.face, weight)
      if (outline > 0)
        this.#doc
          .lineWidth(size * outline)
          .lineJoin('round')
          .strokeColor(color)
      // With a list of features, pdfkit does not cut the text into words, which it would set from left to right.
      const options: PDFKit.Mixins.TextOptions & { textWidth: number } = {
        lineBreak: false,
        baseline: 'alphabetic',
        textWidth,
        features: [],
        fill: true,
        stroke: outline > 0,
      }
      this.#doc.text(drawnForm(run), left, y, options)
      left += textWidth
    }
  }

  /** The lines of a text that is `width` points wide; the last one ends with an ellipsis if there would be more. */
  lines(text: string, style: TextStyle, { width, max }: { width: number; max: number }): string[] {
    if (this.width(text, style) <= width) return [text]
    const lines: string[] = []
    let rest = text
    while (rest !== '' && lines.length < max - 1) {
      const line = this.#firstLine(rest, style, width)
      lines.push(line.trimEnd())
      rest = rest.slice(line.length).trimStart()
    }
    if (rest !== '') lines.push(this.cut(rest, style, width))
    return lines
  }

  /** One line, with an ellipsis where it is too long. */
  cut(text: string, style: TextStyle, width: number): string {
    if (this.width(text, style) <= width) return text
    return `${this.#fitting(text, style, width - this.width('…', style)).trimEnd()}…`
  }

  #firstLine(text: string, style: TextStyle, width: number): string {
    let line = ''
    let before = 0
    for (const part of breakable(text)) {
      if (before + this.width(part.trimEnd(), style) > width) break
      line += part
      before += this.width(part, style)
    }
    return line === '' ? this.#fitting(text, style, width) : line
  }

  /** As many letters as fit, at least one. */
  #fitting(text: string, style: TextStyle, width: number): string {
    const letters = Array.from(graphemes.segment(text.slice(0, 500)), ({ segment }) => segment)
    let low = 1
    let high = letters.length
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.width(letters.slice(0, middle).join(''), style) <= width) low = middle
      else high = middle - 1
    }
    return letters.slice(0, low).join('')
  }

  #runs(text: string, direction: Direction | 'auto' = 'auto'): Run[] {
    if (direction !== 'rtl' && LATIN.test(text)) return [{ text, face: 'latin', level: 0 }]
    const levels =
      direction === 'rtl' || RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, direction).levels : null
    const runs: Run[] = []
    let at = 0
    for (const sign of text) {
      const level = levels?.[at] ?? 0
      const last = runs.at(-1)
      const face = last && FOLLOWS.test(sign) ? last.face : this.#faceOf(sign)
      if (last?.face === face && last.level === level) last.text += sign
      else runs.push({ text: sign, face, level })
      at += sign.length
    }
    return runs
  }

  /** The first face that has the sign. */
  #faceOf(sign: string): Face {
    const codePoint = sign.codePointAt(0) ?? 0
    if (codePoint < 0x500) return 'latin'
    let face = this.#faces.get(codePoint)
    if (!face) {
      face = faces.find(name => this.#font(name, 'regular').has(codePoint)) ?? 'latin'
      this.#faces.set(codePoint, face)
    }
    return face
  }

  #font(face: Face, weight: Weight): PdfFont {
    const name = fileOf(face, weight)
    let font = this.#fonts.get(name)
    if (!font) {
      font = makeFont(face, weight)
      this.#fonts.set(name, font)
      this.#doc.registerFont(name, font.source as unknown as Buffer)
    }
    return font
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Parts between which a line may break: after spaces, hyphens and slashes, and beside each Chinese character. */
const breakable = (text: string) =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\p{P}]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}/-]*[\s/-]*/gu,
  ) ?? []

/** Runs from left to right: rule L2 of Unicode's annex 9. */
function visualOrder(runs: Run[]): Run[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  let ordered = runs
  for (let level = highest; level > 0; level -= 1) {
    const next: Run[] = []
    let reversed: Run[] = []
    for (const run of ordered) {
      if (run.level >= level) reversed.unshift(run)
      else {
        next.push(...reversed, run)
        reversed = []
      }
    }
    ordered = [...next, ...reversed]
  }
  return ordered
}

/** What pdfkit is given to draw a run. fontkit turns Arabic letters around, and nothing else. */
function drawnForm({ text, face, level }: Run): string {
  const isRightToLeft = level % 2 === 1
  if (isRightToLeft === (face === 'arabic' && isArabic(text))) return text
  const signs = [...text].reverse()
  return (isRightToLeft ? signs.map(sign => bidi.getMirroredCharacter(sign) ?? sign) : signs).join('')
}
