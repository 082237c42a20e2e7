import { expect, test } from 'vitest'
import { SharedReads } from './shared-reads.ts'

test('those who come while a read runs share the next one, and others have their own', async () => {
  const reads = new SharedReads<number>()
  let value = 0
  const begun: { key: string; end: () => void }[] = []
  const read = (key: string) =>
    reads.read(key, () => {
      const found = value
      const { promise, resolve } = Promise.withResolvers<number>()
      begun.push({ key, end: () => resolve(found) })
      return promise
    })
  const first = read('one')
  value = 1
  const later = [read('one'), read('one'), read('two')]
  expect(begun.map(({ key }) => key)).toEqual(['one', 'two'])
  begun.forEach(({ end }) => end())
  expect(await first).toBe(0)
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  expect(await Promise.all(later)).toEqual([1, 1, 1])
  void read('one')
  expect(begun).toHaveLength(4)
})

test('a read that fails fails for its callers alone', async () => {
  const reads = new SharedReads<number>()
  const failing = reads.read('one', () => Promise.reject(new Error('away')))
  const next = reads.read('one', async () => 1)
  await expect(failing).rejects.toThrow('away')
  expect(await next).toBe(1)
})
