import { parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { parseProgramme } from '@floorcast/contract/device-programme.ts'
import type { ChannelReply, Heartbeat } from '@floorcast/contract/device-protocol.ts'
import type { Connect, SocketHandlers } from '@floorcast/device-client/channel.ts'
import { DeviceClient, type DeviceClientOptions } from '@floorcast/device-client/device-client.ts'
import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import { byLicense, DeviceSession, type StoredSession } from '@floorcast/device-client/session.ts'
import { onTestFinished, vi } from 'vitest'
import { makeManifest, uidOf } from './manifest-arbitrary.ts'

export const heartbeat: Heartbeat = {
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
  silence: null,
  manifestEtag: null,
  held: [],
  quarantined: [],
  alertCheck: null,
}

/** An event log in memory. */
class MemoryEvents implements UnsentEvents {
  unsent: UnsentEvent[] = []
  readonly receipts: Receipt[] = []
  readonly #listeners: (() => void)[] = []

  append(id: string, body: object = { id }): void {
    this.unsent.push({ id, body })
    for (const listener of this.#listeners) listener()
  }
  onAppend = (listener: () => void) => void this.#listeners.push(listener)
  readUnsent = (limit: number) => this.unsent.slice(0, limit)
  markSent(events: readonly UnsentEvent[], receipt: Receipt): void {
    this.unsent = this.unsent.filter(event => !events.includes(event))
    this.receipts.push(receipt)
  }
}

export const json = (data: unknown, init: ResponseInit = {}) => Response.json({ data }, init)
export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ type: 'about:blank', title: code, status, code }, { status, headers })

/** A server without a network. It answers calls and keeps the newest channel. */
export class FakeServer {
  readonly calls: string[] = []
  /** One-time answers in place of the normal one, by a part of the path. */
  readonly faults = new Map<string, Response[]>()
  readonly acknowledged: string[] = []
  /** The messages that the client has sent on its channels. */
  readonly replies: ChannelReply[] = []
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
      return json({
        token: `token ${this.sessions}`,
        playpointid: uidOf(3),
        session: uidOf(100 + this.sessions),
      })
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
        const reply = JSON.parse(text) as ChannelReply
        this.replies.push(reply)
        if (reply.type === 'ack') this.acknowledged.push(reply.id)
        if (reply.type === 'heartbeat') this.#answer(reply.heartbeat)
      },
      terminate: () => (isOpen = false),
    }
  }

  #answer({ sentAt }: Heartbeat): void {
    const answer = { serverTime: '2026-11-21T12:00:00.000Z', manifestEtag: '"1"', alerts: [] }
    setTimeout(() => this.send({ type: 'heartbeat-answer', sentAt, answer }))
  }
  countCalls(part: string): number {
    return this.calls.filter(path => path.includes(part)).length
  }
  send(message: object): void {
    this.channel?.onMessage(JSON.stringify(message))
  }
  close(code: number, reason = ''): void {
    this.channel?.onClose({ code, reason, status: null, retryAfterSeconds: null })
  }
}

/** The server of a client: a `FakeServer`, or a real one with its origin and a license key. */
interface TestedServer {
  origin?: string
  licenseKey?: string
  fetch: typeof fetch
  connect: Connect
}

export function startClient(server: TestedServer, part: Partial<DeviceClientOptions> = {}) {
  let stored: StoredSession | null = null
  const session = new DeviceSession({
    server: server.origin ?? 'http://server.example/',
    opening: byLicense({
      licenseKey: server.licenseKey ?? 'KEY',
      hardwareId: uidOf(2),
      runId: uidOf(1),
      model: 'Test',
      version: '1',
      storage: { read: () => stored, write: written => void (stored = written) },
      onOtherDevice: () => undefined,
    }),
    fetch: server.fetch,
  })
  const events = new MemoryEvents()
  const onMessage = vi.fn<DeviceClientOptions['onMessage']>()
  const onUnknown = vi.fn<DeviceClientOptions['onUnknown']>()
  let etag: string | undefined
  const programmes = new Map<string, string>()
  const client = new DeviceClient({
    session,
    connect: server.connect,
    clock: { now: Date.now, steady: () => performance.now(), applyServerTime: () => undefined },
    events,
    manifests: {
      newestEtag: () => etag,
      hasProgramme: sha256 => programmes.has(sha256),
      save(sent) {
        etag = sent.etag
        for (const [sha256, text] of sent.programmes) programmes.set(sha256, text)
        return parseDeviceManifest(sent.manifest, sha256 =>
          parseProgramme(JSON.parse(programmes.get(sha256) ?? '')),
        )
      },
    },
    redelivery: {
      events: { resendSince: () => Promise.resolve(), hasUnsentUpTo: () => false, oldestAt: () => null },
      state: { read: () => null, write: () => true },
    },
    random: () => 0,
    intervalSeconds: () => 60,
    describe: () => Promise.resolve(heartbeat),
    describeHeld: () => [],
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
