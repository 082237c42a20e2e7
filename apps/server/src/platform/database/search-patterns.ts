const TERMS = /"([^"]*)"|(\S+)/g

/**
 * The ILIKE patterns of a search: split at spaces, phrases in double quotes kept together. Every pattern must match at
 * least one of the searched columns. What the reader types is text: % and _ stand for themselves.
 */
export function searchPatterns(search: string): string[] {
  const terms = [...search.normalize('NFC').matchAll(TERMS)].map(([, phrase, word]) =>
    (phrase ?? word ?? '').trim(),
  )
  return terms.filter(term => term !== '').map(term => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`)
}
