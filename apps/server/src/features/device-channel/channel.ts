import { type ChannelMessage, ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import type { RawData, WebSocket } from 'ws'
import type { DeviceIdentity } from '../../platform/auth/session.ts'

/** Who a channel speaks with, and the session it was opened by. */
export interface ChannelPeer {
  device: DeviceIdentity
  reporterUid: string | null
}

export interface ChannelEvents {
  /** Both resolve when what was said is dealt with, and never reject. */
  acknowledged: (messageUid: string) => Promise<void>
  heartbeat: (heartbeat: Heartbeat) => Promise<void>
}

/** Codes of the WebSocket's close, beside the protocol's own: what the device is to do. */
export const CLOSE = { restart: 1012, replaced: 4001, reconnected: 4002 } as const

/** A device that says more at once is not listened to until some of it is dealt with: its own connection waits, no memory fills. */
const MOST_UNDER_WAY = 32

/** One device's WebSocket. */
export class Channel {
  readonly peer: ChannelPeer
  readonly #socket: WebSocket
  /** Sent on this connection and not acknowledged yet: not sent again until the device reconnects. */
  readonly #sent = new Set<string>()
  #isAlive = true
  #underWay = 0

  constructor(socket: WebSocket, peer: ChannelPeer, events: ChannelEvents) {
    this.#socket = socket
    this.peer = peer
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('message', (data, isBinary) => {
      this.#isAlive = true
      if (!isBinary) void this.#hear(data, events)
    })
    // A broken connection also closes; the device comes again.
    socket.on('error', () => socket.terminate())
  }

  /** Sends a message unless this connection has carried it already. */
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

  /** Ends it without the other side's answer. */
  cut(): void {
    this.#socket.terminate()
  }

  /** Asks for a sign of life; a device that gave none since the last time is cut off. */
  ping(): void {
    if (!this.#isAlive) return this.cut()
    this.#isAlive = false
    this.#socket.ping()
  }

  /** What is no message of the protocol is passed over: a newer agent may say more than this server knows. */
  async #hear(data: RawData, events: ChannelEvents): Promise<void> {
    const reply = ChannelReply.safeParse(parseJson(data))
    if (!reply.success) return
    this.#underWay += 1
    if (this.#underWay === MOST_UNDER_WAY) this.#socket.pause()
    if (reply.data.type === 'heartbeat') await events.heartbeat(reply.data.heartbeat)
    else {
      this.#sent.delete(reply.data.id)
      await events.acknowledged(reply.data.id)
    }
    this.#underWay -= 1
    if (this.#socket.isPaused && this.#underWay < MOST_UNDER_WAY) this.#socket.resume()
  }
}

function parseJson(data: RawData): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')
  } catch {
    return null
  }
}
