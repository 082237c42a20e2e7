import { z } from 'zod'

/** The longest credit, in code points. */
export const MAX_CREDIT_LENGTH = 200

// Control characters, line separators, and the marks that turn the direction of the text around them.
const NOT_IN_A_CREDIT = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/u

/** One line of text of up to 200 code points, or empty; trimmed, NFC. Messages are locale keys. */
export const CreditText = z
  .string()
  .normalize('NFC')
  .trim()
  .refine(text => [...text].length <= MAX_CREDIT_LENGTH, 'too-long')
  .refine(text => !NOT_IN_A_CREDIT.test(text) && text.isWellFormed(), 'special-characters')

const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/

/** An ISRC (ISO 3901) in its 12 characters, from one with hyphens or spaces, with or without 'ISRC' before it. */
export const normalizeIsrc = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/^ISRC[\s:-]+/, '')
    .replaceAll(/[\s\u2010-\u2015-]/g, '')

/** The 12 characters of an ISRC, or empty. Hyphens and spaces are taken out. */
export const Isrc = z
  .string()
  .overwrite(normalizeIsrc)
  .refine(text => text === '' || ISRC.test(text), 'isrc')

/** The parts of an ISRC as it is printed: `US-RC1-76-07839`. */
export const formatIsrc = (isrc: string): string => isrc.replace(/^(..)(...)(..)(.{5})$/, '$1-$2-$3-$4')

/** Who made and owns a recording, as rights societies ask for it; empty where it is not known. */
export const MediaCredits = z.object({
  /** Who performs it. */
  artist: CreditText,
  /** The title of the recording. */
  title: CreditText,
  /** In 12 characters; hyphens and spaces are taken out. */
  isrc: Isrc,
  /** Who wrote the music. */
  composer: CreditText,
  /** Who publishes the work. */
  publisher: CreditText,
})
export type MediaCredits = z.infer<typeof MediaCredits>
export type CreditField = keyof MediaCredits

export const creditFields = ['artist', 'title', 'isrc', 'composer', 'publisher'] as const

export const noCredits: MediaCredits = { artist: '', title: '', isrc: '', composer: '', publisher: '' }

/** The credits of a text that nobody has checked: control characters become spaces, a long text is cut. */
export const cleanCredit = (text: string): string =>
  [
    ...text
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(new RegExp(NOT_IN_A_CREDIT, 'gu'), ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_CREDIT_LENGTH)
    .join('')
    .trim()
