import { fileURLToPath } from 'node:url'
import { type Font, type Glyph, type GlyphPosition, openSync } from 'fontkit'
import { LRUCache } from 'lru-cache'

/** A family of fonts for the scripts that it draws. */
export type Face = 'latin' | 'arabic' | 'chinese'
export type Weight = 'regular' | 'bold'

interface FaceFiles extends Record<Weight, string> {
  /** The URL of the package's module, beside whose folder the files lie. */
  module: string
  /** Beside Latin letters of the same size, Arabic ones look smaller. */
  scale: number
  /** Where both weights have one file: how wide the outlines of bold letters are drawn, as a share of their size. */
  boldOutline?: number
}

const FACES: Readonly<Record<Face, FaceFiles>> = {
  latin: {
    module: import.meta.resolve('@embedpdf/fonts-latin'),
    regular: 'NotoSans-Regular.ttf',
    bold: 'NotoSans-SemiBold.ttf',
    scale: 1,
  },
  arabic: {
    module: import.meta.resolve('@embedpdf/fonts-arabic'),
    regular: 'NotoNaskhArabic-Regular.ttf',
    bold: 'NotoNaskhArabic-Bold.ttf',
    scale: 1.15,
  },
  chinese: {
    module: import.meta.resolve('@embedpdf/fonts-sc'),
    // The bold file is 8 MB more on the disk, and its letters would be kept beside these.
    regular: 'NotoSansHans-Regular.otf',
    bold: 'NotoSansHans-Regular.otf',
    scale: 1,
    boldOutline: 0.025,
  },
}
export const faces = Object.keys(FACES) as Face[]
export const scaleOf = (face: Face) => FACES[face].scale
export const fileOf = (face: Face, weight: Weight) => FACES[face][weight]
/** 0 where the letters of the file are as bold as they are to be. */
export const outlineOf = (face: Face, weight: Weight) =>
  weight === 'bold' ? (FACES[face].boldOutline ?? 0) : 0

/** Words of a file whose shapes are kept; others are shaped again. */
const MAX_SHAPED_WORDS = 1000
/** Letters that change with their neighbors, and marks that are placed on others. */
const NEEDS_SHAPING = /[\p{M}\p{Script=Arabic}\p{Script=Devanagari}]/u
export const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text)

interface Shape {
  glyphs: Glyph[]
  positions: GlyphPosition[]
  advanceWidth: number
}

/**
 * A font that is quick to lay out: fontkit takes 0.15 to 1 ms for each word, which would be 40 s for a report of 5,000 rows. Only
 * scripts whose letters depend on each other go through it; others are letters beside letters, without kerning.
 */
class QuickLayout {
  readonly #font: Font
  readonly #glyphs = new Map<string, Glyph>()
  readonly #words = new LRUCache<string, Shape>({
    max: MAX_SHAPED_WORDS,
    memoMethod: word => this.#shape(word),
  })

  constructor(font: Font) {
    this.#font = font
  }

  /** In the font's units. */
  widthOf(text: string): number {
    let width = 0
    if (NEEDS_SHAPING.test(text)) {
      // A word is in many texts, and in each part of one that is measured to break it.
      for (const word of text.match(/ +|[^ ]+/g) ?? []) width += this.#words.memo(word).advanceWidth
      return width
    }
    for (const sign of text) width += this.#glyph(sign).advanceWidth
    return width
  }

  /** What pdfkit asks of a font. It changes the positions. */
  layout(text: string): Shape {
    if (!NEEDS_SHAPING.test(text)) {
      const glyphs = [...text].map(sign => this.#glyph(sign))
      const positions = glyphs.map(glyph => ({
        xAdvance: glyph.advanceWidth,
        yAdvance: 0,
        xOffset: 0,
        yOffset: 0,
      }))
      return { glyphs, positions, advanceWidth: this.widthOf(text) }
    }
    const shape = this.#words.memo(text)
    return { ...shape, positions: shape.positions.map(position => ({ ...position })) }
  }

  #glyph(sign: string): Glyph {
    let glyph = this.#glyphs.get(sign)
    if (!glyph) {
      glyph = this.#font.glyphForCodePoint(sign.codePointAt(0) ?? 0)
      this.#glyphs.set(sign, glyph)
    }
    return glyph
  }

  #shape(text: string): Shape {
    const { glyphs, positions, advanceWidth } = this.#font.layout(text)
    const plain = ({ xAdvance, yAdvance, xOffset, yOffset }: GlyphPosition) => ({
      xAdvance,
      yAdvance,
      xOffset,
      yOffset,
    })
    return { glyphs, positions: positions.map(plain), advanceWidth }
  }
}

/** A font of a file. */
export interface PdfFont {
  /** For pdfkit, which takes any object with fontkit's methods. */
  source: Font
  has: (codePoint: number) => boolean
  /** For a size of one point. */
  widthOf: (text: string) => number
}

/** The font of a face for one pdf. */
export function makeFont(face: Face, weight: Weight): PdfFont {
  const { module, [weight]: name } = FACES[face]
  // Not kept for the next pdf: fontkit keeps each letter that it has drawn, which for Chinese is over 100 MB.
  const font = openSync(fileURLToPath(new URL(`../fonts/${name}`, module))) as Font
  const quick = new QuickLayout(font)
  const scale = scaleOf(face) / font.unitsPerEm
  const source = Object.create(font, { layout: { value: (text: string) => quick.layout(text) } }) as Font
  return {
    source,
    has: codePoint => font.hasGlyphForCodePoint(codePoint),
    widthOf: text => quick.widthOf(text) * scale,
  }
}
