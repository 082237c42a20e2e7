import { type ChannelMessage, ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import type { RawData, WebSocket } from 'ws'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Ingest } from '../ingest/ingest.ts'

/** The device of a channel, and the session that opened the channel. */
export interface ChannelPeer {
  device: DeviceIdentity
  reporterUid: string | null
}

export interface ChannelOptions {
  log: Log
  heartbeats: Ingest['heartbeats']
  /** Resolves when the acknowledgement is stored or has failed; never rejects. */
  onAck: (messageUid: string) => Promise<void>
}

/** Close codes of the WebSocket; they tell the device what to do. */
export const CLOSE = { restart: 1012, replaced: 4001, reconnected: 4002 } as const

/** With this many messages in work the server stops reading the connection, so that no device can fill its memory. */
const MAX_IN_WORK = 32

/** One device's WebSocket. */
export class Channel {
  readonly peer: ChannelPeer
  readonly #socket: WebSocket
  readonly #options: ChannelOptions
  /** Messages sent on this connection and not acknowledged. They are sent again only when the device reconnects. */
  readonly #sent = new Set<string>()
  #isAlive = true
  #inWork = 0

  constructor(socket: WebSocket, peer: ChannelPeer, options: ChannelOptions) {
    this.#socket = socket
    this.#options = options
    this.peer = peer
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('message', (data, isBinary) => {
      this.#isAlive = true
      if (!isBinary) void this.#receive(data)
    })
    // A broken connection also emits 'close', and the device reconnects.
    socket.on('error', () => socket.terminate())
  }

  /** Sends a message unless it was sent on this connection before. */
  sendOnce(message: Extract<ChannelMessage, { id: string }>): void {
    if (this.#sent.has(message.id)) return
    this.#sent.add(message.id)
    this.send(message)
  }

  send(message: ChannelMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  close(code: (typeof CLOSE)[keyof typeof CLOSE], reason: string): void {
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
    if (reply.data.type === 'heartbeat') await this.#answerHeartbeat(reply.data.heartbeat)
    else {
      this.#sent.delete(reply.data.id)
      await this.#options.onAck(reply.data.id)
    }
    this.#inWork -= 1
    if (this.#socket.isPaused && this.#inWork < MAX_IN_WORK) this.#socket.resume()
  }

  /** A device that gets no answer sends its heartbeat by HTTP, where a refusal has a reason. */
  async #answerHeartbeat(heartbeat: Heartbeat): Promise<void> {
    const { heartbeats, log } = this.#options
    const { device } = this.peer
    try {
      const answer = await heartbeats.receive(device, heartbeat)
      this.send({ type: 'heartbeat-answer', sentAt: heartbeat.sentAt, answer })
    } catch (error) {
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
