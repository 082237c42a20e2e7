import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Clock } from './clock.ts'
import { ReportingClock } from './reporting-clock.ts'

const noon = Date.parse('2026-12-01T12:00:00Z')
const HOUR = 3_600_000

/** A box whose time passes by hand; `correct` has the server say that its clock is so far off. */
function makeBox() {
  let steady = 5000
  const clock = new Clock({ system: () => noon, steady: () => steady }, noon - HOUR, null)
  const proof = new ReportingClock(clock)
  return {
    clock,
    proof,
    steady: () => steady,
    pass: (ms: number) => void (steady += ms),
    correct: (by: number) => clock.applyServerTime(clock.now() + by, steady, steady),
  }
}

/** Tells plays as the turntable does: both ends once each has been heard. */
function makeTeller({ proof, pass, steady, correct }: ReturnType<typeof makeBox>) {
  let toldUntil = -Infinity
  return {
    /** Silence, and then sound. */
    rest: (ms: number) => {
      pass(ms)
      proof.resume(toldUntil)
    },
    /** A play of `ms`, in whose middle the clock is corrected. */
    play: (ms: number, correction = 0) => {
      const begun = steady()
      const startedAt = proof.toReported(begun)
      pass(ms / 2)
      if (correction !== 0) correct(correction)
      pass(ms - ms / 2)
      const former = toldUntil
      toldUntil = proof.toReported(steady())
      return { startedAt, endedAt: toldUntil, former, again: proof.toReported(begun) }
    },
  }
}

test('A clock set back by 49 ms while a track plays: the next begins where it ended, and all is made up in two minutes', () => {
  const box = makeBox()
  const { play, rest } = makeTeller(box)
  rest(0)
  const first = play(180_000, -49)
  const second = play(30_000)
  expect(second.startedAt).toBe(first.endedAt)
  expect(first.endedAt - first.startedAt).toBeGreaterThanOrEqual(180_000 - 49)
  expect(second.endedAt - second.startedAt).toBeGreaterThanOrEqual(30_000 - 15)
  expect(play(60_000).endedAt).toBe(box.clock.now())
})

test('A clock set on by a second while a track plays leaves no hole, and silence takes all of it at once', () => {
  const box = makeBox()
  const { play, rest } = makeTeller(box)
  rest(0)
  const first = play(10_000, 1000)
  expect(first.endedAt - first.startedAt).toBeLessThanOrEqual(10_003)
  expect(play(10_000).startedAt).toBe(first.endedAt)
  rest(100)
  const now = box.clock.now()
  expect(play(10_000).startedAt).toBe(now)
})

test('Set back by seconds, the sound after a short silence is told from where the former ended; by an hour, as it is', () => {
  const box = makeBox()
  const { play, rest } = makeTeller(box)
  rest(0)
  const first = play(60_000, -5000)
  rest(40)
  expect(play(60_000).startedAt).toBe(first.endedAt)
  box.correct(-HOUR)
  rest(0)
  const now = box.clock.now()
  expect(play(1000).startedAt).toBe(now)
})

test('Whatever corrects the clock, plays neither overlap nor leave a hole that was none, and last as long as they were heard', () => {
  const step = fc.record({
    silence: fc.option(fc.integer({ min: 0, max: 60_000 })),
    length: fc.integer({ min: 1000, max: 600_000 }),
    correction: fc.integer({ min: -14_000, max: 14_000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), steps => {
      const { play, rest } = makeTeller(makeBox())
      rest(0)
      for (const [index, { silence, length, correction }] of steps.entries()) {
        if (silence !== null) rest(silence)
        // The player lives with 30 s at most; further off it begins anew.
        const told = play(length, index % 2 === 0 ? correction : -(steps[index - 1]?.correction ?? 0))
        expect(told.again).toBe(told.startedAt)
        const heard = told.endedAt - told.startedAt
        expect(Math.abs(heard - length)).toBeLessThanOrEqual(1 + length * 0.0005)
        if (index === 0) continue
        expect(told.startedAt).toBeGreaterThanOrEqual(told.former)
        if (silence === null) expect(told.startedAt).toBe(told.former)
      }
    }),
  )
})
