import { expect, it } from 'vitest'
import { copyName, cutAtWord, freeCopyName } from './names.ts'

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

it('proposes the first name of a copy that is free', () => {
  const propose = (name: string, taken: string[] = []) => freeCopyName(name, ' - copy', taken)
  expect(propose('Calm')).toBe('Calm - copy')
  expect(propose('Calm', ['Calm', 'CALM - copy', 'Calm - copy 2'])).toBe('Calm - copy 3')
  expect(propose('Calm - copy', ['Calm - copy'])).toBe('Calm - copy 2')
  expect(propose('Calm - copy 2', ['Calm - copy', 'Calm - copy 2'])).toBe('Calm - copy 3')
  expect(propose('Region 7')).toBe('Region 7 - copy')
  const long = propose('Autumn offers for the whole family with all music', [
    'Autumn offers for the whole family with all - copy',
  ])
  expect(long).toBe('Autumn offers for the whole family with - copy 2')
  expect(long.length).toBeLessThanOrEqual(50)
})
