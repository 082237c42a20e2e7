import { expect, it } from 'vitest'
import { isOver, readStart, startFieldsOf } from './publication-start.ts'

it('a delayed start by the devices’ clocks is sent as a wall time', () => {
  expect(readStart('2026-12-01T09:30', 'devices')).toBe('2026-12-01T09:30:00')
})

it('a delayed start by the reader’s clock is sent as one instant', () => {
  expect(readStart('2026-12-01T09:30', 'mine')).toBe(new Date(2026, 11, 1, 9, 30).toISOString())
})

it.each(['', 'tomorrow', 'Jan 5T09:00', '2026-12-01T', '2026-13-45T99:00'])(
  'a delayed start is not sent when it is no moment: %s',
  field => {
    expect(readStart(field, 'devices')).toBeNull()
    expect(readStart(field, 'mine')).toBeNull()
  },
)

it('a delayed start is over only when it is so for every device', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(isOver('2026-11-21T09:59:00Z', now)).toBe(true)
  expect(isOver('2026-11-21T10:01:00.000Z', now)).toBe(false)
  expect(isOver('2026-11-20T23:00:00', now)).toBe(false)
  expect(isOver('2026-11-20T21:00:00', now)).toBe(true)
})

it.each(['2026-12-01T09:30:00', new Date(2026, 11, 1, 9, 30).toISOString()])(
  'a delayed start that is stored fills the fields that send it again: %s',
  startsAt => {
    const { field, clock } = startFieldsOf(startsAt)
    expect(field).toBe('2026-12-01T09:30')
    expect(readStart(field, clock)).toBe(startsAt)
  },
)
