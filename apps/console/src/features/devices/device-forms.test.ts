import { expect, it } from 'vitest'
import { localDay } from '../../platform/local-day.ts'
import { expiryDay, expiryOf } from './device-forms.tsx'

const end = '2027-03-01T12:00:00.000Z'

it('a day lasts to its end, and an empty field leaves the end of the subscription', () => {
  const expiry = expiryOf('2026-12-31') ?? ''
  expect(localDay(expiry)).toBe('2026-12-31')
  expect(localDay(new Date(Date.parse(expiry) + 1).toISOString())).toBe('2027-01-01')
  expect(expiryOf('')).toBeNull()
})

it('the field has the expiry that counts', () => {
  expect(expiryDay(expiryOf('2026-12-31'), end)).toBe('2026-12-31')
  expect(expiryDay(null, end)).toBe('')
  expect(expiryDay('2028-01-01T00:00:00.000Z', end)).toBe('')
})
