import { expect, it } from 'vitest'
import { readCredits, type CreditHeadings } from './read-credits.ts'

const headings: CreditHeadings = {
  uid: ['uid'],
  artist: ['artist', 'الفنان'],
  title: ['title'],
  isrc: ['isrc'],
  composer: ['composer'],
  publisher: ['publisher'],
}

it('a file of credits keeps the lines, skips what is no credit, and takes one apostrophe before a formula away', () => {
  const csv = "\uFEFFuid,Name,الفنان,isrc\r\na,'=x,'=1+1,US\r\n\r\nb,y,''-z,\r\n"
  expect(readCredits(csv, headings)).toEqual({
    rows: [
      { uid: 'a', artist: '=1+1', isrc: 'US' },
      { uid: 'b', artist: "'-z", isrc: '' },
    ],
    lines: [2, 4],
  })
})

it.each([
  ['', 'no-headings'],
  ['name,artist\na,b', 'no-headings'],
  ['uid,name\na,b', 'no-headings'],
  ['uid,artist\n', 'no-rows'],
  [`uid,artist\n${'a,b\n'.repeat(10_001)}`, 'too-many-rows'],
])('a file of credits that has no rows says why', (csv, fault) => {
  expect(readCredits(csv, headings)).toEqual({ fault })
})
