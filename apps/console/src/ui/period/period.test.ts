import { expect, it } from 'vitest'
import { presetPeriod, readPeriod } from './period.ts'

it('reads moments from the address and leaves out what is none', () => {
  expect(readPeriod({ from: '2026-11-21T09:00:00Z', to: 'later' })).toEqual({ from: '2026-11-21T09:00:00Z' })
  expect(readPeriod({})).toEqual({})
})

it("knows the usual periods by the reader's own days", () => {
  const now = new Date(2026, 2, 4, 15, 30)
  expect(presetPeriod('hour', now)).toEqual({ from: new Date(2026, 2, 4, 14, 30).toISOString() })
  expect(presetPeriod('today', now)).toEqual({ from: new Date(2026, 2, 4).toISOString() })
  expect(presetPeriod('yesterday', now)).toEqual({
    from: new Date(2026, 2, 3).toISOString(),
    to: new Date(2026, 2, 4).toISOString(),
  })
  expect(presetPeriod('week', now)).toEqual({ from: new Date(2026, 1, 26).toISOString() })
})
