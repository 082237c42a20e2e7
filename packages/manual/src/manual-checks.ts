import type { Catalogue } from '@floorcast/locales/catalogue-files.ts'
import { anchorOf, fingerprintOf, type ManualPage, type ManualPages } from './manual-pages.ts'

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part = '']) => part)
const labelsOf = ({ body }: ManualPage) => found(body, /\[\[([^\]]+)\]\]/g)
const picturesOf = ({ body }: ManualPage) => found(body, /!\[[^\]]*\]\(([^)]+)\)/g)
const linksOf = ({ body }: ManualPage) => found(body, /(?<!!)\[[^\]]*\]\(([^)]+)\)/g)
const headingsOf = ({ body }: ManualPage) => found(body, /^#{2,6} (.+)$/gm)
const CODE = /```[\s\S]*?```|`[^`]*`/g
const straightIn = ({ body }: ManualPage) => found(body.replaceAll(CODE, ''), /(\p{L}+'\p{L}+)/gu)
const linesLike = ({ body }: ManualPage, pattern: RegExp) => body.match(pattern)?.length ?? 0

const sorted = (list: readonly string[]) => list.toSorted().join(', ')

export interface CheckedManual {
  code: string
  pages: ManualPages
  /** The texts of the console in this language. */
  words: Catalogue
}

/** What is wrong on a page: typewriter marks, labels that the console has not, texts with placeholders, links to nothing. */
function findPageFaults(page: ManualPage, { pages, words }: CheckedManual): string[] {
  const faults: string[] = []
  for (const word of straightIn(page)) faults.push(`${word} has a straight apostrophe: write ’`)
  for (const key of labelsOf(page)) {
    const text = words.get(key)
    if (text === undefined) faults.push(`the console has no text ${key}`)
    else if (/\{\{|\$t\(/.test(text)) faults.push(`${key} has a placeholder: "${text}"`)
  }
  for (const link of linksOf(page).filter(each => !/^\w+:/.test(each))) {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page : pages.get(file.replace(/\.md$/, ''))
    if (!target) faults.push(`${link} leads to no page`)
    else if (anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor))
      faults.push(`${link} leads to no heading`)
  }
  return faults
}

/** Where a translation is behind the English page, or differs from it in more than language. */
function findTranslationFaults(page: ManualPage, english: ManualPage, englishText: string): string[] {
  const faults: string[] = []
  const fingerprint = fingerprintOf(englishText)
  if (page.source !== fingerprint)
    faults.push(`is behind the English page: bring it up to date, then set 'source: ${fingerprint}'`)
  if (page.order !== english.order || sorted(page.routes) !== sorted(english.routes))
    faults.push('has another order or other routes than the English page')
  if (sorted(picturesOf(page)) !== sorted(picturesOf(english))) faults.push('has other pictures')
  if (sorted(labelsOf(page)) !== sorted(labelsOf(english))) faults.push('names other texts of the console')
  for (const [name, pattern] of [
    ['headings', /^#{2,6} /gm],
    ['steps', /^\s*\d+\. /gm],
    ['points', /^\s*- /gm],
    ['lines of tables', /^\|/gm],
  ] as const)
    if (linesLike(page, pattern) !== linesLike(english, pattern))
      faults.push(`has ${linesLike(page, pattern)} ${name}, the English page ${linesLike(english, pattern)}`)
  return faults
}

/** What is wrong with the manual of a language, a line each. @param englishTexts the files of the English pages by slug */
export function findManualFaults(
  manual: CheckedManual,
  english: ManualPages,
  englishTexts: ReadonlyMap<string, string>,
): string[] {
  const { code, pages } = manual
  const faults = [...english.keys()]
    .filter(slug => !pages.has(slug))
    .map(slug => `${code}/${slug}.md: missing`)
  for (const page of pages.values()) {
    const original = english.get(page.slug)
    const own = findPageFaults(page, manual)
    if (!original) own.push('has no English page')
    else if (code !== 'en')
      own.push(...findTranslationFaults(page, original, englishTexts.get(page.slug) ?? ''))
    faults.push(...own.map(fault => `${code}/${page.slug}.md: ${fault}`))
  }
  return faults
}
