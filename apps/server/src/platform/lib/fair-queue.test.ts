import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FairQueue, QueueFullError, type Turn } from './fair-queue.ts'

/** A queue whose jobs end when the test says so; `order` has the jobs in the order of their starts. */
function openQueue(...limits: ConstructorParameters<typeof FairQueue>) {
  const queue = new FairQueue(...limits)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string, turn: Turn) =>
    queue.run(turn, () => {
      order.push(name)
      return new Promise<void>(resolve => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { queue, order, add, end }
}

test('clients take turns, however many jobs one of them has', async () => {
  const { order, add, end } = openQueue({ places: 1 })
  const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(name => add(name, { clientId: name.slice(0, 1) }))
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  await Promise.all(jobs)
})

test('a client has one place unless told, so that another never waits for all its jobs', async () => {
  const { order, add, end } = openQueue({ places: 2 })
  const jobs = [add('a1', { clientId: 'a' }), add('a2', { clientId: 'a' }), add('b1', { clientId: 'b' })]
  expect(order).toEqual(['a1', 'b1'])
  await end('a1')
  expect(order).toEqual(['a1', 'b1', 'a2'])
  for (const name of ['a2', 'b1']) await end(name)
  await Promise.all(jobs)
})

test('long jobs of several clients leave a place for short ones', async () => {
  const { order, add, end } = openQueue({ places: 2, longPlaces: 1 })
  const jobs = [
    add('a-long', { clientId: 'a', isLong: true }),
    add('b-long', { clientId: 'b', isLong: true }),
    add('c-short', { clientId: 'c' }),
    add('b-short', { clientId: 'b' }),
  ]
  expect(order).toEqual(['a-long', 'c-short'])
  await end('c-short')
  expect(order).toEqual(['a-long', 'c-short', 'b-short'])
  await end('a-long')
  // One a client: the long job of b waits for its short one.
  await end('b-short')
  expect(order.at(-1)).toBe('b-long')
  await end('b-long')
  await Promise.all(jobs)
})

test('what is over a bound is refused, of one client before the others', async () => {
  const { queue, add, end } = openQueue({ places: 1, maxWaiting: 3, maxWaitingAClient: 2 })
  const jobs = ['a1', 'a2', 'a3'].map(name => add(name, { clientId: 'a' }))
  await expect(add('a4', { clientId: 'a' })).rejects.toThrow(QueueFullError)
  jobs.push(add('b1', { clientId: 'b' }))
  await expect(add('c1', { clientId: 'c' })).rejects.toThrow(QueueFullError)
  expect(queue.state).toEqual({ inWork: 1, waiting: 3 })
  for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name)
  await Promise.all(jobs)
  expect(queue.state).toEqual({ inWork: 0, waiting: 0 })
})

test('a job whose caller is gone leaves the queue', async () => {
  const { queue, order, add, end } = openQueue({ places: 1 })
  const caller = new AbortController()
  const first = add('a1', { clientId: 'a' })
  const gone = add('b1', { clientId: 'b', signal: caller.signal })
  caller.abort(new Error('the caller is gone'))
  await expect(gone).rejects.toThrow('the caller is gone')
  await expect(add('b2', { clientId: 'b', signal: caller.signal })).rejects.toThrow('the caller is gone')
  await end('a1')
  await first
  expect([order, queue.state]).toEqual([['a1'], { inWork: 0, waiting: 0 }])
})

test('a job that fails frees its place once', async () => {
  const queue = new FairQueue({ places: 1 })
  const failing = queue.run({ clientId: 'a' }, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const leave = await queue.enter({ clientId: 'a' })
  leave()
  leave()
  expect(queue.state).toEqual({ inWork: 0, waiting: 0 })
})
