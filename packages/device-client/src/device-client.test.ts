import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeManifest, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Connect, SocketHandlers } from './channel.ts'
import { DeviceClient, type DeviceClientOptions } from './device-client.ts'
import type { Receipt, UnsentEvent, UnsentEvents } from './event-sender.ts'
import { DeviceSession, type StoredSession } from './session.ts'

const heartbeat: Heartbeat = {
  sentAt: '2026-11-21T12:00:00.000Z',
  bootId: uidOf(1),
  programVersion: '1',
  temperatureCelsius: null,
  memorySizeBytes: null,
  freeMemoryBytes: null,
  ipAddress: null,
  macAddress: null,
  volume: 100,
  nowPlaying: null,
  manifestEtag: null,
  held: [],
  quarantined: [],
}

/** An event log in memory. */
class MemoryEvents implements UnsentEvents {
  unsent: UnsentEvent[] = []
  readonly receipts: Receipt[] = []
  readonly #listeners: (() => void)[] = []

  append(id: string): void {
    this.unsent.push({ id, body: { id } })
    for (const listener of this.#listeners) listener()
  }
  onAppend = (listener: () => void) => void this.#listeners.push(listener)
  readUnsent = (limit: number) => this.unsent.slice(0, limit)
  markSent(events: readonly UnsentEvent[], receipt: Receipt): void {
    this.unsent = this.unsent.filter(event => !events.includes(event))
    this.receipts.push(receipt)
  }
}

const json = (data: unknown, init: ResponseInit = {}) => Response.json({ data }, init)
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ type: 'about:blank', title: code, status, code }, { status, headers })

/** A server without a network. It answers calls and keeps the newest channel. */
class FakeServer {
  readonly calls: string[] = []
  /** One-time answers in place of the normal one, by a part of the path. */
  readonly faults = new Map<string, Response[]>()
  readonly acknowledged: string[] = []
  sessions = 0
  connections = 0
  channel: SocketHandlers | null = null

  readonly fetch: typeof fetch = async input => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    this.calls.push(pathname)
    for (const [part, answers] of this.faults) {
      const fault = pathname.includes(part) ? answers.shift() : undefined
      if (fault) return fault
    }
    if (pathname.endsWith('/device/session')) {
      this.sessions += 1
      return json({ token: `token ${this.sessions}`, playpointid: uidOf(3) })
    }
    if (pathname.includes('/manifest/')) return json(makeManifest({}), { headers: { etag: '"1"' } })
    if (pathname.includes('/send/list/')) return json({ code: 200, accepted: 1, duplicates: 0, refused: [] })
    return json({ serverTime: '2026-11-21T12:00:00.000Z', manifestEtag: '"1"', alerts: [] })
  }

  readonly connect: Connect = (_url, _token, handlers) => {
    this.connections += 1
    let isOpen = false
    setTimeout(() => {
      isOpen = true
      this.channel = handlers
      handlers.onOpen()
    })
    return {
      get isOpen() {
        return isOpen
      },
      send: text => {
        const reply = JSON.parse(text) as { type: string; id: string }
        if (reply.type === 'ack') this.acknowledged.push(reply.id)
      },
      terminate: () => (isOpen = false),
    }
  }

  countCalls(part: string): number {
    return this.calls.filter(path => path.includes(part)).length
  }
  send(message: object): void {
    this.channel?.onMessage(JSON.stringify(message))
  }
  close(code: number): void {
    this.channel?.onClose({ code, status: null, retryAfterSeconds: null })
  }
}

function startClient(server: FakeServer, part: Partial<DeviceClientOptions> = {}) {
  let stored: StoredSession | null = null
  const session = new DeviceSession({
    server: 'http://server.example/',
    licenseKey: 'KEY',
    hardwareId: uidOf(2),
    model: 'Test',
    version: '1',
    storage: { read: () => stored, write: written => void (stored = written) },
    fetch: server.fetch,
    onOtherDevice: () => undefined,
  })
  const events = new MemoryEvents()
  const onMessage = vi.fn<DeviceClientOptions['onMessage']>()
  const onUnknown = vi.fn<DeviceClientOptions['onUnknown']>()
  let etag: string | undefined
  const client = new DeviceClient({
    session,
    connect: server.connect,
    clock: { now: Date.now, steady: () => performance.now(), applyServerTime: () => undefined },
    events,
    manifests: {
      newestEtag: () => etag,
      save(sent) {
        etag = sent.etag
        return parseDeviceManifest(sent.manifest)
      },
    },
    random: () => 0,
    intervalSeconds: () => 60,
    describe: () => Promise.resolve(heartbeat),
    onRefused: () => undefined,
    onMessage,
    onUnknown,
    print: () => undefined,
    ...part,
  })
  onTestFinished(() => client.stop())
  void client.start()
  return { client, session, events, onMessage, onUnknown, etag: () => etag }
}

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

test('Concurrent calls with an expired token open one new session', async () => {
  const server = new FakeServer()
  const { session, events } = startClient(server)
  await eventually(() => expect(server.connections).toBe(1))
  server.faults.set('/send/list/', [problem(401, 'signed-out')])
  server.faults.set('/manifest/', [problem(401, 'signed-out')])
  server.send({ type: 'manifest', id: uidOf(5), etag: '"2"' })
  events.append(uidOf(10))
  await eventually(() => expect(events.receipts).toHaveLength(1))
  await eventually(() => expect(server.countCalls('/manifest/')).toBeGreaterThan(2))
  expect([server.sessions, session.token]).toEqual([2, 'token 2'])
})

test('Nothing shortens the Retry-After of a busy server', async () => {
  const server = new FakeServer()
  server.faults.set('/send/list/', [problem(503, 'busy', { 'retry-after': '2' })])
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
  server.send({ type: 'alert', id: uidOf(8), alertUid: uidOf(9), kind: 'air', step: 'begin' })
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
