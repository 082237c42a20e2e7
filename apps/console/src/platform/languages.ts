/** The languages of SPEC section 1 that have a catalogue. `tag` is what Intl, `lang` and fonts understand. */
export const languages = [
  { code: 'ar', tag: 'ar', name: 'العربية', dir: 'rtl' },
  { code: 'cn', tag: 'zh-Hans', name: '简体中文', dir: 'ltr' },
  { code: 'de', tag: 'de', name: 'Deutsch', dir: 'ltr' },
  { code: 'en', tag: 'en', name: 'English', dir: 'ltr' },
  { code: 'es', tag: 'es', name: 'Español', dir: 'ltr' },
  { code: 'fr', tag: 'fr', name: 'Français', dir: 'ltr' },
  { code: 'pt', tag: 'pt', name: 'Português', dir: 'ltr' },
  { code: 'ru', tag: 'ru', name: 'Русский', dir: 'ltr' },
  { code: 'ua', tag: 'uk', name: 'Українська', dir: 'ltr' },
] as const

export type LanguageCode = (typeof languages)[number]['code']
export type Language = (typeof languages)[number]

/** The language of a code; English for one that is not known. */
export function findLanguage(code: string): Language {
  return languages.find(language => language.code === code) ?? languages[3]
}

/**
 * The first of the browser's languages that has a catalogue, English when none has.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 * @param available codes that have a catalogue
 */
export function chooseLanguage(preferred: readonly string[], available: readonly string[]): LanguageCode {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0]
    const match = languages.find(
      language => language.tag.split('-')[0] === primary && available.includes(language.code),
    )
    if (match) return match.code
  }
  return 'en'
}
