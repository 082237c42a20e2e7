import { expect, it } from 'vitest'
import { restoredEnding, restoredFileNames, restoredNames } from './restored-names.ts'

it('keeps a name, then marks it, then numbers it', () => {
  expect([...restoredNames('North shops', 'restored')].slice(0, 3)).toEqual([
    'North shops',
    'North shops - restored',
    'North shops - restored 2',
  ])
})

it('cuts to 50 code points, never through a character', () => {
  const long = '𐐀'.repeat(50)
  expect([...restoredNames(long, 'restored')][1]).toBe(`${'𐐀'.repeat(39)} - restored`)
  expect([...restoredNames(`${'a'.repeat(38)} bcdefghijkl`, 'restored')][1]).toBe(
    `${'a'.repeat(38)} - restored`,
  )
})

it('keeps the extension of a file', () => {
  expect([...restoredFileNames('tune.one.mp3', 'restored')][0]).toBe('tune.one - restored.mp3')
  expect([...restoredFileNames('tune', 'restored')][1]).toBe('tune - restored 2')
})

it('marks a name in the language of the call', () => {
  expect([...restoredNames('Nord', restoredEnding('de-AT,en;q=0.5'))].slice(1, 3)).toEqual([
    'Nord - wiederhergestellt',
    'Nord - wiederhergestellt 2',
  ])
  expect(restoredEnding('uk')).toBe('відновлено')
  expect(restoredEnding('zh-Hans')).toBe('已还原')
  expect(restoredEnding(undefined)).toBe('restored')
})
