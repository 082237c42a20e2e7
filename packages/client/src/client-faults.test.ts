import { openAsBlob } from 'node:fs'
import { addGroup } from '@floorcast/contract/groups.ts'
import { faultyLine, type LineFault } from '@floorcast/testing/faulty-line.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { done, Floorcast, FloorcastError } from './index.ts'

const server = await wholeServer()
let line: Awaited<ReturnType<typeof faultyLine>>
beforeAll(async () => {
  line = await faultyLine(await server.http.app.listen({ host: '127.0.0.1', port: 0 }))
})

let token = ''
let floorcast: Floorcast
beforeEach(async () => {
  token = (await server.newClient()).token
  floorcast = new Floorcast({ url: line.url, token })
  line.faults.length = 0
  line.seen.length = 0
})

const north = { contentType: 'audio', name: 'North' } as const
const keysSeen = () => line.seen.map(({ headers }) => headers['idempotency-key'])
const failure = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('The call has not failed')),
    (error: unknown) => error,
  )
const busy = {
  status: 503,
  headers: { 'retry-after': '1', 'content-type': 'text/html' },
  body: '<h1>Busy</h1>',
}

describe.each<{ name: string; faults: LineFault[] }>([
  { name: 'a connection that breaks', faults: ['breaks', 'breaks'] },
  { name: 'an answer that is lost', faults: ['loses-answer'] },
  { name: 'an answer that is cut off', faults: ['cuts-answer'] },
  { name: 'a proxy without a server', faults: [{ status: 502, body: '<h1>Bad gateway</h1>' }] },
  { name: 'a server that is busy', faults: [busy] },
  { name: '429', faults: [{ status: 429, headers: { 'retry-after': '1' } }] },
])('after $name', ({ faults }) => {
  test('a read is repeated', async () => {
    line.faults.push(...faults)
    expect(await floorcast.devices.list()).toMatchObject({ total: 0 })
    expect(line.seen).toHaveLength(faults.length + 1)
    expect(keysSeen().every(key => key === undefined)).toBe(true)
  })

  test('a change is repeated with its key, and done once', async () => {
    line.faults.push(...faults)
    const { uid } = done(await floorcast.groups.add(north))
    expect(new Set(keysSeen()).size).toBe(1)
    expect(keysSeen()[0]).toMatch(/^[\da-f-]{36}$/)
    expect(await floorcast.groups.list()).toMatchObject({ total: 1, items: [{ uid }] })
  })
})

test('a change has a key of its own, or that of the caller, which gives the same answer again', async () => {
  const first = done(await floorcast.groups.add(north))
  const other = done(await floorcast.groups.add(north))
  expect(other.uid).not.toBe(first.uid)
  const idempotencyKey = 'order-4711'
  const ordered = done(await floorcast.groups.add(north, { idempotencyKey }))
  expect(await floorcast.groups.add(north, { idempotencyKey })).toEqual(ordered)
  await expect(floorcast.groups.add({ ...north, name: 'South' }, { idempotencyKey })).rejects.toMatchObject({
    code: 'key-reused',
  })
})

test('a change without a key is sent once', async () => {
  line.faults.push('breaks')
  const input = {
    fullName: 'Olga Owner',
    email: 'new@example.com',
    password: 'a long password',
    terms: true,
  } as const
  expect(await failure(floorcast.session.register(input))).toMatchObject({ code: 'no-answer', status: 0 })
  expect(line.seen).toHaveLength(1)
})

test('a Retry-After is waited for', async () => {
  line.faults.push(busy)
  const began = performance.now()
  await floorcast.devices.list()
  expect(performance.now() - began).toBeGreaterThanOrEqual(1000)
})

test('a Retry-After beyond the time of the call is told at once', async () => {
  line.faults.push({ ...busy, headers: { 'retry-after': '3600' } })
  const error = await failure(floorcast.devices.list())
  expect(error).toMatchObject({ status: 503, code: 'bad-answer', retryAfterSeconds: 3600 })
  expect(line.seen).toHaveLength(1)
})

test('a server that is away and comes back has answered in the end', async () => {
  await line.stop()
  const added = floorcast.groups.add(north)
  await new Promise(resolve => setTimeout(resolve, 1500))
  await line.start()
  expect(done(await added).code).toBe(200)
})

test('a server that stays away is an error after as many tries as allowed', async () => {
  line.faults.push('breaks', 'breaks', 'breaks', 'breaks')
  const hasty = new Floorcast({ url: line.url, token, maxTries: 3 })
  expect(await failure(hasty.devices.list())).toMatchObject({
    code: 'no-answer',
    detail: 'The server has not answered.',
  })
  expect(line.seen).toHaveLength(3)
})

test('a call has a deadline, also for a server that is silent', async () => {
  line.faults.push('is-silent')
  const error = await failure(floorcast.devices.list({}, { timeoutMs: 300 }))
  expect(error).toBeInstanceOf(FloorcastError)
  expect(error).toMatchObject({ code: 'deadline', status: 0 })
})

test('an abort ends a call, its pauses and its sign-in with the reason', async () => {
  const reason = new Error('no longer wanted')
  const abortSoon = () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(reason), 200)
    return { signal: stop.signal }
  }
  line.faults.push('is-silent')
  expect(await failure(floorcast.devices.list({}, abortSoon()))).toBe(reason)
  line.faults.push({ ...busy, headers: { 'retry-after': '20' } })
  expect(await failure(floorcast.devices.list({}, abortSoon()))).toBe(reason)
  line.faults.push('is-silent')
  const signingIn = new Floorcast({
    url: line.url,
    signIn: { email: 'ann@example.com', password: 'a long password' },
  })
  expect(await failure(signingIn.session.read(abortSoon()))).toBe(reason)
  const before = line.seen.length
  expect(await failure(floorcast.devices.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(line.seen).toHaveLength(before)
})

test("a page of another program is told as such, and not taken for the server's answer", async () => {
  const headers = { 'content-type': 'text/html' }
  line.faults.push({ status: 200, headers, body: '<h1>Sign in to the network</h1>' })
  expect(await failure(floorcast.devices.list())).toMatchObject({
    code: 'bad-answer',
    status: 200,
    requestId: null,
  })
  line.faults.push({ status: 403, headers, body: '<h1>Forbidden</h1>' })
  expect(await failure(floorcast.devices.list())).toMatchObject({ code: 'bad-answer', status: 403 })
  line.faults.push({ status: 301, headers: { location: 'https://shop.example/' } })
  expect(await failure(floorcast.groups.add(north))).toMatchObject({ code: 'bad-answer', status: 301 })
  expect(line.seen).toHaveLength(3)
})

test('an upload in parts goes on where it was', async () => {
  const bytes = await (await openAsBlob(mp3Fixtures.cbrStereo.path)).arrayBuffer()
  const file = new File([new Uint8Array(bytes), new Uint8Array(9 * 1024 ** 2)], 'Long.mp3')
  const tooLarge = { status: 413, headers: { connection: 'close' } }
  // The first part is too large for a proxy, the answer of the next one is lost, and so is that of the last.
  line.faults.push(...([undefined, tooLarge, undefined, 'loses-answer'] as LineFault[]))
  const song = done(await floorcast.uploadFile(file, { contentType: 'melodies' }))
  const card = await floorcast.media.read({ contentType: 'melodies', uid: song.uid })
  expect(card).toMatchObject({ name: 'Long', sizeBytes: file.size })
  expect(await floorcast.media.list({ contentType: 'melodies' })).toMatchObject({ total: 1 })
  expect(line.seen.filter(({ method }) => method === 'HEAD').length).toBeGreaterThanOrEqual(2)
})

test('a form whose answer is lost is sent again, and stored once', async () => {
  const file = new File([await openAsBlob(mp3Fixtures.mono.path)], 'Evening.mp3')
  line.faults.push('loses-answer')
  const song = done(await floorcast.media.upload({ contentType: 'melodies', file }))
  expect(new Set(keysSeen()).size).toBe(1)
  const stored = await floorcast.media.list({ contentType: 'melodies' })
  expect(stored).toMatchObject({ total: 1, items: [{ uid: song.uid, name: 'Evening' }] })
})

test('the change feed is opened again when it breaks, with what has changed in between', async () => {
  const stop = new AbortController()
  const changes = floorcast.changes({ signal: stop.signal })
  const first = changes.next()
  await expect.poll(() => line.seen.length).toBe(1)
  done(await new Floorcast({ url: line.url, token }).groups.add(north))
  expect((await first).value).toMatchObject({ entity: 'group' })
  const second = changes.next()
  await line.stop()
  await server.ask(addGroup, { token, params: { contentType: 'audio' }, body: { name: 'South' } })
  await line.start()
  expect((await second).value).toEqual({ entity: 'group' })
  expect(line.seen.at(-1)?.url).toMatch(/\/api\/v2\/live\?readingForMs=\d+$/)
  stop.abort()
})

test('the change feed ends where the server refuses the caller', async () => {
  const refused = new Floorcast({ url: line.url, token: 'unknown' })
  await expect(refused.changes().next()).rejects.toMatchObject({ status: 401 })
})
