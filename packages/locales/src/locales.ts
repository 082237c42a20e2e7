/**
 * The console's languages, in the order and with the codes of docs/specification.md#1-what-the-product-does-and-for-whom.
 * `code` also names the folder in `catalogues/`; `tag` is for Intl, `lang` and fonts; `name` is the language's own name.
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
