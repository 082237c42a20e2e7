import { beforeEach, expect, test } from 'vitest'
import type { ProblemError } from '../../lib/errors.ts'
import { AdmissionQueue, type Level } from './admission-queue.ts'

const LEVEL: Level = { places: 5, minPlaces: 1, maxWaiting: 10, maxWaitMs: 60_000 }
let nowMs: number
beforeEach(() => (nowMs = 0))

const open = (level: Partial<Level> = {}) =>
  new AdmissionQueue({ ...LEVEL, ...level }, { steady: () => nowMs, random: () => 0 })
const caller = (clientId: string) => ({ clientId })
const enter = async (queue: AdmissionQueue, clientId: string) => queue.enter(caller(clientId))
const secondsOfRefusal = (queue: AdmissionQueue) =>
  enter(queue, 'a').then(
    () => null,
    (error: ProblemError) => error.details.retryAfterSeconds,
  )

test('a queue counts what it has let in and refused since the start', async () => {
  const queue = open({ places: 1, maxWaiting: 1 })
  expect(queue.state).toEqual({ places: 1, inWork: 0, waiting: 0, admitted: 0, refused: 0 })
  await queue.enter(caller('a'))
  const second = queue.enter(caller('b'))
  expect(queue.state).toEqual({ places: 1, inWork: 1, waiting: 1, admitted: 1, refused: 0 })
  await expect(enter(queue, 'b')).rejects.toMatchObject({ code: 'busy' })
  queue.leave(caller('a'))
  await second
  queue.leave(caller('b'))
  expect(queue.state).toEqual({ places: 1, inWork: 0, waiting: 0, admitted: 2, refused: 1 })
})

test('a queue that is held lets nobody in, and all that have places once it is released', async () => {
  const queue = open({ places: 2 })
  const entered: string[] = []
  queue.hold()
  for (const name of ['a', 'b', 'c']) void queue.enter(caller(name)).then(() => entered.push(name))
  await Promise.resolve()
  expect([entered, queue.state.waiting]).toEqual([[], 3])
  queue.release()
  await Promise.resolve()
  expect([entered, queue.state.waiting]).toEqual([['a', 'b'], 1])
})

test('a queue loses half of its places, rounded down, and gets them back by a quarter, rounded up', () => {
  const queue = open()
  const after = (change: 'shrink' | 'grow') => {
    queue[change]()
    return queue.state.places
  }
  expect([after('shrink'), after('shrink'), after('shrink')]).toEqual([2, 1, 1])
  expect(Array.from({ length: 5 }, () => after('grow'))).toEqual([2, 3, 4, 5, 5])
})

test('the time to come back follows the rate of the newest seconds by a third', async () => {
  const queue = open({ places: 1, maxWaiting: 10 })
  await queue.enter(caller('a'))
  for (let n = 0; n < 10; n += 1) void queue.enter(caller('a')).catch(() => undefined)
  // It guesses five calls a second; none ends.
  for (let seconds = 0; seconds < 2; seconds += 1) {
    nowMs += 1000
    queue.measure()
  }
  // 11 calls at 5 × 0.7 × 0.7 a second.
  expect(await secondsOfRefusal(queue)).toBe(Math.ceil(11 / 2.45))
})

test('a queue without callers keeps its rate', async () => {
  const queue = open({ places: 1, maxWaiting: 10 })
  for (let seconds = 0; seconds < 5; seconds += 1) {
    nowMs += 1000
    queue.measure()
  }
  await queue.enter(caller('a'))
  for (let n = 0; n < 10; n += 1) void queue.enter(caller('a')).catch(() => undefined)
  expect(await secondsOfRefusal(queue)).toBe(Math.ceil(11 / 5))
})
