import { expect, it } from 'vitest'
import { copyName, cutAtWord } from './names.ts'

it('cuts a long name at the end of a word', () => {
  expect(cutAtWord('Autumn offers for the whole family with music exports within')).toBe(
    'Autumn offers for the whole family with music',
  )
  expect(cutAtWord('autumn_offers_for_the_whole_family-with-all-musical.parts')).toBe(
    'autumn_offers_for_the_whole_family-with-all',
  )
  const fifty = 'Autumn offers for the whole family with all music.'
  expect([fifty.length, cutAtWord(fifty), cutAtWord(`${fifty} Now`)]).toEqual([50, fifty, fifty.slice(0, -1)])
  expect(cutAtWord(`${fifty.slice(0, -1)} is here`)).toBe(fifty.slice(0, -1))
})

it('cuts a word that takes more than half of the name, and never a letter of two units', () => {
  expect(cutAtWord('x'.repeat(60))).toBe('x'.repeat(50))
  expect(cutAtWord(`An ${'x'.repeat(60)}`)).toBe(`An ${'x'.repeat(47)}`)
  expect(cutAtWord('𝄞'.repeat(60))).toBe('𝄞'.repeat(50))
})

it('names a copy within the limit', () => {
  expect(copyName('Morning mix')).toBe('Morning mix - copy')
  expect(copyName('Autumn offers for the whole family with all music')).toBe(
    'Autumn offers for the whole family with all - copy',
  )
  expect(copyName('x'.repeat(50))).toBe(`${'x'.repeat(43)} - copy`)
})
