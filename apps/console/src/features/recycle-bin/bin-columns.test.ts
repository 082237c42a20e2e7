import { expect, it } from 'vitest'
import { daysUntil } from './bin-columns.tsx'

const at = Date.parse('2026-11-24T12:00:00Z')

it.each([
  ['2026-12-24T12:00:00Z', 30],
  ['2026-11-27T11:59:59Z', 3],
  ['2026-11-24T12:00:01Z', 1],
  ['2026-11-24T12:00:00Z', 0],
  ['2026-11-23T13:00:00Z', 0],
  ['2026-11-22T12:00:00Z', -2],
])('until %s there are %i days', (instant, days) => {
  expect(daysUntil(instant, at) + 0).toBe(days)
})
