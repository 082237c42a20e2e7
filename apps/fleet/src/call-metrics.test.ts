import { expect, onTestFinished, test, vi } from 'vitest'
import { CallMetrics, Times } from './call-metrics.ts'

test('counts calls, answers and errors, and rethrows errors', async () => {
  const calls = new CallMetrics()
  expect(await calls.time(async () => 'answer')).toBe('answer')
  await expect(calls.time(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  calls.begin()
  calls.begin()('later')
  expect(calls.counts).toEqual({ sent: 4, acknowledged: 1, later: 1, errors: 1 })
  const { p50, p99 } = calls.summary()
  expect(p50).toBe(p99)
  expect(p50).not.toBeNull()
})

test('after a reset, a call that began before it is not counted', () => {
  const calls = new CallMetrics()
  const [answered, failed] = [calls.begin(), calls.begin()]
  calls.reset()
  answered('answered')
  failed('failed')
  expect(calls.summary()).toEqual({
    sent: 0,
    acknowledged: 0,
    later: 0,
    errors: 0,
    unanswered: 0,
    p50: null,
    p95: null,
    p99: null,
  })
})

test('a call without an answer for ten seconds counts as unanswered until its answer arrives', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls = new CallMetrics()
  calls.begin()
  calls.reset()
  const end = calls.begin()
  vi.advanceTimersByTime(9000)
  calls.begin()
  expect(calls.summary()).toMatchObject({ sent: 2, unanswered: 0 })
  vi.advanceTimersByTime(1000)
  expect(calls.summary()).toMatchObject({ sent: 2, unanswered: 1 })
  end('answered')
  expect(calls.summary()).toMatchObject({ sent: 2, acknowledged: 1, unanswered: 0 })
})

test('computes percentiles, also of the newest times alone', () => {
  const times = new Times()
  for (let ms = 1; ms <= 3000; ms += 1) times.add(ms)
  expect(times.summary()).toEqual({ p50: 1500, p95: 2850, p99: 2970, last: 3000 })
  expect(times.recentP95()).toBe(2950)
})
