import type { Catalogue } from './catalogue-files.ts'

const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/

/** i18next: `{{name}}`, `{{name, format}}` and `$t(other)`. */
const placeholdersOf = (words: string) =>
  [...words.matchAll(/\{\{\s*([^,}\s]+)[^}]*\}\}|\$t\([^)]*\)/g)].map(([all, name]) => name ?? all).toSorted()

/** The keys without their plural endings; only what English bends by number is a plural (`save_one` may be a name). */
function pluralBase(key: string, english: Catalogue): string | undefined {
  const base = PLURAL.exec(key)?.[1]
  return base !== undefined && english.has(`${base}_other`) ? base : undefined
}

/** The keys that a language must have: English's, each plural with that language's own branches (`Intl.PluralRules`). */
export function expectedKeys(english: Catalogue, tag: string): Set<string> {
  const branches = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const keys = [...english.keys()].flatMap(key => {
    const base = pluralBase(key, english)
    return base === undefined ? [key] : branches.map(branch => `${base}_${branch}`)
  })
  return new Set(keys)
}

/** Branches that mean one certain number may leave the number out: 'a device', Arabic's dual. */
const mayLeaveOutCount = (key: string) => /_(zero|one|two)$/.test(key)

function findPlaceholderFault(key: string, words: string, english: Catalogue): string | undefined {
  const base = pluralBase(key, english)
  const expected = placeholdersOf(english.get(base === undefined ? key : `${base}_other`) ?? '')
  const isFree = base !== undefined && mayLeaveOutCount(key)
  const kept = (names: string[]) => (isFree ? names.filter(name => name !== 'count') : names).join(', ')
  const found = placeholdersOf(words)
  if (kept(found) === kept(expected)) return undefined
  return `placeholders are ${found.join(', ') || 'none'}, English has ${expected.join(', ') || 'none'}`
}

const hasLetters = (words: string) => /\p{L}/u.test(words.replace(/\{\{[^}]*\}\}/g, ''))

export interface Language {
  code: string
  tag: string
  words: Catalogue
  /** Keys whose words are rightly the English ones: names, units, words that both languages share. */
  same: ReadonlySet<string>
}

/** What is wrong with one language beside English, a line each: missing, extra, empty, placeholders, untranslated. */
export function findFaults(language: Language, english: Catalogue): string[] {
  const { code, tag, words, same } = language
  const expected = expectedKeys(english, tag)
  const isEnglish = words === english
  const faults: string[] = []
  for (const key of expected) if (!words.has(key)) faults.push(`${key}: missing`)
  for (const [key, text] of words) {
    const isSame = !isEnglish && text === english.get(key) && hasLetters(text)
    const placeholderFault = findPlaceholderFault(key, text, english)
    if (!expected.has(key)) faults.push(`${key}: not in English, or no plural branch of ${tag}`)
    else if (text.trim() === '') faults.push(`${key}: empty`)
    else if (placeholderFault !== undefined) faults.push(`${key}: ${placeholderFault}`)
    else if (isSame && !same.has(key))
      faults.push(`${key}: the same as English ("${text}"); if rightly, give the reason in same-words`)
  }
  for (const key of same)
    if (words.get(key) !== english.get(key))
      faults.push(`${key}: allowed to be the same as English, but is not`)
  return faults.map(fault => `${code} ${fault}`)
}

/** Words in Latin letters in a language of another script: they are names of products, formats and commands, or left untranslated. */
export function findLatinWords(
  { code, tag, words }: Pick<Language, 'code' | 'tag' | 'words'>,
  names: ReadonlySet<string>,
): string[] {
  if (new Intl.Locale(tag).maximize().script === 'Latn') return []
  return [...words].flatMap(([key, text]) => {
    const own = text.replaceAll(/\{\{[^}]*\}\}|<[^>]*>|--[a-z-]+|\bhttps?:\/\/\S+/g, ' ')
    const found = own.match(/[a-z][\w./-]*\w/gi) ?? []
    return found.filter(word => !names.has(word)).map(word => `${code} ${key}: "${word}" in Latin letters`)
  })
}

/** The names that have no words under their noun, counted or not: an outcome that could not be told. */
export function findNameFaults(english: Catalogue, noun: string, names: readonly string[]): string[] {
  return names
    .filter(name => !english.has(`${noun}:${name}`) && !english.has(`${noun}:${name}_other`))
    .map(name => `en ${noun}:${name}: no words for this name`)
}

/** The keys of English that `uses` never asks for. */
export function findUnused(english: Catalogue, uses: (key: string) => boolean): string[] {
  return [...english.keys()]
    .filter(key => !uses(key) && !uses(pluralBase(key, english) ?? key))
    .map(key => `en ${key}: used nowhere in the console`)
}
