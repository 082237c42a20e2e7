import { locales, type Locale, type LocaleCode } from '@floorcast/locales/locales.ts'

/** The language of a code; English for one that is not known. */
export function findLanguage(code: string): Locale {
  return locales.find(locale => locale.code === code) ?? locales[3]
}

/**
 * The first of the browser's languages that has a catalogue, English when none has.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 * @param available codes that have a catalogue
 */
export function chooseLanguage(preferred: readonly string[], available: readonly string[]): LocaleCode {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0]
    const match = locales.find(
      language => language.tag.split('-')[0] === primary && available.includes(language.code),
    )
    if (match) return match.code
  }
  return 'en'
}
