import {
  type DeviceHeartbeatAnswer,
  type DeviceMessage,
  parseDeviceMessage,
} from '@floorcast/contract/device-messages.ts'
import { channelPath, type ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'
import { WebSocket } from 'ws'
import type { DeviceLink } from './device-link.ts'
import type { Figures } from './figures.ts'

const SILENCE_MILLIS = 75_000

export interface ChannelParts {
  link: DeviceLink
  figures: Figures
  /** Follows a message; it is acknowledged when this resolves, and comes again after a reconnect when it rejects. */
  follow: (message: DeviceMessage) => Promise<void>
  /** A message came that this version does not know; it is not acknowledged. */
  reportUnknown: (line: string) => void
}

/** A device's channel: connects anew, ever more slowly, until it is closed or the device is replaced. */
export class DeviceChannel {
  readonly #parts: ChannelParts
  #socket: WebSocket | null = null
  #failures = 0
  #retry: NodeJS.Timeout | undefined
  #silence: NodeJS.Timeout | undefined
  #isClosed = false
  #answered: ((answer: DeviceHeartbeatAnswer | null) => void) | null = null

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  connect(): void {
    if (this.#isClosed) return
    const { token, playpointid } = this.#parts.link.session
    const url =
      this.#parts.link.server.replace(/^http/, 'ws') + channelPath.replace('{playpointid}', playpointid)
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: 30_000,
      perMessageDeflate: false,
    })
    socket.on('open', () => {
      this.#socket = socket
      this.#failures = 0
      this.#parts.figures.connected += 1
      this.#listen()
    })
    socket.on('ping', () => this.#listen())
    socket.on('message', data => void this.#hear(Buffer.isBuffer(data) ? data.toString() : ''))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#lose(socket))
  }

  /** Sends a heartbeat and resolves with its answer; null when the channel broke first. */
  async sendHeartbeat(heartbeat: Heartbeat): Promise<DeviceHeartbeatAnswer | null> {
    this.#answered?.(null)
    return new Promise(resolve => {
      this.#answered = resolve
      this.#send({ type: 'heartbeat', heartbeat })
    })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    this.#socket?.close()
    this.#answered?.(null)
  }

  #send(reply: ChannelReply): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(reply))
  }

  /** The server pings every 30 seconds: silence for longer than two of them is a dead line. */
  #listen(): void {
    clearTimeout(this.#silence)
    if (!this.#isClosed) this.#silence = setTimeout(() => this.#socket?.terminate(), SILENCE_MILLIS)
  }

  async #hear(text: string): Promise<void> {
    this.#listen()
    const read = parseDeviceMessage(text)
    if ('unknown' in read) return this.#parts.reportUnknown(read.unknown)
    const { message } = read
    if (message.type === 'heartbeat-answer') {
      this.#answered?.(message.answer)
      this.#answered = null
      return
    }
    this.#parts.figures.messages += 1
    try {
      await this.#parts.follow(message)
      if ('id' in message) this.#send({ type: 'ack', id: message.id })
    } catch {
      // Not acknowledged, so it comes again.
    }
  }

  #lose(socket: WebSocket): void {
    clearTimeout(this.#silence)
    this.#answered?.(null)
    this.#answered = null
    if (this.#socket === socket) {
      this.#socket = null
      this.#parts.figures.connected -= 1
      if (!this.#isClosed) this.#parts.figures.dropped += 1
    }
    if (this.#isClosed) return
    this.#failures += 1
    this.#retry = setTimeout(
      () => {
        // The token may have ended with the connection.
        this.#parts.link
          .withSession(async () => undefined)
          .then(
            () => this.connect(),
            () => this.#lose(socket),
          )
      },
      backoffOf(this.#failures, Math.random()),
    )
  }
}
