import { Name } from '@floorcast/contract/fields.ts'
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

it.each([
  ['Don’t Stop Believin’.mp3', "Don't Stop Believin'"],
  ['L’été indien.mp3', "L'été indien"],
  ['П‘ять хвилин.mp3', "П'ять хвилин"],
  ['春天、夏天·下午.mp3', '春天、夏天·下午'],
  ['نور، صباح.mp3', 'نور، صباح'],
  ['Ad (new) – “spring”.mp4', 'Ad new spring'],
  ['🎵🎶.mp3', 'mp3 file'],
  ['___.mp3', 'mp3 file'],
])('names the item of %s as a typed name is named', (fileName, name) => {
  expect(toItemName(fileName)).toBe(name)
  expect(Name.parse(name)).toBe(name)
})
