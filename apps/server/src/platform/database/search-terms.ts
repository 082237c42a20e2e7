/**
 * A search's terms: split at spaces, phrases in double quotes kept together (one whose end is still to be typed too). Every
 * term must be found in at least one of the searched fields, whatever the case; all of its characters mean themselves.
 */
export const searchTerms = (search: string): string[] =>
  [...search.normalize('NFC').matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([term, phrase]) => (phrase ?? term).trim())
    .filter(Boolean)

/** No text holds control characters: PostgreSQL refuses U+0000, and U+001F stands between the fields of one row. */
export const isFindable = (term: string): boolean => !/\p{Cc}/u.test(term.replaceAll(/[\t\r\n]/g, ''))
