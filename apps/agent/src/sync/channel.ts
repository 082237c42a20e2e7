import { buildPath } from '@floorcast/contract/client.ts'
import { type DeviceMessage, parseDeviceMessage } from '@floorcast/contract/device-messages.ts'
import { channelPath, type ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'
import WebSocket from 'ws'
import type { ServerLink } from './server-link.ts'

/** The server pings every 30 s; silence for longer than two of them is a dead line. */
const SILENCE = 75_000
/** The close code that says the same as the `replaced` message. */
const CLOSED_AS_REPLACED = 4001

export interface ChannelParts {
  link: ServerLink
  random: () => number
  onOpen: () => void
  /** Raises when the message could not be followed; it is then not acknowledged, and comes again. */
  onMessage: (message: DeviceMessage) => Promise<void> | void
  /** A message came that this version does not know; it is not acknowledged. */
  onUnknown: (line: string) => void
  /** The token that the server does not take. */
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** The line on which the server speaks first. Reconnects by itself, with jitter, until it is stopped or replaced. */
export class Channel {
  readonly #parts: ChannelParts
  #socket: WebSocket | null = null
  #failures = 0
  #retry: NodeJS.Timeout | undefined
  #watchdog: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  start(): void {
    const { link } = this.#parts
    const playpointid = link.playPoint()
    if (this.#isStopped || this.#socket) return
    const token = link.token()
    if (playpointid === null || token === null) return this.#startLater()
    const url = link.origin.replace(/^http/, 'ws') + buildPath(channelPath, { playpointid })
    const headers = { authorization: `Bearer ${token}` }
    const socket = new WebSocket(url, { headers, handshakeTimeout: 20_000, maxPayload: 1024 * 1024 })
    this.#socket = socket
    socket.on('open', () => {
      this.#failures = 0
      this.#watch()
      this.#parts.onOpen()
    })
    socket.on('ping', () => this.#watch())
    socket.on('message', data => void this.#hear(data as Buffer))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      if (response.statusCode === 401) void this.#parts.onUnauthorized(token)
      this.#close(socket)
    })
    socket.on('error', () => this.#close(socket))
    socket.on('close', code => this.#close(socket, code))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retry)
    clearTimeout(this.#watchdog)
    this.#socket?.terminate()
    this.#socket = null
  }

  /** Returns false when no line is open. */
  sendHeartbeat(heartbeat: Heartbeat): boolean {
    return this.#send({ type: 'heartbeat', heartbeat })
  }

  #send(reply: ChannelReply): boolean {
    if (!this.isOpen) return false
    this.#socket?.send(JSON.stringify(reply))
    return true
  }

  async #hear(data: Buffer): Promise<void> {
    this.#watch()
    const read = parseDeviceMessage(data.toString())
    if ('unknown' in read) return this.#parts.onUnknown(read.unknown)
    const { message } = read
    try {
      await this.#parts.onMessage(message)
    } catch (error) {
      console.error(`A ${message.type} message could not be followed: ${String(error)}`)
      return
    }
    if ('id' in message) this.#send({ type: 'ack', id: message.id })
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    if (!this.#isStopped) this.#watchdog = setTimeout(() => this.#socket?.terminate(), SILENCE)
  }

  #close(socket: WebSocket, code?: number): void {
    if (this.#socket !== socket) return
    this.#socket = null
    clearTimeout(this.#watchdog)
    socket.terminate()
    if (code === CLOSED_AS_REPLACED) void this.#parts.onMessage({ type: 'replaced' })
    else this.#startLater()
  }

  #startLater(): void {
    if (this.#isStopped) return
    this.#failures += 1
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.start(), backoffOf(this.#failures, this.#parts.random()))
  }
}
