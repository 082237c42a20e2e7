import { expect, it } from 'vitest'
import { sharedOffset } from './preview-cell.ts'

const instants = { key: 'startedAt', type: 'instant' } as const
const at = (offset: string) => `2026-11-27T09:00:00${offset}`

it.each([
  [[at('+01:00'), null, at('+01:00')], 'UTC+01:00'],
  [[at('+00:00'), at('+00:00')], 'UTC'],
  [['2026-11-27T09:00:00.123Z'], 'UTC'],
  [[at('+01:00'), at('+02:00')], null],
  [[null, ''], null],
])('the zone of %j is said once, in the heading: %s', (cells, zone) => {
  expect(sharedOffset(instants, cells)).toBe(zone)
})

it('a day has no zone', () => {
  expect(sharedOffset({ key: 'day', type: 'day' }, ['2026-11-27'])).toBeNull()
})
