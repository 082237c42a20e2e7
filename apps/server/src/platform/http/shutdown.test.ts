import { expect, test } from 'vitest'
import { closeInSlices, Shutdown } from './shutdown.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** How many are closed in each turn. */
async function slicesOf(count: number): Promise<number[]> {
  const slices: number[] = []
  let isOpen = false
  const close = () => {
    if (!isOpen) slices.push(0)
    isOpen = true
    slices[slices.length - 1] = (slices.at(-1) ?? 0) + 1
    queueMicrotask(() => (isOpen = false))
  }
  await closeInSlices(numbers(count), close, new AbortController().signal)
  return slices
}

test('connections are closed fifty at a time', async () => {
  expect(await slicesOf(0)).toEqual([])
  expect(await slicesOf(120)).toEqual([50, 50, 20])
})

test('many connections are closed in a hundred slices', async () => {
  const open = numbers(20_000)
  const closed: number[] = []
  const hurry = new AbortController()
  const done = closeInSlices(open, one => closed.push(one), hurry.signal)
  expect(closed).toHaveLength(200)
  hurry.abort()
  await done
  expect(closed).toEqual(open)
})

test('a step that fails is told, and keeps no other from its end', async () => {
  const warnings: string[] = []
  const ended: string[] = []
  const shutdown = new Shutdown({ warn: ({ err }: { err: Error }) => void warnings.push(err.message) })
  shutdown.onLeave(() => Promise.reject(new Error('no')))
  shutdown.onLeave(() => {
    throw new Error('neither')
  })
  shutdown.onLeave(async () => {
    await Promise.resolve()
    ended.push('last')
  })
  const leaving = shutdown.leave(new AbortController().signal)
  expect(shutdown).toMatchObject({ hasBegun: true, isLeaving: true })
  expect(shutdown.leave(AbortSignal.abort())).toBe(leaving)
  await leaving
  expect(ended).toEqual(['last'])
  expect(warnings).toEqual(['no', 'neither'])
})
