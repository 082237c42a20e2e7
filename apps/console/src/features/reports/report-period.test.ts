import { expect, it } from 'vitest'
import { checkPeriod, dayIn, findPreset, presetPeriod } from './report-period.ts'

it('a period has presets in days of the zone, over the ends of months and years', () => {
  const nowMs = Date.parse('2026-03-01T03:00:00Z')
  expect(dayIn('Asia/Tokyo', nowMs)).toBe('2026-03-01')
  expect(dayIn('America/New_York', nowMs)).toBe('2026-02-28')
  expect(presetPeriod('yesterday', '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-02-28' })
  expect(presetPeriod('week', '2026-01-03')).toEqual({ from: '2025-12-28', to: '2026-01-03' })
  expect(presetPeriod('lastMonth', '2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(presetPeriod('lastMonth', '2028-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(findPreset({ from: '2026-02-28', to: '2026-02-28' }, '2026-03-01')).toBe('yesterday')
  expect(findPreset({ from: '2026-02-27', to: '2026-02-28' }, '2026-03-01')).toBeUndefined()
})

it('a period has 1 to 45 days', () => {
  expect(checkPeriod({ from: '2026-01-01', to: '2026-01-01' })).toBeNull()
  expect(checkPeriod({ from: '2026-01-01', to: '2026-02-14' })).toBeNull()
  expect(checkPeriod({ from: '2026-01-01', to: '2026-02-15' })).toBe('too-many-days')
  expect(checkPeriod({ from: '2026-01-02', to: '2026-01-01' })).toBe('end-before-start')
  expect(checkPeriod({ from: '', to: '2026-01-01' })).toBe('empty')
})
