import { expect, test } from 'vitest'
import { CallMetrics, Metrics } from './metrics.ts'

test('counts calls, answers and errors, and rethrows errors', async () => {
  const calls = new CallMetrics()
  expect(await calls.time(async () => 'answer')).toBe('answer')
  await expect(calls.time(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  calls.begin()
  expect(calls.counts).toEqual({ sent: 3, acknowledged: 1, errors: 1 })
  const { p50, p99 } = calls.summary()
  expect(p50).toBe(p99)
  expect(p50).not.toBeNull()
})

test('without an answer, there are no times, and the line is still printed', () => {
  expect(new CallMetrics().summary()).toMatchObject({ p50: null, p95: null, p99: null })
  expect(new Metrics().line(3.2, 20)).toContain('0 of 20 connected')
})
