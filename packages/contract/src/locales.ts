/**
 * The console's languages, in the order and with the codes of docs/specification.md#1-what-the-product-does-and-for-whom.
 * `code` also names the folder in `packages/locales/catalogues`; `tag` is for Intl, `lang` and fonts; `name` is the language's own name.
 */
export const locales = [
  { code: 'ar', tag: 'ar', dir: 'rtl', name: 'العربية' },
  { code: 'cn', tag: 'zh-Hans', dir: 'ltr', name: '简体中文' },
  { code: 'de', tag: 'de', dir: 'ltr', name: 'Deutsch' },
  { code: 'en', tag: 'en', dir: 'ltr', name: 'English' },
  { code: 'es', tag: 'es', dir: 'ltr', name: 'Español' },
  { code: 'fr', tag: 'fr', dir: 'ltr', name: 'Français' },
  { code: 'pt', tag: 'pt', dir: 'ltr', name: 'Português' },
  { code: 'ru', tag: 'ru', dir: 'ltr', name: 'Русский' },
  { code: 'ua', tag: 'uk', dir: 'ltr', name: 'Українська' },
] as const

export type Locale = (typeof locales)[number]
export type LocaleCode = Locale['code']

/** The language of a code. */
export function findLanguage(code: LocaleCode): Locale {
  const language = locales.find(locale => locale.code === code)
  if (!language) throw new Error(`locales.ts has no language ${code}`)
  return language
}

/** The languages of an `Accept-Language` header as BCP 47 tags, best first. */
export function readAcceptLanguage(header: string | undefined): string[] {
  const tags = (header ?? '').split(',').map(part => {
    const [tag = '', weight] = part.trim().split(/\s*;\s*q=/)
    return { tag, weight: Number(weight ?? 1) }
  })
  return tags
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/**
 * The first of a reader's languages that has a catalogue; otherwise English.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages` and `Accept-Language`
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
