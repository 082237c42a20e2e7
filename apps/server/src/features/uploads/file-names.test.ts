import { expect, it } from 'vitest'
import { toItemName } from './file-names.ts'

it('names an item by its file, cut at the end of a word', () => {
  expect(toItemName('C:\\music\\Autumn offers for the whole family with music exports within.mp3')).toBe(
    'Autumn offers for the whole family with music',
  )
  expect([toItemName('Spring day.mp3'), toItemName('x.mp3'), toItemName('?')]).toEqual([
    'Spring day',
    'x.mp3',
    'file',
  ])
})
