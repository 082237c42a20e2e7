import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvSeparatorOf, guardFormulas, readGuarded } from './csv.ts'

const signs = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n,;\'" aé') })

test.each([
  ['=1+1', "'=1+1"],
  ["'=1", "''=1"],
  ['x;=cmd|calc', "x;'=cmd|calc"],
  ['x\t-1', "x\t'-1"],
  ['a,+1;@b', "a,'+1;'@b"],
  ['line\n=1', "line\n'=1"],
  ['＝1+1', "'＝1+1"],
  ['x;＠y', "x;'＠y"],
  ['Smith, -5 and a;b', 'Smith, -5 and a;b'],
])('%j is written as %j', (text, guarded) => {
  expect(guardFormulas(text)).toBe(guarded)
})

test('no reader of any separator finds a formula, and the text is read back', () => {
  fc.assert(
    fc.property(signs, text => {
      const guarded = guardFormulas(text)
      expect(guarded.split(/[,;\n]/).filter(cell => /^[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([])
      expect(readGuarded(guarded)).toBe(text)
    }),
  )
})

test.each([
  [['de', 'es', 'fr', 'pt', 'ru', 'ua'], 'semicolon'],
  [['ar', 'cn', 'en'], 'comma'],
] as const)('spreadsheets in %j read a %s', (languages, separator) => {
  for (const language of languages) expect(csvSeparatorOf(language)).toBe(separator)
})
