import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FigureCache } from './figure-cache.ts'

const at = (seconds: number) => new Date(seconds * 1000)

/** Measures the number of the measurement. */
function countingCache() {
  const cache = new FigureCache<number>(10)
  let count = 0
  const read = (seconds: number, maxLagSeconds = 0) =>
    cache.read('key', { now: at(seconds), minAgeMs: 60_000, maxLagMs: maxLagSeconds * 1000 }, () =>
      Promise.resolve((count += 1)),
    )
  return { read, cache }
}

it('keeps figures as long as asked', async () => {
  const { read } = countingCache()
  expect([await read(0), await read(59), await read(60)]).toEqual([1, 1, 2])
})

it('gives lagging figures while newer ones are measured', async () => {
  const { read } = countingCache()
  expect(await read(0, 600)).toBe(1)
  expect(await read(100, 600)).toBe(1)
  expect(await read(101, 600)).toBe(2)
  expect(await read(1000, 600)).toBe(3)
})

it('gives lagging figures also if the newer ones fail, and measures again', async () => {
  const { read, cache } = countingCache()
  await read(0, 600)
  const fail = () => Promise.reject(new Error('away'))
  const asked = { now: at(100), minAgeMs: 60_000, maxLagMs: 600_000 }
  expect(await cache.read('key', asked, fail)).toBe(1)
  await nextTurn()
  expect(await read(101, 600)).toBe(2)
})
