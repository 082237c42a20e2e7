import { eventually } from '@floorcast/testing/eventually.ts'
import { FakeServer, heartbeat, problem, startClient } from '@floorcast/testing/device-client-fixture.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test, vi } from 'vitest'
import type { Connect } from './channel.ts'
import type { DeviceClientOptions } from './device-client.ts'
import type { HeartbeatEnd } from './heartbeats.ts'

test('Opens a session and a channel, fetches the manifest, and sends each event once', async () => {
  const server = new FakeServer()
  const { client, events, etag } = startClient(server)
  events.append(uidOf(10))
  await eventually(() => expect(events.receipts).toMatchObject([{ accepted: 1, duplicates: 0 }]))
  await eventually(() => expect([server.connections, etag()]).toEqual([1, '"1"']))
  await client.stop()
  expect(server.countCalls('/send/list/')).toBe(1)
  expect(server.sessions).toBe(1)
})

test('Says how often it reports, and reports once more when it stops', async () => {
  const server = new FakeServer()
  let nowPlaying: Heartbeat['nowPlaying'] = null
  const { client } = startClient(server, {
    intervalSeconds: () => 45,
    describe: () => Promise.resolve({ ...heartbeat, nowPlaying }),
  })
  const told = () => server.replies.flatMap(reply => (reply.type === 'heartbeat' ? reply.heartbeat : []))
  await eventually(() => expect(told()).toMatchObject([{ intervalSeconds: 45, nowPlaying: null }]))
  nowPlaying = {
    name: 'Song',
    mediaUid: null,
    contentType: null,
    startedAt: '2026-11-21T12:00:00.000Z',
    offsetSeconds: 0,
    durationSeconds: 20,
  }
  client.sendSoon()
  await eventually(() => expect(told()[1]).toMatchObject({ nowPlaying }))
  expect(server.countCalls('/heartbeat/send')).toBe(0)
  await client.stop()
  expect(server.countCalls('/heartbeat/send')).toBe(1)
})

test('Concurrent calls with an expired token open one new session', async () => {
  const server = new FakeServer()
  let hasExpired = false
  const refused = { '/send/list/': 0, '/manifest/': 0 }
  const fetchIfCurrent: typeof fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname
    const part = (['/send/list/', '/manifest/'] as const).find(each => path.includes(each))
    const isFirst = new Headers(init?.headers).get('authorization') === 'Bearer token 1'
    if (!part || !hasExpired || !isFirst) return server.fetch(input, init)
    refused[part] += 1
    // Both calls are under way before the first of them is refused.
    await eventually(() => expect(Object.values(refused)).not.toContain(0))
    return problem(401, 'signed-out')
  }
  const { session, events, etag } = startClient({ fetch: fetchIfCurrent, connect: server.connect })
  await eventually(() => expect([server.connections, etag()]).toEqual([1, '"1"']))
  hasExpired = true
  server.send({ type: 'manifest', id: uidOf(5), etag: '"2"' })
  events.append(uidOf(10))
  await eventually(() => expect(events.receipts).toHaveLength(1))
  await eventually(() => expect(server.countCalls('/manifest/')).toBe(2))
  expect(refused).toEqual({ '/send/list/': 1, '/manifest/': 1 })
  expect([server.sessions, session.token]).toEqual([2, 'token 2'])
})

test('Receipts of an alert are sent at once, or within the time that its message says, with their age', async () => {
  const server = new FakeServer()
  const { client } = startClient(server, { random: () => 0.5 })
  await eventually(() => expect(server.channel).not.toBeNull())
  const sent = () => server.replies.filter(({ type }) => type === 'receipt')
  const alert = { type: 'alert', alertUid: uidOf(5), kind: 'air', step: 'begin' }
  server.send(alert)
  client.sendReceipt(uidOf(5), 'received')
  expect(sent()).toEqual([{ type: 'receipt', alertUid: uidOf(5), step: 'received', agoMs: 0 }])
  server.send({ ...alert, receiptsWithinSeconds: 0.6 })
  client.sendReceipt(uidOf(5), 'started')
  expect(sent()).toHaveLength(1)
  await eventually(() => expect(sent()).toHaveLength(2))
  const [, late] = sent()
  expect(late).toMatchObject({ step: 'started' })
  expect(late?.type === 'receipt' && late.agoMs).toBeGreaterThan(250)
})

test.each([
  [503, 'busy'],
  [429, 'too-many-events'],
])('Nothing shortens the Retry-After of a server that answers %i', async (status, code) => {
  const server = new FakeServer()
  server.faults.set('/send/list/', [problem(status, code, { 'retry-after': '2' })])
  const { events } = startClient(server)
  const startedAt = performance.now()
  events.append(uidOf(10))
  await eventually(() => expect(server.countCalls('/send/list/')).toBe(1))
  // Both an answer on the channel and a new event wake the sender.
  const answer = { serverTime: '2026-11-21T12:00:00.000Z', manifestEtag: '"1"', alerts: [] }
  await eventually(() => expect(server.channel).not.toBeNull())
  server.send({ type: 'heartbeat-answer', sentAt: heartbeat.sentAt, answer })
  events.append(uidOf(11))
  await eventually(() => expect(events.receipts).toHaveLength(1))
  expect(performance.now() - startedAt).toBeGreaterThan(1900)
  expect(server.countCalls('/send/list/')).toBe(2)
})

test('A device whose first channel a busy server postpones makes no other calls meanwhile', async () => {
  const server = new FakeServer()
  let before: string[] = []
  const connect: Connect = (url, token, handlers) => {
    if (server.connections > 0) {
      before = server.calls.map(path => path.split('/').at(-1) ?? '')
      return server.connect(url, token, handlers)
    }
    server.connections += 1
    setTimeout(() => handlers.onClose({ code: null, reason: '', status: 503, retryAfterSeconds: 1 }))
    return { isOpen: false, send: () => undefined, terminate: () => undefined }
  }
  startClient({ fetch: server.fetch, connect })
  await eventually(() => expect(server.countCalls('/manifest/')).toBe(1))
  expect(before).toEqual(['session'])
})

test.each([
  ['stops', 'retry-after=2.5', 'later'],
  ['is gone', '', 'failed'],
])('A heartbeat on a channel whose server %s has an end of its own', async (_, reason, expected) => {
  const server = new FakeServer()
  const connect: Connect = (url, token, handlers) =>
    server.connect(url, token, { ...handlers, onMessage: () => undefined })
  const ends: HeartbeatEnd[] = []
  startClient({ fetch: server.fetch, connect }, { trackHeartbeat: () => end => void ends.push(end) })
  await eventually(() => expect(server.replies).toMatchObject([{ type: 'heartbeat' }]))
  server.close(1012, reason)
  expect(ends).toEqual([expected])
})

test('A device whose server stops connects again after the time that the server tells it', async () => {
  const server = new FakeServer()
  startClient(server)
  await eventually(() => expect(server.channel).not.toBeNull())
  const closedAt = performance.now()
  server.close(1012, 'retry-after=2.5')
  await eventually(() => expect(server.connections).toBe(2))
  expect(performance.now() - closedAt).toBeGreaterThan(2400)
})

test.each([
  [1012, 'server stops'],
  [1012, 'retry-after=never'],
  [1001, 'retry-after=900'],
])(
  'A channel that closes with %i and the reason "%s" is opened again after the usual wait',
  async (code, reason) => {
    const server = new FakeServer()
    startClient(server)
    await eventually(() => expect(server.channel).not.toBeNull())
    server.close(code, reason)
    await eventually(() => expect(server.connections).toBe(2))
  },
)

test('At the end the client waits for a busy server that says when it takes the log', async () => {
  const server = new FakeServer()
  const { client, events } = startClient(server)
  await eventually(() => expect(server.connections).toBe(1))
  const busy = () => problem(503, 'busy', { 'retry-after': '1' })
  server.faults.set('/send/list/', [busy(), busy()])
  events.append(uidOf(10))
  await client.stop()
  expect(events.receipts).toHaveLength(1)
  expect(server.countCalls('/send/list/')).toBe(3)
})

test('At the end the client does not wait for a server that is busy for too long', async () => {
  const server = new FakeServer()
  const { client, events } = startClient(server, { maxFlushMs: 2000 })
  await eventually(() => expect(server.connections).toBe(1))
  server.faults.set('/send/list/', [problem(503, 'busy', { 'retry-after': '60' })])
  events.append(uidOf(10))
  const startedAt = performance.now()
  await client.stop()
  expect(performance.now() - startedAt).toBeLessThan(1900)
  expect(server.countCalls('/send/list/')).toBe(1)
})

test('A message is acknowledged after it was applied; a failed or unknown message is not', async () => {
  const server = new FakeServer()
  const { onMessage, onUnknown } = startClient(server)
  await eventually(() => expect(server.channel).not.toBeNull())
  onMessage.mockImplementation(({ type }) => {
    if (type === 'command') throw new Error('not now')
  })
  server.send({ type: 'command', id: uidOf(5), command: 'restart' })
  server.send({ type: 'weather', id: uidOf(6) })
  server.send({ type: 'weather', id: uidOf(7) })
  server.send({ type: 'manifest', id: uidOf(8), etag: '"1"' })
  await eventually(() => expect(server.acknowledged).toEqual([uidOf(8)]))
  expect(onUnknown.mock.calls).toEqual([["skipped, message 'weather'"]])
})

test.each([
  ['the message', (server: FakeServer) => server.send({ type: 'replaced' })],
  ['the close code', (server: FakeServer) => server.close(4001)],
])(
  'After a takeover of the session, reported by %s, it neither reconnects nor reports',
  async (_, replace) => {
    const server = new FakeServer()
    const { events, onMessage } = startClient(server)
    await eventually(() => expect(server.channel).not.toBeNull())
    replace(server)
    await eventually(() => expect(onMessage).toHaveBeenCalledWith({ type: 'replaced' }))
    const calls = server.calls.length
    events.append(uidOf(10))
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect([server.connections, server.sessions]).toEqual([1, 1])
    expect(server.calls.slice(calls).filter(path => !path.includes('/send/list/'))).toEqual([])
  },
)

test('An unknown license key is refused permanently', async () => {
  const server = new FakeServer()
  const onRefused = vi.fn<DeviceClientOptions['onRefused']>()
  server.faults.set('/session', [problem(404, 'license-unknown')])
  startClient(server, { onRefused })
  await eventually(() => expect(onRefused.mock.calls[0]?.[0]).toMatchObject({ refusal: 'license-unknown' }))
  expect([server.connections, server.calls.length]).toEqual([0, 1])
})

test('The client retries with a license key that the server knew before', async () => {
  const server = new FakeServer()
  const onRefused = vi.fn<DeviceClientOptions['onRefused']>()
  const { client, session } = startClient(server, { onRefused })
  await eventually(() => expect(session.token).toBe('token 1'))
  server.faults.set('/session', [problem(404, 'license-unknown')])
  await client.reopenSession('token 1')
  expect(session.token).toBe('token 2')
  expect(onRefused).not.toHaveBeenCalled()
})

test('A session that another player has replaced ends the reports, and no other one is opened', async () => {
  const server = new FakeServer()
  const { client, session, events, onMessage } = startClient(server)
  await eventually(() => expect(server.connections).toBe(1))
  server.faults.set('/send/list/', [problem(401, 'signed-out')])
  server.faults.set('/session', [problem(409, 'session-replaced')])
  events.append(uidOf(10))
  await eventually(() => expect(onMessage.mock.calls).toContainEqual([{ type: 'replaced' }]))
  events.append(uidOf(11))
  await client.stop()
  expect(session.token).toBeNull()
  expect([server.sessions, events.receipts.length]).toEqual([1, 0])
})
