import { CLOSED_FOR_RESTART } from '@floorcast/contract/device-messages.ts'
import { type ChannelMessage, ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { RawData, WebSocket } from 'ws'
import type { DeviceIdentity, Session } from '../../platform/auth/session.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Ingest } from '../ingest/ingest.ts'

/** The device of a channel, and the session that opened the channel. */
export interface ChannelPeer {
  /** As of now: the hub notes when the device moves to another group. */
  device: DeviceIdentity
  reporterUid: string | null
  /** The session of the streamer whose browser opened the channel; null for a device's token. */
  userSession: Session | null
  protocol: number
}

export type AckReply = Extract<ChannelReply, { type: 'ack' }>

export interface ChannelOptions {
  log: Log
  ingest: Pick<Ingest, 'heartbeats' | 'reports'>
  /** Resolves when the acknowledgement is stored or has failed; never rejects. */
  onAck: (ack: AckReply) => Promise<void>
}

/** Close codes of the WebSocket; they tell the device what to do. */
export const CLOSE = {
  restart: CLOSED_FOR_RESTART,
  replaced: 4001,
  reconnected: 4002,
  sessionEnded: 4003,
} as const

/** With more bytes unread the server closes the channel: a device that reads nothing would fill its memory. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** With this many messages in work the server stops reading the connection, so that no device can fill its memory. */
const MAX_IN_WORK = 32
const QUIET_REFUSALS: ReadonlySet<string> = new Set(['busy', 'too-many-heartbeats'])

/** One device's WebSocket. */
export class Channel {
  readonly peer: ChannelPeer
  readonly #socket: WebSocket
  readonly #options: ChannelOptions
  /** Messages sent on this connection and not acknowledged. They are sent again only when the device reconnects. */
  readonly #sent = new Set<string>()
  #isAlive = true
  #reportedAt: string | null = null
  /** The session may no longer report. A peer that does not answer the close could go on for 30 s. */
  #isOver = false
  #inWork = 0
  /** The planned notice of a device of protocol 1, which fetches at once when it hears of a change. */
  #planned: NodeJS.Timeout | null = null

  constructor(socket: WebSocket, peer: ChannelPeer, options: ChannelOptions) {
    this.#socket = socket
    this.#options = options
    this.peer = peer
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('message', (data, isBinary) => {
      this.#isAlive = true
      if (!isBinary && !this.#isOver) void this.#receive(data)
    })
    // A broken connection also emits 'close', and the device reconnects.
    socket.on('error', () => socket.terminate())
    socket.on('close', () => clearTimeout(this.#planned ?? undefined))
  }

  /** When the last heartbeat of this connection was stored. */
  get reportedAt(): string | null {
    return this.#reportedAt
  }

  /** Sends a message unless it was sent on this connection before. */
  sendOnce(message: Extract<ChannelMessage, { id: string }>): void {
    if (this.#sent.has(message.id)) return
    this.#sent.add(message.id)
    this.send(message)
  }

  send(message: ChannelMessage): void {
    this.#sendJson(JSON.stringify(message))
  }

  /** Sends the JSON of an alert message. A device of protocol 1 learns of alerts from its manifest, so it fetches it now. */
  sendAlert(json: Buffer): void {
    if (this.peer.protocol < PROTOCOL) this.sendManifestNotice(0)
    else this.#sendJson(json)
  }

  /** Tells the device to fetch its manifest within some seconds. */
  sendManifestNotice(withinSeconds: number): void {
    if (this.peer.protocol >= PROTOCOL) return this.send({ type: 'manifest', withinSeconds })
    if (this.#planned && withinSeconds > 0) return
    clearTimeout(this.#planned ?? undefined)
    this.#planned = setTimeout(
      () => {
        this.#planned = null
        this.send({ type: 'manifest', withinSeconds: 0, id: uuidV7(), etag: '' })
      },
      withinSeconds * 1000 * Math.random(),
    )
  }

  #sendJson(json: Buffer | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) return this.terminate()
    this.#socket.send(json, { binary: false })
  }

  close(code: (typeof CLOSE)[keyof typeof CLOSE], reason: string): void {
    this.#isOver ||= code === CLOSE.replaced || code === CLOSE.sessionEnded
    this.#socket.close(code, reason)
  }

  /** Closes the connection without a closing handshake. */
  terminate(): void {
    this.#socket.terminate()
  }

  /** Pings the device; terminates the connection if nothing came since the last ping. */
  ping(): void {
    if (!this.#isAlive) return this.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  /** Ignores messages that are not of the protocol: a newer agent may send more than this server knows. */
  async #receive(data: RawData): Promise<void> {
    const reply = ChannelReply.safeParse(parseJson(data))
    if (!reply.success) return
    this.#inWork += 1
    if (this.#inWork === MAX_IN_WORK) this.#socket.pause()
    await this.#process(reply.data)
    this.#inWork -= 1
    if (this.#socket.isPaused && this.#inWork < MAX_IN_WORK) this.#socket.resume()
  }

  async #process(reply: ChannelReply): Promise<void> {
    const { ingest, onAck, log } = this.#options
    const { device } = this.peer
    if (reply.type === 'heartbeat') return this.#answerHeartbeat(reply.heartbeat)
    if (reply.type === 'ack') return this.#sent.delete(reply.id) ? onAck(reply) : undefined
    try {
      if (reply.type === 'held') await ingest.reports.receiveHeld(device, reply.held)
      else await ingest.reports.receiveReceipt(device, reply)
    } catch (error) {
      // The next heartbeat and the event log have the same.
      log.warn({ err: error, deviceUid: device.deviceUid }, reply.type)
    }
  }

  /** A heartbeat that is not stored gets no answer: the device's next one has its newer state. */
  async #answerHeartbeat(heartbeat: Heartbeat): Promise<void> {
    const { ingest, log } = this.#options
    const { device } = this.peer
    try {
      const answer = await ingest.heartbeats.receive(device, heartbeat, this.peer.protocol)
      this.#reportedAt = answer.serverTime
      this.send({ type: 'heartbeat-answer', sentAt: heartbeat.sentAt, answer })
    } catch (error) {
      // Admission counts its refusals; under load, and from a device that sends without end, they would fill the log.
      if (error instanceof ProblemError && QUIET_REFUSALS.has(error.code)) return
      log.warn({ err: error, deviceUid: device.deviceUid }, 'heartbeat')
    }
  }
}

function parseJson(data: RawData): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')
  } catch {
    return null
  }
}
