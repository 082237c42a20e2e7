import { expect, it } from 'vitest'
import { deliveryPeriod } from './media-tabs.tsx'

it('counts whole days of UTC, today with them', () => {
  const now = Date.parse('2026-03-01T00:30:00Z')
  expect(deliveryPeriod(1, now)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(deliveryPeriod(7, now)).toEqual({ from: '2026-02-23', to: '2026-03-01' })
})
