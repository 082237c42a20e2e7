import { expect, test } from 'vitest'
import { validateEvents, placeEvent } from './event-validation.ts'

const received = new Date('2026-11-21T10:00:00.000Z')
const bootId = '01933d4e-0000-7000-8000-000000000001'
const debug = (more: object = {}) => ({
  kind: 'debug',
  id: '01933d4e-0000-7000-8000-00000000000a',
  bootId,
  sequence: 7,
  at: '2026-11-21T09:59:00Z',
  level: 'info',
  code: 'start',
  message: 'started',
  ...more,
})

test('a bad entry is named and stops no other', () => {
  const bad = { ...debug({ sequence: 8 }), level: 'loud' }
  const { valid, refused } = validateEvents([debug(), bad, null, 'text', debug({ sequence: 9 })], received)
  expect(valid.map(({ event }) => event.sequence)).toEqual([7, 9])
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ id: bad.id, number: { bootId, sequence: 8 } })
  expect(refused[0]?.why).toContain('level')
  expect(refused[1]).toMatchObject({ id: null, number: null })
})

test.each([
  ['NUL', { message: 'a\u0000b' }],
  ['half a character', { message: 'a\ud83d' }],
  ['the other half', { code: '\ude00' }],
  ['year 0', { at: '0000-01-01T00:00:00Z' }],
])('what the database cannot hold is refused: %s', (_, more) => {
  expect(validateEvents([debug(more)], received).refused).toHaveLength(1)
})

test('a whole character and a written-out escape are text', () => {
  expect(validateEvents([debug({ message: '😀 and \\u0000 and \\ud83d' })], received).refused).toEqual([])
})

test('the day is the device’s while its clock is believable, else the server’s, and flagged', () => {
  expect(placeEvent(['2026-11-20T23:59:59Z'], received)).toEqual({ day: '2026-11-20', isClockDoubted: false })
  expect(placeEvent(['2026-08-24T10:00:01Z'], received)).toEqual({ day: '2026-08-24', isClockDoubted: false })
  expect(placeEvent(['2026-08-22T10:00:00Z'], received)).toEqual({ day: '2026-11-21', isClockDoubted: true })
  expect(placeEvent(['2026-11-22T10:00:00Z'], received)).toEqual({ day: '2026-11-22', isClockDoubted: false })
  expect(placeEvent(['2026-11-22T10:00:01Z'], received)).toEqual({ day: '2026-11-21', isClockDoubted: true })
  expect(placeEvent(['1970-01-01T00:00:10Z'], received)).toEqual({ day: '2026-11-21', isClockDoubted: true })
})

test('a play that ended now but began in 2030, by a clock set right meanwhile, is doubted', () => {
  expect(placeEvent(['2026-11-21T09:59:00Z', '2030-01-01T00:00:00Z'], received)).toEqual({
    day: '2026-11-21',
    isClockDoubted: true,
  })
})
