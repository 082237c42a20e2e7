import { buildPath } from '@floorcast/contract/client.ts'
import { type DeviceMessage, parseDeviceMessage } from '@floorcast/contract/device-messages.ts'
import { channelPath, type ChannelReply, type Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'

/** The server pings every 30 s; a connection silent for longer than two pings is dead. */
const MAX_SILENCE_MS = 75_000
/** The close code that says the same as the `replaced` message. */
const CLOSED_AS_REPLACED = 4001

/** How a connection ended; null where the platform does not say. */
export interface SocketEnd {
  /** The WebSocket's close code. */
  code: number | null
  /** The HTTP status that refused the connection. */
  status: number | null
  retryAfterSeconds: number | null
}

export interface SocketHandlers {
  onOpen: () => void
  /** Not called where the platform hides pings. */
  onPing: () => void
  onMessage: (text: string) => void
  /** Called once, whatever ended the connection. */
  onClose: (end: SocketEnd) => void
}

export interface DeviceSocket {
  readonly isOpen: boolean
  send: (text: string) => void
  /** Ends the connection without a closing handshake. */
  terminate: () => void
}

/** Opens a WebSocket that is authorized by the device's token. Calls no handler before it returns. */
export type Connect = (url: string, token: string, handlers: SocketHandlers) => DeviceSocket

export interface ChannelOptions extends RetryParts {
  session: DeviceSession
  connect: Connect
  onOpen: () => void
  onClose: () => void
  /** Raises when the message could not be followed; it is then not acknowledged, and comes again. */
  onMessage: (message: DeviceMessage) => Promise<void> | void
  /** A message came that this version does not know; it is not acknowledged. */
  onUnknown: (line: string) => void
  /** The server does not accept the token that was used. */
  onUnauthorized: (refused: string | null) => Promise<void>
  say: (line: string) => void
}

/** The connection on which the server speaks first. It reconnects until it is stopped or replaced. */
export class Channel {
  readonly #options: ChannelOptions
  readonly #retry: RetryTimer
  #socket: DeviceSocket | null = null
  #reconnect: ReturnType<typeof setTimeout> | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(options: ChannelOptions) {
    this.#options = options
    this.#retry = new RetryTimer(options)
  }

  get isOpen(): boolean {
    return this.#socket?.isOpen ?? false
  }

  start(): void {
    const { session, connect, onOpen, onUnauthorized } = this.#options
    const { origin, playPointUid, token } = session
    if (this.#isStopped || this.#socket) return
    if (playPointUid === null || token === null) return this.#startLater(null)
    const url = origin.replace(/^http/, 'ws') + buildPath(channelPath, { playpointid: playPointUid })
    const socket = connect(url, token, {
      onOpen: () => {
        this.#retry.reset()
        this.#watch()
        onOpen()
      },
      onPing: () => this.#watch(),
      onMessage: text => void this.#receive(text),
      onClose: end => {
        if (end.status === 401) void onUnauthorized(token)
        this.#close(socket, end)
      },
    })
    this.#socket = socket
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#reconnect)
    clearTimeout(this.#watchdog)
    this.#socket?.terminate()
    this.#socket = null
  }

  /** Does nothing while no connection is open. */
  sendHeartbeat(heartbeat: Heartbeat): void {
    this.#send({ type: 'heartbeat', heartbeat })
  }

  #send(reply: ChannelReply): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(reply))
  }

  async #receive(text: string): Promise<void> {
    const { onMessage, onUnknown, say } = this.#options
    this.#watch()
    const read = parseDeviceMessage(text)
    if ('unknown' in read) return onUnknown(read.unknown)
    const { message } = read
    try {
      await onMessage(message)
    } catch (error) {
      say(`A ${message.type} message could not be followed: ${String(error)}`)
      return
    }
    if ('id' in message) this.#send({ type: 'ack', id: message.id })
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    if (!this.#isStopped) this.#watchdog = setTimeout(() => this.#socket?.terminate(), MAX_SILENCE_MS)
  }

  #close(socket: DeviceSocket, { code, retryAfterSeconds }: SocketEnd): void {
    if (this.#socket !== socket) return
    this.#socket = null
    clearTimeout(this.#watchdog)
    this.#options.onClose()
    if (code === CLOSED_AS_REPLACED) void this.#options.onMessage({ type: 'replaced' })
    else this.#startLater(retryAfterSeconds)
  }

  #startLater(retryAfterSeconds: number | null): void {
    if (this.#isStopped) return
    this.#retry.fail(retryAfterSeconds)
    clearTimeout(this.#reconnect)
    this.#reconnect = setTimeout(() => this.start(), this.#retry.delayMs)
  }
}
