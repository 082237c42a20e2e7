import type { DeviceDay } from '@floorcast/contract/device-day.ts'
import { expect, it } from 'vitest'
import { connectionsOf } from './day-connections.ts'

const at = (time: string) => `2026-11-23T${time}:00.000Z`
const span = (from: string, until: string) => ({ from: at(from), until: at(until) })

const day: DeviceDay = {
  asOf: at('20:00'),
  day: '2026-11-23',
  timeZone: 'UTC',
  ...span('00:00', '23:59'),
  scheduled: [],
  played: [{ ...span('05:30', '06:30'), kind: 'music', adShare: 0 }],
  gaps: [{ ...span('09:00', '10:00'), because: 'off' }],
  connectivity: [
    { ...span('00:00', '05:00'), state: 'online' },
    { ...span('05:00', '06:00'), state: 'linkdown' },
    { ...span('06:00', '09:00'), state: 'online' },
    { ...span('09:00', '10:00'), state: 'linkdown' },
    { ...span('10:00', '12:00'), state: 'online' },
    { ...span('12:00', '13:00'), state: 'linklost' },
    { ...span('13:00', '18:00'), state: 'online' },
    { ...span('18:00', '20:00'), state: 'linkdown' },
  ],
  unreported: [span('07:00', '07:30'), span('08:00', '10:00'), span('17:00', '20:00')],
  health: [],
  restored: null,
}

it('lists the intervals of a day, the newest first, with their lengths and what is known of the reason', () => {
  const rows = connectionsOf(day).map(({ from, state, seconds, isNow, why }) => [
    from.slice(11, 16),
    state,
    seconds / 3600,
    isNow,
    why,
  ])
  expect(rows).toEqual([
    ['18:00', 'linkdown', 2, true, 'not-reported'],
    ['17:00', 'unreported', 1, false, null],
    ['13:00', 'online', 4, false, null],
    ['12:00', 'linklost', 1, false, null],
    ['10:00', 'online', 2, false, null],
    ['09:00', 'linkdown', 1, false, 'off'],
    ['08:00', 'unreported', 1, false, null],
    ['07:30', 'online', 0.5, false, null],
    ['07:00', 'unreported', 0.5, false, null],
    ['06:00', 'online', 1, false, null],
    ['05:00', 'linkdown', 1, false, 'played-on'],
    ['00:00', 'online', 5, false, null],
  ])
})
