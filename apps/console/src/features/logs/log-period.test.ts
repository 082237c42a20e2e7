import { expect, it } from 'vitest'
import { fillMoment, readMoment, readPeriod } from './log-period.ts'

it('reads moments from the address and leaves out what is none', () => {
  expect(readPeriod({ from: '2026-11-21T09:00:00Z', to: 'later' })).toEqual({ from: '2026-11-21T09:00:00Z' })
  expect(readPeriod({})).toEqual({})
})

it('turns a field into an instant and back', () => {
  const instant = readMoment('2026-03-04T05:06')
  expect(instant).toBe(new Date(2026, 2, 4, 5, 6).toISOString())
  expect(fillMoment(instant)).toBe('2026-03-04T05:06')
  expect(readMoment('')).toBeUndefined()
  expect(fillMoment(undefined)).toBe('')
})
