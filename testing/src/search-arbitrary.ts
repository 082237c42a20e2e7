import fc from 'fast-check'

/** One letter, many scripts, and all that means something to LIKE, to quotes or to regular expressions. */
const LETTERS = [
  ...'aAbBeEéÉñжЖяЯіІйЙ',
  ...'سعرضَّ',
  'e\u0301',
  'ﬁ',
  ...'北京店',
  ...`%_\\'"*.?()[]{}^$|&+-1 `,
  '👍',
  ...'ßẞłŁøØæıþ',
  ...'ΩωΣσς',
  ...'’-–',
]

/** A text for a name or a description. */
export const text = (min: number, max: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: min, maxLength: max }).map(letters => letters.join(''))

/** The plain forms of the letters above; fold-text.ts of the contract knows them all. */
const plain: Record<string, string> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ə: 'e',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  '’': "'",
  '–': '-',
}

const fold = (content: string) =>
  [...content.normalize('NFKD').replaceAll(/[\u0300-\u036F\u064B-\u065F\u0670]/g, '')]
    .map(letter => letter.toLowerCase())
    .map(letter => plain[letter] ?? letter)
    .join('')

/** The rule of docs/specification.md#5-validation-rules, written a second time: split at spaces, quoted phrases whole, every term in at least one field. */
export function isFound(search: string, fields: readonly string[]): boolean {
  const pieces = search.split('"')
  const terms = pieces.flatMap((piece, nr) => (nr % 2 === 1 ? [piece.trim()] : piece.split(/\s+/)))
  return terms
    .filter(term => fold(term) !== '')
    .every(term => fields.some(field => fold(field).includes(fold(term))))
}

/** A piece of something that is there, in another case, sometimes with another; or anything at all. */
export function searchAmong(texts: readonly string[]): fc.Arbitrary<string> {
  const piece = fc
    .tuple(
      fc.constantFrom(...texts.filter(Boolean)),
      fc.nat(12),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
    )
    .map(([from, start, length, isUpper]) => {
      const letters = [...from].slice(start % [...from].length).slice(0, length)
      return letters.map(letter =>
        isUpper && [...letter.toUpperCase()].length === 1 ? letter.toUpperCase() : letter,
      )
    })
    .map(letters => letters.join(''))
  const quoted = piece.map(words => `"${words.replaceAll('"', '')}"`)
  return fc.oneof(
    piece,
    quoted,
    fc.tuple(piece, quoted).map(parts => parts.join(' ')),
    fc.tuple(piece, piece).map(parts => parts.join(' ')),
    text(1, 2),
    text(1, 5),
  )
}
