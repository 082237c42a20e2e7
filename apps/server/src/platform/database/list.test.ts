import { describe, expect, it } from 'vitest'
import { searchTerms } from './list.ts'

describe('search terms', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['shop', ['shop']],
    [' shop  floor ', ['shop', 'floor']],
    ['"shop floor" east', ['shop floor', 'east']],
    ['east"shop floor"', ['east', 'shop floor']],
    ['"never closed', ['never closed']],
    ['""', []],
    ['100%_\\', ['100%_\\']],
  ])('%j', (search, terms) => expect(searchTerms(search)).toEqual(terms))
})
