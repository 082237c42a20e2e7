import en from '@floorcast/locales/catalogues/en/installer.json' with { type: 'json' }
import type { LocaleCode } from '@floorcast/locales/locales.ts'
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'

/** English is in the script. */
const catalogues = new Map<string, typeof en>(
  Object.entries(readCatalogues('installer', en)).filter(([code]) => code !== 'en'),
)

/** Linux's own console has at most 512 glyphs in its font: no Chinese, and Arabic letters that do not join. */
const needsTerminal: ReadonlySet<string> = new Set<LocaleCode>(['ar', 'cn'])

/** Text that a shell takes as it is: inside single quotes it interprets nothing but the closing quote. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The variable of a text in the script: `notInstalled` is `TEXT_NOT_INSTALLED`. */
export const textVariable = (key: string) => `TEXT_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`

/** The lines that set texts in the script. */
export const assignTexts = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts)
    .map(([key, text]) => `${textVariable(key)}=${quoteForShell(text)}`)
    .join('\n')

/** The lines that give the installer the texts of a language; none for English and for an unknown one. */
export function installerTexts(language: string): string {
  const catalogue = catalogues.get(language)
  if (!catalogue) return ''
  const lines = assignTexts(catalogue)
  return needsTerminal.has(language) ? `if [ "\${TERM:-}" != linux ]; then\n${lines}\nfi` : lines
}
