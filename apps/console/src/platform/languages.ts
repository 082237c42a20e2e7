import { locales, type Locale, type LocaleCode } from '@floorcast/locales/locales.ts'

/** The language of a code. */
export function findLanguage(code: LocaleCode): Locale {
  const language = locales.find(locale => locale.code === code)
  if (!language) throw new Error(`locales.ts has no language ${code}`)
  return language
}

/**
 * The first of the browser's languages that has a catalogue; otherwise English.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 * @param available codes that have a catalogue
 */
export function chooseLanguage(preferred: readonly string[], available: readonly string[]): LocaleCode {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0]
    const match = locales.find(
      ({ code, tag: own }) => own.split('-')[0] === primary && available.includes(code),
    )
    if (match) return match.code
  }
  return 'en'
}

/**
 * The browser's region of a language, for dates and numbers; digits stay those of the language.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 */
export function chooseRegion(tag: string, preferred: readonly string[]): string {
  const regional = preferred.find(one => one.split('-')[0] === tag.split('-')[0]) ?? tag
  return `${regional}-u-nu-latn`
}
