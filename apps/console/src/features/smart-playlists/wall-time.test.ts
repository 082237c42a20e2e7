import { expect, it } from 'vitest'
import { sayWallMinute, sayWallTime } from './wall-time.ts'

it('says every moment to the second, the one that has begun', () => {
  expect([0, 21.625, 359.9999999, 86_399.9, 86_400].map(sayWallTime)).toEqual([
    '00:00:00',
    '00:00:21',
    '00:06:00',
    '23:59:59',
    '00:00:00',
  ])
  expect([0, 32_400, 86_340].map(sayWallMinute)).toEqual(['00:00', '09:00', '23:59'])
})
