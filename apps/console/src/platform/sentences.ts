import { currentTranslate } from './i18n.ts'

/** The text between two sentences of the chosen language: nothing in Chinese, whose full stop has the space in it. */
export const sentenceGap = (): string => (currentTranslate().tag.startsWith('zh') ? '' : ' ')

/** The sentences as one text; empty ones are left out. */
export const joinSentences = (...sentences: readonly (string | null)[]): string =>
  sentences.filter(sentence => sentence !== null && sentence !== '').join(sentenceGap())

/** A character that no text has (private use). */
const SLOT = '\uE000'

/**
 * A text in two, for an element that stands in it: what is before the element and what is after it.
 * @param write gives the text with the slot as the value of its placeholder
 */
export function splitAtSlot(write: (slot: string) => string): readonly [before: string, after: string] {
  const [before = '', after = ''] = write(SLOT).split(SLOT)
  return [before, after]
}
