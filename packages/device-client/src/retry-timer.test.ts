import { expect, test } from 'vitest'
import { RetryTimer } from './retry-timer.ts'

/** A timer with a clock that is set by hand, by default without jitter. */
function makeTimer(jitter = 0) {
  const clock = { now: 1000 }
  return { clock, retry: new RetryTimer({ steady: () => clock.now, random: () => jitter }) }
}

test('The wait doubles after each failure in a row and restarts after a success', () => {
  const { clock, retry } = makeTimer()
  expect(retry.delayMs).toBe(0)
  const delays = [1, 2, 3].map(() => {
    retry.fail(null)
    return retry.delayMs
  })
  expect(delays).toEqual([1000, 2000, 4000])
  clock.now += 1500
  expect(retry.delayMs).toBe(2500)
  retry.reset()
  expect([retry.failures, retry.delayMs]).toEqual([0, 0])
  retry.fail(null)
  expect(retry.delayMs).toBe(1000)
})

test('Only time ends Retry-After, and devices with the same Retry-After return at different times', () => {
  const { clock, retry } = makeTimer(1)
  retry.fail(20)
  expect(retry.delayMs).toBe(25_000)
  retry.skipBackoff()
  retry.reset()
  expect(retry.delayMs).toBe(25_000)
  clock.now += 24_000
  retry.fail(null)
  expect(retry.delayMs).toBe(1000)
  clock.now += 1000
  expect(retry.delayMs).toBe(0)
})

test('A Retry-After of a day is limited to 15 minutes', () => {
  const { retry } = makeTimer()
  retry.fail(86_400)
  expect(retry.delayMs).toBe(15 * 60_000)
})
