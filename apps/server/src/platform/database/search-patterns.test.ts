import { describe, expect, it } from 'vitest'
import { searchPatterns } from './search-patterns.ts'

describe('a search', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['summer', ['%summer%']],
    ['  summer   sale ', ['%summer%', '%sale%']],
    ['"summer sale" 50', ['%summer sale%', '%50%']],
    ['50% off_now', ['%50\\%%', '%off\\_now%']],
    ['back\\slash', ['%back\\\\slash%']],
    ['""', []],
    ['"unclosed phrase', ['%"unclosed%', '%phrase%']],
    ['عرض الصيف', ['%عرض%', '%الصيف%']],
  ])('%j looks for %j', (search, patterns) => {
    expect(searchPatterns(search)).toEqual(patterns)
  })
})
