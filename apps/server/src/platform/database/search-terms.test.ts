import { describe, expect, it } from 'vitest'
import { isFindable, searchTerms } from './list-source.ts'

describe('a search', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['shop', ['shop']],
    ['  summer   sale ', ['summer', 'sale']],
    ['"summer sale" 50', ['summer sale', '50']],
    ['east"summer sale"', ['east', 'summer sale']],
    ['"not closed yet', ['not closed yet']],
    ['""', []],
    ['100%_\\', ['100%_\\']],
    ['عرض الصيف', ['عرض', 'الصيف']],
    ['\u{3000}北京 店', ['北京', '店']],
    ['Cafe\u0301', ['Caf\u00e9']],
  ])('%j looks for %j', (search, terms) => expect(searchTerms(search)).toEqual(terms))

  it.each([
    ['shop', true],
    ['two\nlines', true],
    ['a\u001fb', false],
    ['\u0000', false],
  ])('%j may be found: %s', (term, may) => expect(isFindable(term)).toBe(may))
})
