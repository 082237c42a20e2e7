import { expect, it } from 'vitest'
import { compareVersions, UpdateVersion } from './update-versions.ts'

it('versions of updates are put in order by their numbers, a word before the release first', () => {
  const ordered = [
    '1',
    '2.9.9',
    '2.10',
    '2.775.0',
    '2.776.0-1',
    '2.776.0-2.a',
    '2.776.0-alpha',
    '2.776.0-rc',
    '2.776.0-rc.2',
    '2.776.0-rc.10',
    '2.776.0',
    '2.776.0.1',
    '3',
  ]
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered)
  for (const [index, lower] of ordered.entries())
    for (const higher of ordered.slice(index + 1)) {
      expect(compareVersions(lower, higher), `${lower} ${higher}`).toBeLessThan(0)
      expect(compareVersions(higher, lower), `${higher} ${lower}`).toBeGreaterThan(0)
    }
})

it('versions of updates are the same where only zeros are missing', () => {
  expect(compareVersions('2.776', '2.776.0')).toBe(0)
  expect(compareVersions('2.776.0-rc.01', '2.776-rc.1')).toBe(0)
})

it('versions of updates are the same whatever their build', () => {
  expect(compareVersions('2.776.5+1a2b-3c4d', '2.776.5')).toBe(0)
  expect(compareVersions('2.776.5-rc.1+1a2b3c4d', '2.776.5-rc.1+99')).toBe(0)
  expect(compareVersions('2.776.5+1a2b3c4d', '2.776.4')).toBeGreaterThan(0)
})

it.each(['', 'new', '2..1', '2.', '1.2.3.4.5', '2.776 beta', '2.776-', '2.776-rc..1', '1234567890'])(
  'versions of updates refuses %j',
  text => {
    expect(UpdateVersion.safeParse(text).success).toBe(false)
  },
)
