import { expect, it } from 'vitest'
import { restoredFileNames, restoredNames } from './recycle-bin.ts'

it('keeps a name, then marks it, then numbers it', () => {
  expect(restoredNames('North shops').slice(0, 3)).toEqual([
    'North shops',
    'North shops - restored',
    'North shops - restored 2',
  ])
})

it('cuts to 50 code points, never through a character', () => {
  const long = '𐐀'.repeat(50)
  expect(restoredNames(long)[1]).toBe(`${'𐐀'.repeat(39)} - restored`)
  expect(restoredNames(`${'a'.repeat(38)} bcdefghijkl`)[1]).toBe(`${'a'.repeat(38)} - restored`)
})

it('keeps the extension of a file', () => {
  expect(restoredFileNames('tune.one.mp3')[0]).toBe('tune.one - restored.mp3')
  expect(restoredFileNames('tune')[1]).toBe('tune - restored 2')
})
