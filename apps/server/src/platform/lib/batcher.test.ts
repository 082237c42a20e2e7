import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

const options = { maxWaitMs: 1, maxBatch: 100, concurrency: 1, mayBeItemsFault: () => true }

test('what arrives together is stored together, and each hears its own answer', async () => {
  const batches: number[][] = []
  const commit = new Batcher<number, number>(async items => {
    batches.push(items)
    return items.map(item => item * 10)
  }, options)
  expect(await Promise.all([1, 2, 3].map(item => commit.add(item)))).toEqual([10, 20, 30])
  expect(batches).toEqual([[1, 2, 3]])
})

test('nobody is answered before the batch is stored', async () => {
  const { promise: stored, resolve: finish } = Promise.withResolvers<void>()
  const commit = new Batcher<number, number>(async items => {
    await stored
    return items
  }, options)
  let isAnswered = false
  const answer = commit.add(1).then(() => (isAnswered = true))
  const drained = commit.drain()
  await new Promise(resolve => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  finish()
  await drained
  await answer
  expect(isAnswered).toBe(true)
})

test('one bad item is refused alone; the others of its batch are stored', async () => {
  const kept: number[] = []
  const commit = new Batcher<number, number>(async items => {
    if (items.includes(2)) throw new Error('2 is bad')
    kept.push(...items)
    return items
  }, options)
  const results = await Promise.allSettled([1, 2, 3].map(item => commit.add(item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(kept).toEqual([1, 3])
})

test('a failure that is no item’s fault is told to all, and the next batch is tried', async () => {
  let isDown = true
  const commit = new Batcher<number, number>(
    async items => {
      if (isDown) throw new Error('the database is away')
      return items
    },
    { ...options, mayBeItemsFault: () => false },
  )
  const results = await Promise.allSettled([1, 2].map(item => commit.add(item)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await commit.add(3)).toBe(3)
})

test('what comes while a batch is under way leaves when that is done, none lost', async () => {
  const sizes: number[] = []
  const commit = new Batcher<number, number>(
    async items => {
      sizes.push(items.length)
      await new Promise(resolve => setTimeout(resolve, 3))
      return items
    },
    { ...options, maxBatch: 4 },
  )
  const items = Array.from({ length: 30 }, (_, index) => index)
  expect(await Promise.all(items.map(item => commit.add(item)))).toEqual(items)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(30)
  expect(Math.max(...sizes)).toBe(4)
})

test('a batch holds items up to its size; a larger item is a batch alone', async () => {
  const batches: string[][] = []
  const commit = new Batcher<string, string>(
    async items => {
      batches.push(items)
      return items
    },
    { ...options, maxBatch: 4, sizeOf: item => item.length },
  )
  await Promise.all(['aa', 'b', 'cc', 'dddddd', 'e', 'ff'].map(item => commit.add(item)))
  expect(batches).toEqual([['aa', 'b'], ['cc'], ['dddddd'], ['e', 'ff']])
})

test('a batch starts beside another one from a size on, smaller ones wait for it', async () => {
  const batches: number[][] = []
  const { promise: stored, resolve: finish } = Promise.withResolvers<void>()
  const commit = new Batcher<number, number>(
    async items => {
      batches.push(items)
      await stored
      return items
    },
    { ...options, maxWaitMs: 0, concurrency: 2, minBeside: 3 },
  )
  const turn = () => new Promise(resolve => setTimeout(resolve, 1))
  const answers: Promise<number>[] = []
  for (const items of [[1], [2, 3], [4], [5, 6, 7]]) {
    answers.push(...items.map(item => commit.add(item)))
    await turn()
  }
  expect(batches).toEqual([[1], [2, 3, 4]])
  finish()
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6, 7]])
})
