import { setImmediate as turn } from 'node:timers/promises'
import { PRIORITIES, type Priority } from '@floorcast/contract/endpoint.ts'
import { beforeEach, expect, test } from 'vitest'
import { ProblemError } from '../../lib/errors.ts'
import { Admission } from './admission.ts'
import type { Level } from './admission-queue.ts'

const LEVEL: Level = { places: 4, minPlaces: 1, maxWaiting: 10, maxWaitMs: 5000 }
let nowMs: number
let admission: Admission
let begun: string[]
let ends: Map<string, () => void>

beforeEach(() => {
  nowMs = 0
  begun = []
  ends = new Map()
  admission = makeAdmission()
})

function makeAdmission(random = () => 0) {
  const levels = Object.fromEntries(PRIORITIES.map(priority => [priority, LEVEL] as const))
  levels['plays'] = { ...LEVEL, bytesAPlace: 1000 }
  levels['media'] = { ...LEVEL, keptPlaces: 1 }
  return new Admission({ steady: () => nowMs, random }, levels as Record<Priority, Level>)
}

interface TestCall {
  clientId?: string
  bodyBytes?: number
  priority?: Priority
  onWait?: (leave: () => void) => void
}

/** A call that works until `ends` has its name called. Resolves with `done`, or with the refusal. */
function call(
  name: string,
  { clientId = 'one', bodyBytes = 0, priority = 'console', onWait }: TestCall = {},
) {
  const work = () =>
    new Promise<string>(resolve => {
      begun.push(name)
      ends.set(name, () => resolve('done'))
    })
  return admission
    .run(priority, { clientId, bodyBytes, ...(onWait ? { onWait } : {}) }, work)
    .catch((error: unknown) => error as ProblemError)
}
async function started() {
  await turn()
  return begun
}
async function end(name: string) {
  await turn()
  ends.get(name)?.()
  await turn()
  await turn()
}
const refused = (retryAfterSeconds: number) => ({ status: 503, code: 'busy', details: { retryAfterSeconds } })

test('one client has at most half of the places, and others begin at once', async () => {
  for (const name of ['a1', 'a2', 'a3']) void call(name, { clientId: 'a' })
  void call('b1', { clientId: 'b' })
  expect(await started()).toEqual(['a1', 'a2', 'b1'])
})

test('a call with a large body takes more places, and no small one of another client passes it', async () => {
  void call('a1', { clientId: 'a', priority: 'plays' })
  void call('b1', { clientId: 'b', priority: 'plays', bodyBytes: 3500 })
  void call('c1', { clientId: 'c', priority: 'plays' })
  expect(await started()).toEqual(['a1'])
  await end('a1')
  expect(await started()).toEqual(['a1', 'b1'])
  await end('b1')
  expect(await started()).toEqual(['a1', 'b1', 'c1'])
})

test('a flood of one client does not hold back the calls of another', async () => {
  for (let n = 1; n <= 8; n += 1) void call(`a${n}`, { clientId: 'a' })
  for (let n = 1; n <= 4; n += 1) void call(`b${n}`, { clientId: 'b' })
  expect(await started()).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  await end('b1')
  await end('b2')
  expect((await started()).slice(4)).toEqual(['a3', 'b3', 'b4'])
})

test('places are kept for clients that have none', async () => {
  for (const name of ['a1', 'a2', 'b1', 'b2'])
    void call(name, { clientId: name.charAt(0), priority: 'media' })
  expect(await started()).toEqual(['a1', 'a2', 'b1'])
  void call('c1', { clientId: 'c', priority: 'media' })
  expect(await started()).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  await end('a2')
  expect(await started()).toEqual(['a1', 'a2', 'b1', 'c1', 'b2'])
})

test('when the queue is full, the newest call of the client with the most waiting calls is refused', async () => {
  const flood = Array.from({ length: 12 }, (_, n) => call(`a${n + 1}`, { clientId: 'a' }))
  expect(admission.states().console).toMatchObject({ inWork: 2, waiting: 10 })
  await expect(call('a13', { clientId: 'a' })).resolves.toMatchObject({ code: 'busy' })
  void call('b1', { clientId: 'b' })
  void call('b2', { clientId: 'b' })
  void call('b3', { clientId: 'b' })
  await expect(flood[11]).resolves.toMatchObject({ code: 'busy' })
  expect(await started()).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('a caller that hangs up frees its place in the queue', async () => {
  void call('a1')
  void call('a2')
  let hangUp = () => {}
  const gone = call('a3', { onWait: leave => (hangUp = leave) })
  void call('a4')
  hangUp()
  await expect(gone).resolves.toBeInstanceOf(ProblemError)
  expect(admission.states().console).toMatchObject({ waiting: 1, refused: 0 })
  await end('a1')
  expect(await started()).toEqual(['a1', 'a2', 'a4'])
})

test('a caller that hangs up while it is served keeps its place until its work is done', async () => {
  void call('a1')
  void call('a2')
  void call('a3')
  expect(admission.states().console).toMatchObject({ inWork: 2, waiting: 1 })
  await end('a1')
  await end('a2')
  expect(admission.states().console).toMatchObject({ inWork: 1, waiting: 0 })
})

test('a caller whose work fails frees its place', async () => {
  const failed = admission.run('console', { clientId: 'one' }, () => Promise.reject(new Error('broken')))
  await expect(failed).rejects.toThrow('broken')
  await turn()
  expect(admission.states().console.inWork).toBe(0)
})

test('a caller waits until the deadline at most', async () => {
  void call('a1')
  void call('a2')
  const late = call('a3')
  nowMs = 4999
  admission.adapt(0)
  expect(admission.states().console.waiting).toBe(1)
  nowMs = 5000
  admission.adapt(0)
  await expect(late).resolves.toMatchObject({ status: 503, code: 'busy' })
})

test('a caller is refused at once if its turn would come after the deadline', async () => {
  void call('a1')
  void call('a2')
  for (let n = 3; n <= 8; n += 1) void call(`a${n}`)
  // Nothing is completed: the measured rate falls to one call a second.
  for (let ticks = 0; ticks < 20; ticks += 1) {
    nowMs += 200
    admission.adapt(0)
  }
  await expect(call('a9')).resolves.toMatchObject({ code: 'busy' })
  void call('b1', { clientId: 'b' })
  expect((await started()).at(-1)).toBe('b1')
})

test('the time to come back is spread over the time that the server needs for those before', async () => {
  for (let n = 1; n <= 12; n += 1) void call(`a${n}`)
  for (let ticks = 0; ticks < 20; ticks += 1) {
    nowMs += 200
    admission.adapt(0)
  }
  // One call a second, ten waiting.
  const first = await call('late 1')
  const rest = await Promise.all(Array.from({ length: 5 }, (_, n) => call(`late ${n + 2}`)))
  expect(first).toMatchObject(refused(11))
  expect(rest.map(answer => (answer as ProblemError).details.retryAfterSeconds)).toEqual([12, 13, 14, 15, 16])
})

test('the time to come back has jitter and a limit', async () => {
  admission = makeAdmission(() => 0.99)
  for (let n = 1; n <= 12; n += 1) void call(`a${n}`)
  for (let ticks = 0; ticks < 20; ticks += 1) {
    nowMs += 200
    admission.adapt(0)
  }
  expect(await call('late')).toMatchObject(refused(14))
  for (let n = 0; n < 200; n += 1) await call('later')
  expect(await call('last')).toMatchObject(refused(38))
})

const placesOf = (priority: Priority) => admission.states()[priority].places
const busy = (...priorities: Priority[]) => {
  for (const priority of priorities) void call(priority, { priority })
}

test('under load the lowest priority that is in work loses places first, and each keeps its minimum', () => {
  busy('alert', 'heartbeat', 'console', 'manifest')
  const after = []
  for (let ticks = 0; ticks < 5; ticks += 1) {
    admission.adapt(80)
    after.push([placesOf('heartbeat'), placesOf('console'), placesOf('manifest'), placesOf('media')])
  }
  expect(after).toEqual([
    [4, 4, 2, 4],
    [4, 4, 1, 4],
    [4, 2, 1, 4],
    [4, 1, 1, 4],
    [2, 1, 1, 4],
  ])
})

test('under load the highest priority gets its places back first', () => {
  busy('console', 'manifest')
  for (let ticks = 0; ticks < 4; ticks += 1) admission.adapt(80)
  admission.adapt(10)
  expect([placesOf('console'), placesOf('manifest')]).toEqual([2, 1])
  for (let ticks = 0; ticks < 2; ticks += 1) admission.adapt(10)
  expect([placesOf('console'), placesOf('manifest')]).toEqual([4, 1])
  admission.adapt(10)
  expect(placesOf('manifest')).toBe(2)
})

test('under load between fast and slow nothing changes', () => {
  busy('manifest')
  admission.adapt(80)
  admission.adapt(40)
  expect(placesOf('manifest')).toBe(2)
})

test('under load calls that wait begin when the places come back', async () => {
  busy('manifest')
  admission.adapt(80)
  admission.adapt(80)
  void call('second', { priority: 'manifest', clientId: 'other' })
  expect(await started()).not.toContain('second')
  admission.adapt(0)
  expect(await started()).toContain('second')
})

test('under load a saturated priority holds no other back', async () => {
  for (let n = 0; n < 20; n += 1)
    for (const priority of ['manifest', 'media'] as const) void call('low', { priority })
  await turn()
  begun = []
  for (const priority of ['plays', 'console', 'heartbeat', 'alert'] as const)
    void call(priority, { priority })
  expect(await started()).toEqual(['plays', 'console', 'heartbeat', 'alert'])
})

test('no more callers of a priority are authenticated at once than may wait or work', async () => {
  const never = () => new Promise<never>(() => undefined)
  for (let n = 0; n < 14; n += 1) void admission.identify('console', `token ${n}`, never)
  for (const token of ['another', null])
    await expect(admission.identify('console', token, never)).rejects.toMatchObject({ code: 'busy' })
  await expect(admission.identify('alert', 'another', async () => 'known')).resolves.toBe('known')
})

test('the calls with one token that are authenticated at once refuse no other caller', async () => {
  const never = () => new Promise<never>(() => undefined)
  for (let n = 0; n < 1000; n += 1) void admission.identify('console', 'flood', never)
  await expect(admission.identify('console', 'another', async () => 'known')).resolves.toBe('known')
})

test('a turn of the event loop has no more calls than places', async () => {
  const sizes: number[] = []
  let inTurn = 0
  const calls = Array.from({ length: 9 }, () =>
    admission.run('connect', { clientId: 'one' }, () => {
      inTurn += 1
    }),
  )
  while (admission.states().connect.admitted < 9) {
    sizes.push(inTurn)
    inTurn = 0
    await turn()
  }
  await Promise.all(calls)
  expect(Math.max(...sizes)).toBe(2)
})
