import { expect, it } from 'vitest'
import { formatWallMinute, formatWallTime } from './wall-time.ts'

it('says every moment to the second, the one that has begun', () => {
  expect([0, 21.625, 359.9999999, 86_399.9, 86_400].map(formatWallTime)).toEqual([
    '00:00:00',
    '00:00:21',
    '00:06:00',
    '23:59:59',
    '00:00:00',
  ])
  expect([0, 32_400, 86_340].map(formatWallMinute)).toEqual(['00:00', '09:00', '23:59'])
})
