import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { locales, type Locale, type LocaleCode } from '@floorcast/contract/locales.ts'
import { type ManualLanguage, renderIndex, renderPage, searchEntries } from './manual-html.ts'
import { anchorOf, type ManualPages, readLanguages, readPages } from './manual-pages.ts'

const rootFolder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
export const manualFolder = rootFolder('docs/manual')
export const catalogueFolder = rootFolder('packages/locales/catalogues')
const assetFolder = fileURLToPath(new URL('../assets/', import.meta.url))

/** Width and height in the head of a PNG file; null if there is none. */
function readSize(path: string): { width: number; height: number } | null {
  if (!existsSync(path)) return null
  const head = readFileSync(path).subarray(0, 32)
  if (head.toString('latin1', 1, 4) !== 'PNG') return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

const withManual = (): Locale[] => {
  const codes = readLanguages(manualFolder)
  return locales.filter(({ code }) => codes.includes(code))
}

/** Addresses of styles with letters, by the codes of the languages that need them. */
type Letters = Readonly<Partial<Record<LocaleCode, string>>>

function readLanguage(locale: Locale, letters: Letters): ManualLanguage {
  const folder = join(manualFolder, locale.code)
  return {
    locale,
    pages: readPages(folder),
    words: readCatalogue(join(catalogueFolder, locale.code)),
    sizeOf: picture => readSize(join(folder, picture)),
    lettersAt: letters[locale.code] ?? null,
  }
}

/** The label that the section about plays after a restore names, in each language. */
const RESTORED_LABEL = '[[reports:columns.restored]]'

/** The address of the section of a manual that names a label: `page#heading`. @throws without one */
function findSection(pages: ManualPages, label: string): string {
  for (const { slug, body } of pages.values())
    for (const section of body.split(/^## /m).slice(1))
      if (section.includes(label)) return `${slug}#${anchorOf(section.split('\n', 1)[0] ?? '')}`
  throw new Error(`No section of the manual names ${label}`)
}

interface HelpIndex {
  /** The languages that have a manual. */
  languages: string[]
  /** The manual's page for each route of the console, without `:uid`. */
  slugs: Record<string, string>
  /** The section about plays after a restore, by language. */
  restored: Record<string, string>
}

export function readHelpIndex(): HelpIndex {
  const slugs: Record<string, string> = {}
  for (const { slug, routes } of readPages(join(manualFolder, 'en')).values())
    for (const route of routes) slugs[route] = slug
  const languages = withManual().map(({ code }) => code)
  const restored = languages.map(code => [
    code,
    findSection(readPages(join(manualFolder, code)), RESTORED_LABEL),
  ])
  return { languages, slugs, restored: Object.fromEntries(restored) as Record<string, string> }
}

/** All files of the manual by their paths below `/manual`. */
export function* buildManual(letters: Letters): Generator<{ path: string; content: string | Uint8Array }> {
  const all = withManual()
  for (const locale of all) {
    const language = readLanguage(locale, letters)
    for (const page of language.pages.values())
      yield { path: `${locale.code}/${page.slug}.html`, content: renderPage(language, page, all) }
    yield { path: `${locale.code}/index.html`, content: renderIndex(language, all) }
    yield { path: `${locale.code}/search.json`, content: JSON.stringify(searchEntries(language)) }
    const pictures = join(manualFolder, locale.code, 'pictures')
    for (const name of existsSync(pictures) ? readdirSync(pictures) : [])
      yield { path: `${locale.code}/pictures/${name}`, content: readFileSync(join(pictures, name)) }
  }
  for (const name of ['manual.css', 'manual.js'])
    yield { path: name, content: readFileSync(join(assetFolder, name)) }
}
