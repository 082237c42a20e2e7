import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Clock } from './clock.ts'
import { ReportingClock } from './reporting-clock.ts'

const noon = Date.parse('2026-12-01T12:00:00Z')
const HOUR = 3_600_000

/** Clocks whose time the server has confirmed, and which advance by hand; `correct` applies a later correction by the server. */
function makeClocks() {
  let steady = 5000
  const clock = new Clock({ system: () => noon, steady: () => steady }, noon - HOUR, null)
  const reporting = new ReportingClock(clock)
  clock.applyServerTime(noon, steady, steady)
  return {
    clock,
    reporting,
    steady: () => steady,
    pass: (ms: number) => void (steady += ms),
    correct: (by: number) => clock.applyServerTime(clock.now() + by, steady, steady),
  }
}

/** Reports plays as the crossfade player does: start and end when each is reached. */
function makeReporter({ reporting, pass, steady, correct }: ReturnType<typeof makeClocks>) {
  let reportedUntil = -Infinity
  return {
    /** Silence before sound. */
    rest: (ms: number) => {
      pass(ms)
      reporting.resume(reportedUntil)
    },
    /** A play with a correction of the clock in its middle. */
    play: (ms: number, correction = 0) => {
      const start = steady()
      const startedAt = reporting.toReported(start)
      pass(ms / 2)
      if (correction !== 0) correct(correction)
      pass(ms - ms / 2)
      const previousEnd = reportedUntil
      reportedUntil = reporting.toReported(steady())
      return { startedAt, endedAt: reportedUntil, previousEnd, again: reporting.toReported(start) }
    },
  }
}

test('After a correction by −49 ms during a track, the next track starts at its end, and the offset is gone in two minutes', () => {
  const clocks = makeClocks()
  const { play, rest } = makeReporter(clocks)
  rest(0)
  const first = play(180_000, -49)
  const second = play(30_000)
  expect(second.startedAt).toBe(first.endedAt)
  expect(first.endedAt - first.startedAt).toBeGreaterThanOrEqual(180_000 - 49)
  expect(second.endedAt - second.startedAt).toBeGreaterThanOrEqual(30_000 - 15)
  expect(play(60_000).endedAt).toBe(clocks.clock.now())
})

test('A correction by +1 s during a track causes no gap, and silence applies the rest at once', () => {
  const clocks = makeClocks()
  const { play, rest } = makeReporter(clocks)
  rest(0)
  const first = play(10_000, 1000)
  expect(first.endedAt - first.startedAt).toBeLessThanOrEqual(10_003)
  expect(play(10_000).startedAt).toBe(first.endedAt)
  rest(100)
  const now = clocks.clock.now()
  expect(play(10_000).startedAt).toBe(now)
})

test('After a correction by some seconds, sound after a short silence starts at the previous end; after one by an hour, at the clock', () => {
  const clocks = makeClocks()
  const { play, rest } = makeReporter(clocks)
  rest(0)
  const first = play(60_000, -5000)
  rest(40)
  expect(play(60_000).startedAt).toBe(first.endedAt)
  clocks.correct(-HOUR)
  rest(0)
  const now = clocks.clock.now()
  expect(play(1000).startedAt).toBe(now)
})

test('With any corrections, reported plays neither overlap nor have false gaps, and keep their lengths', () => {
  const step = fc.record({
    silence: fc.option(fc.integer({ min: 0, max: 60_000 })),
    length: fc.integer({ min: 1000, max: 600_000 }),
    correction: fc.integer({ min: -14_000, max: 14_000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), steps => {
      const { play, rest } = makeReporter(makeClocks())
      rest(0)
      for (const [index, { silence, length, correction }] of steps.entries()) {
        if (silence !== null) rest(silence)
        // The total stays under 30 s, beyond which the player joins again.
        const reported = play(length, index % 2 === 0 ? correction : -(steps[index - 1]?.correction ?? 0))
        expect(reported.again).toBe(reported.startedAt)
        const reportedLength = reported.endedAt - reported.startedAt
        expect(Math.abs(reportedLength - length)).toBeLessThanOrEqual(1 + length * 0.0005)
        if (index === 0) continue
        expect(reported.startedAt).toBeGreaterThanOrEqual(reported.previousEnd)
        if (silence === null) expect(reported.startedAt).toBe(reported.previousEnd)
      }
    }),
  )
})
