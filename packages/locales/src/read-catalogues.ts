import { readFileSync } from 'node:fs'
import { type LocaleCode, locales } from '@floorcast/contract/locales.ts'

/**
 * The texts of a namespace in every language, for programs; the console loads those of its user. Each catalogue has the keys and
 * placeholders of English: `npm run check:locales` holds that.
 */
export function readCatalogues<Texts>(
  namespace: string,
  english: Texts,
): Readonly<Record<LocaleCode, Texts>> {
  const read = (code: LocaleCode) =>
    JSON.parse(
      readFileSync(new URL(`../catalogues/${code}/${namespace}.json`, import.meta.url), 'utf8'),
    ) as Texts
  const texts = locales.map(({ code }) => [code, code === 'en' ? english : read(code)] as const)
  return Object.fromEntries(texts) as Record<LocaleCode, Texts>
}
