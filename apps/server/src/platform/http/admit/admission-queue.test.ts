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

test('a measurement at the moment of the one before it changes nothing', async () => {
  const queue = open({ places: 1 })
  await queue.enter(caller('a'))
  for (let n = 0; n < 10; n += 1) void queue.enter(caller('a')).catch(() => undefined)
  queue.measure()
  expect(await secondsOfRefusal(queue)).toBe(Math.ceil(11 / 5))
})

test.each([
  { intervals: 1, ended: 6, rate: 5 * 0.7 + 3 * 0.3 },
  { intervals: 2, ended: 6, rate: (5 * 0.7 + 3 * 0.3) * 0.7 + 3 * 0.3 },
  { intervals: 20, ended: 6, rate: 3 },
  { intervals: 2, ended: 0, rate: 5 * 0.7 * 0.7 },
])(
  'while one call waits, the rate after $intervals intervals is that of the $ended calls that end in each',
  async ({ intervals, ended, rate }) => {
    const queue = open({ places: 1, maxWaiting: 1 })
    await queue.enter(caller('a'))
    let waiting = queue.enter(caller('a'))
    for (let interval = 0; interval < intervals; interval += 1) {
      for (let n = 0; n < ended; n += 1) {
        queue.leave(caller('a'))
        await waiting
        waiting = queue.enter(caller('a'))
      }
      nowMs += 2000
      queue.measure()
    }
    for (let n = 0; n < 20; n += 1) await secondsOfRefusal(queue)
    expect(await secondsOfRefusal(queue)).toBe(Math.ceil(22 / rate))
  },
)

test('a queue in which nothing ends is told as one call a second at the least', async () => {
  const queue = open({ places: 1, maxWaiting: 5 })
  await queue.enter(caller('a'))
  for (let n = 0; n < 5; n += 1) void queue.enter(caller('a')).catch(() => undefined)
  for (let seconds = 0; seconds < 30; seconds += 1) {
    nowMs += 1000
    queue.measure()
  }
  expect(await secondsOfRefusal(queue)).toBe(6)
})

/** How many calls of these clients are in work, each with a body, when all of them have asked. */
function inWorkAfter(queue: AdmissionQueue, calls: readonly [clientId: string, bodyBytes: number][]) {
  for (const [clientId, bodyBytes] of calls) void queue.enter({ clientId, bodyBytes }).catch(() => undefined)
  return queue.state.inWork
}

test('one client has at most half of the places, rounded up, by the places of its calls', () => {
  const small = ['a', 0] as [string, number]
  const large = ['a', 1000] as [string, number]
  expect(inWorkAfter(open({ places: 5 }), [small, small, small, small])).toBe(3)
  expect(inWorkAfter(open({ places: 5, bytesAPlace: 1000 }), [small, large, small])).toBe(3)
  expect(inWorkAfter(open({ places: 5, bytesAPlace: 1000 }), [large, large])).toBe(2)
  const huge = ['a', 3000] as [string, number]
  expect(inWorkAfter(open({ places: 5, bytesAPlace: 1000 }), [small, huge])).toBe(1)
  // Who has none gets what it needs.
  expect(inWorkAfter(open({ places: 5, bytesAPlace: 1000 }), [huge, small])).toBe(4)
})

test('the places that are kept are those above what clients with places may take', () => {
  const of = (clientId: string) => [clientId, 0] as [string, number]
  expect(inWorkAfter(open({ places: 6, keptPlaces: 2 }), ['a', 'b', 'a', 'b', 'a', 'b'].map(of))).toBe(4)
  expect(inWorkAfter(open({ places: 6 }), ['a', 'b', 'a', 'b', 'a', 'b'].map(of))).toBe(6)
})

test('of clients with as many waiting calls, a full queue refuses the newest of the one whose turn comes first', async () => {
  const queue = open({ places: 1, maxWaiting: 4 })
  await queue.enter(caller('z'))
  const outcomes: string[] = []
  const wait = (name: string) =>
    queue.enter(caller(name.charAt(0))).then(
      () => outcomes.push(`${name} entered`),
      () => outcomes.push(`${name} refused`),
    )
  const calls = ['a1', 'b1', 'a2', 'b2'].map(wait)
  void wait('c1')
  await calls[2]
  expect(outcomes).toEqual(['a2 refused'])
})
