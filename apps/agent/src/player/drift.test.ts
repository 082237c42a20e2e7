import { expect, test } from 'vitest'
import { PlaySpeed, speedFor } from './drift.ts'

const STEP_SECONDS = 5

/** How late a track is after each step, on a sound card that is wrong by `error` (0.0001: a hundred in a million). */
function lateOver(seconds: number, { lateMs, error }: { lateMs: number; error: number }): number[] {
  const late = [lateMs]
  let speed = 1
  for (let passed = 0; passed < seconds; passed += STEP_SECONDS) {
    const last = late.at(-1) ?? 0
    speed = speedFor(last, speed !== 1)
    late.push(last - (speed * (1 + error) - 1) * STEP_SECONDS * 1000)
  }
  return late
}

test('A track that began 40 ms late is on its schedule a minute later, and never early', () => {
  const late = lateOver(60, { lateMs: 40, error: 0 })
  expect(late.at(-1)).toBeLessThan(0.5)
  expect(Math.min(...late)).toBeGreaterThan(-0.001)
})

test.each([
  [0.0001, 2.5],
  [-0.0001, 2.5],
  [0.0003, 3.5],
  [-0.0003, 3.5],
])('A sound card that is wrong by %f is at most %f ms off within a day', (error, atMostMs) => {
  const late = lateOver(86_400, { lateMs: 0, error })
  expect(Math.max(...late.map(Math.abs))).toBeLessThanOrEqual(atMostMs + 0.001)
})

test('A track that is on its schedule but for a millisecond is not resampled', () => {
  expect(speedFor(1, false)).toBe(1)
  expect(speedFor(-1.9, false)).toBe(1)
})

test('A track that is corrected, or ends in a crossfade, comes within half a millisecond of its schedule', () => {
  expect(speedFor(2, true)).toBeCloseTo(1.0004, 9)
  expect(speedFor(-0.6, true)).toBeCloseTo(0.99988, 9)
  expect(speedFor(0.4, true)).toBe(1)
})

test('The speed changes by a thousandth at most', () => {
  expect(speedFor(100_000, false)).toBe(1.001)
  expect(speedFor(-100_000, false)).toBe(0.999)
})

test('A correction that has begun goes on within the tolerance, and a new mpv begins without one', async () => {
  const applied: number[] = []
  const speed = new PlaySpeed(async value => void applied.push(value))
  await speed.correct(1.5, false)
  expect(applied).toEqual([])
  await speed.correct(2.5, false)
  await speed.correct(1.5, false)
  await speed.correct(0.4, false)
  expect(applied).toEqual([1.0005, 1.0003, 1])
  await speed.correct(2.5, false)
  speed.forget()
  await speed.correct(1.5, false)
  await speed.reset()
  expect(applied).toEqual([1.0005, 1.0003, 1, 1.0005])
})
