import { sql } from 'kysely'
import { expect, expectTypeOf, it } from 'vitest'
import { getSort, isFindable, type ListColumns, type RowOf, searchTerms } from './list-source.ts'

it.each([
  ['', []],
  ['   ', []],
  ['shop', ['shop']],
  ['  summer   sale ', ['summer', 'sale']],
  ['"summer sale" 50', ['summer sale', '50']],
  ['east"summer sale"', ['east', 'summer sale']],
  ['"not closed yet', ['not closed yet']],
  ['""', []],
  ['“summer sale” 50', ['summer sale', '50']],
  ['„summer sale“', ['summer sale']],
  ['”summer sale”', ['summer sale']],
  ['«عرض الصيف» 50', ['عرض الصيف', '50']],
  ['「北京 店」南', ['北京 店', '南']],
  ['＂北京 店＂', ['北京 店']],
  ['100%_\\', ['100%_\\']],
  ['عرض الصيف', ['عرض', 'الصيف']],
  ['\u{3000}北京 店', ['北京', '店']],
  ['Cafe\u0301', ['Caf\u00e9']],
])('a search %j looks for %j', (search, terms) => expect(searchTerms(search)).toEqual(terms))

it('a search has at most ten terms; a phrase is one', () => {
  const phrase = '"one two three four five six seven eight nine ten eleven"'
  expect(searchTerms(`1 2 3 4 5 6 7 8 9 ${phrase}`)).toHaveLength(10)
  expect(() => searchTerms('1 2 3 4 5 6 7 8 9 10 11')).toThrow('A search has at most 10 terms.')
})

it.each([
  ['shop', true],
  ['two\nlines', true],
  ['a\u001fb', false],
  ['\u0000', false],
])('a search %j may be found: %s', (term, may) => expect(isFindable(term)).toBe(may))

const columns = {
  uid: { select: sql<string>`t.uid` },
  name: { select: sql<string>`t.name`, sort: sql`lower(t.name)` },
  size: { select: sql<number | null>`t.size`, sort: true },
  release: { sort: sql`t.release` },
} satisfies ListColumns

it('the columns of a list make the type of a row, without those that only sort', () => {
  expectTypeOf<RowOf<typeof columns>>().toEqualTypeOf<{ uid: string; name: string; size: number | null }>()
})

it('the columns of a list sort by themselves or by something else', () => {
  expect(getSort('size', columns).by).toBe(columns.size.select)
  expect(getSort('name', columns).by).toBe(columns.name.sort)
  expect(getSort('release', columns).by).toBe(columns.release.sort)
})

it.each(['uid', 'nothing', 'toString'])('the columns of a list do not sort by %s', name => {
  expect(() => getSort(name, columns)).toThrow(expect.objectContaining({ status: 422 }))
})
