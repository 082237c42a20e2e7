import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, forecastStatistics, type DayBytes } from './statistics-forecast.ts'

const today = '2026-11-22'
/** The bytes of the last days, the oldest first; the last one is yesterday's. */
const lastDays = (bytes: readonly number[]): DayBytes[] =>
  bytes.map((ofDay, index) => ({ day: addDays(today, index - bytes.length), bytes: ofDay }))
const forecast = (bytes: readonly number[], limit: number, announcedOn: string | null = null) =>
  forecastStatistics({
    days: lastDays(bytes),
    limit,
    today,
    announcedOn: { plan: announcedOn, age: announcedOn, sums: announcedOn },
    sums: { days: [], playsKeptFrom: null },
  })

test('the rate is the mean of the last seven whole days, or of as many as there are', () => {
  expect(forecast([], 100)).toEqual({
    statisticsBytes: { used: 0, limit: 100, perDay: 0, fullInDays: null },
    statisticsDeletions: [],
  })
  expect(forecast([10, 20], 100).statisticsBytes).toMatchObject({ used: 30, perDay: 15, fullInDays: 5 })
  const bytes = [500, ...Array.from({ length: 7 }, () => 70)]
  expect(forecast(bytes, 2000).statisticsBytes).toMatchObject({ perDay: 70, fullInDays: 15 })
  expect(forecast(bytes, 2000).statisticsDeletions).toEqual([])
})

test('what the plan deletes is told two weeks before, and at least seven days', () => {
  expect(forecast([10, 10, 10], 100).statisticsDeletions[0]).toEqual({
    reason: 'plan',
    from: '2026-11-29',
    before: '2026-11-20',
  })
  // Full since the plan became smaller today: the days of the notice come first.
  expect(forecast([10, 10, 10], 20).statisticsDeletions[0]).toMatchObject({ from: '2026-11-29' })
  expect(forecast([10, 10, 10], 25, '2026-11-10').statisticsDeletions[0]).toEqual({
    reason: 'plan',
    from: today,
    before: '2026-11-20',
  })
})

test('what grows too old is told, and makes room: a constant rate is never full if 400 days fit', () => {
  const bytes = Array.from({ length: 395 }, () => 10)
  const { statisticsBytes, statisticsDeletions } = forecast(bytes, 4100, '2026-11-20')
  expect(statisticsBytes.fullInDays).toBeNull()
  expect(statisticsDeletions).toEqual([{ reason: 'age', from: '2026-11-28', before: '2025-10-24' }])
  expect(forecast(bytes, 4100).statisticsDeletions).toMatchObject([{ from: '2026-11-29' }])
  expect(forecast(bytes, 3960, '2026-11-20').statisticsDeletions).toMatchObject([
    { reason: 'plan', from: '2026-11-27' },
    { reason: 'age', from: '2026-11-28' },
  ])
  expect(forecast(bytes, 3990).statisticsBytes.fullInDays).toBe(4)
})

test('heartbeats that are folded after eight days make room, and the rate is what stays', () => {
  const days = (count: number, limit: number) =>
    forecastStatistics({
      // Of a thousand bytes 900 are single heartbeats in the last nine days; 27 of them stay.
      days: lastDays(Array.from({ length: count }, () => 1000)).map((day, index) =>
        index >= count - 8 ? { ...day, singleHeartbeats: 900 } : { ...day, bytes: 127 },
      ),
      limit,
      today,
      announcedOn: { plan: null, age: null, sums: null },
      sums: { days: [], playsKeptFrom: null },
    }).statisticsBytes
  expect(days(20, 1_000_000)).toEqual({
    used: 12 * 127 + 8000,
    limit: 1_000_000,
    perDay: 127,
    fullInDays: null,
  })
  // Each day a day comes, and the heartbeats of another one are folded.
  expect(days(20, 9524 + 10 * 127).fullInDays).toBe(10)
  expect(days(20, 9524 + 10 * 127 + 1).fullInDays).toBe(11)
  // A young client grows by whole days until its first one is folded.
  expect(days(3, 8000).fullInDays).toBe(5)
  expect(days(3, 8001).fullInDays).toBe(6)
  expect(days(3, 8000 + 3 * 127).fullInDays).toBe(8)
  expect(days(3, 8000 + 13 * 127).fullInDays).toBe(18)
})

test('older sums go beyond a quarter of the storage, and after the single plays of their days', () => {
  const sumsOf = (playsKeptFrom: string | null, announcedOn: string | null, limit = 240) =>
    forecastStatistics({
      days: [],
      limit,
      today,
      announcedOn: { plan: null, age: null, sums: announcedOn },
      sums: {
        days: Array.from({ length: 8 }, (_, n) => ({ day: addDays('2026-08-06', n), bytes: 10 })),
        playsKeptFrom,
      },
    }).statisticsDeletions
  expect(sumsOf('2026-11-01', null)).toEqual([{ reason: 'sums', from: '2026-11-29', before: '2026-08-14' }])
  expect(sumsOf('2026-11-01', '2026-11-15')).toEqual([{ reason: 'sums', from: today, before: '2026-08-08' }])
  expect(sumsOf('2026-08-08', '2026-11-15')).toEqual([{ reason: 'sums', from: today, before: '2026-08-07' }])
  expect(sumsOf('2026-08-07', '2026-11-15')).toEqual([])
  expect(sumsOf(null, '2026-11-15')).toEqual([])
  expect(sumsOf('2026-11-01', '2026-11-15', 1000)).toEqual([])
})

test('the day that is named is the last one before the limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 5000 }),
      (bytes, limit) => {
        const { used, perDay, fullInDays } = forecast(bytes, limit).statisticsBytes
        if (fullInDays === null) expect(used + 400 * perDay).toBeLessThanOrEqual(limit + 30 * 100)
        else if (fullInDays > 0 && fullInDays < 370) {
          expect(used + fullInDays * perDay).toBeGreaterThanOrEqual(limit)
          expect(used + (fullInDays - 1) * perDay).toBeLessThan(limit)
        }
      },
    ),
    { numRuns: 200 },
  )
})
