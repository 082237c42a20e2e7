import { expect, test } from 'vitest'
import { FleetClock } from './fleet-clock.ts'

const HOUR = 3_600_000

function makeClock(speed: number, behindMs = 0) {
  let wall = 1_000_000
  const clock = new FleetClock(speed, { behindMs, wall: () => wall })
  return { clock, start: wall, pass: (millis: number) => (wall += millis) }
}

test('runs at its speed, but at most 20 hours ahead', () => {
  const { clock, start, pass } = makeClock(60)
  pass(60_000)
  expect(clock.now() - start).toBe(HOUR)
  pass(10 * HOUR)
  expect(clock.now() - start).toBe(30 * HOUR + 60_000)
})

test.each([1, 60, 0.5])('computes the exact wall time until an instant, at speed %d', speed => {
  const { clock, start, pass } = makeClock(speed)
  for (const instant of [start + 1000, start + 5 * HOUR, start + 40 * HOUR]) {
    pass(clock.wallMsUntil(instant))
    expect(clock.now()).toBeCloseTo(instant, 3)
    expect(clock.wallMsUntil(instant)).toBeCloseTo(0, 3)
  }
  expect(clock.wallMsUntil(start)).toBe(0)
})

test('starts before wall time, passes it, and stays at most 20 hours ahead', () => {
  const { clock, start, pass } = makeClock(60, 48 * HOUR)
  expect(clock.now() - start).toBe(-48 * HOUR)
  pass(HOUR)
  expect(clock.now() - start).toBe(12 * HOUR)
  expect(clock.wallMsUntil(start + 21 * HOUR)).toBeCloseTo(9 * 60_000, 3)
  pass(HOUR)
  expect(clock.now() - start).toBe(22 * HOUR)
})
