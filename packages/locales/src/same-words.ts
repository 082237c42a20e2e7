import type { LocaleCode } from './locales.ts'

/** Keys whose words are rightly the same as in English, by language: the product's name, units, shared words. */
export const sameWords: Partial<Record<LocaleCode, readonly string[]>> = {
  ar: ['media:lufs', 'media:dbtp'],
}
