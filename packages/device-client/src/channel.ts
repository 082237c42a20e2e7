import { buildPath } from '@floorcast/contract/client.ts'
import type { CommandResult } from '@floorcast/contract/device-commands.ts'
import {
  CLOSED_FOR_RESTART,
  type DeviceMessage,
  parseDeviceMessage,
  parseRestartReason,
} from '@floorcast/contract/device-messages.ts'
import {
  channelPath,
  type ChannelReply,
  type Held,
  type Heartbeat,
} from '@floorcast/contract/device-protocol.ts'
import type { AlertStep } from '@floorcast/contract/events.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import { type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'

/** The server pings every 30 s; a connection silent for longer than two pings is dead. */
const MAX_SILENCE_MS = 75_000
/** The close code with the meaning of the `replaced` message. */
const CLOSED_AS_REPLACED = 4001

/** How a connection ended. A value is null if the platform does not provide it. */
export interface SocketEnd {
  /** The WebSocket's close code. */
  code: number | null
  /** The reason of the close; empty without one. */
  reason: string
  /** The HTTP status that refused the connection. */
  status: number | null
  retryAfterSeconds: number | null
}

export interface SocketHandlers {
  onOpen: () => void
  /** Not called on platforms that hide pings. */
  onPing: () => void
  onMessage: (text: string) => void
  /** Called once for each connection. */
  onClose: (end: SocketEnd) => void
}

export interface DeviceSocket {
  readonly isOpen: boolean
  send: (text: string) => void
  /** Ends the connection without a closing handshake. */
  terminate: () => void
}

/** Opens a WebSocket with the device's token. It must call no handler before it returns. */
export type Connect = (url: string, token: string, handlers: SocketHandlers) => DeviceSocket

/** The result of a command: whether it was followed, which its acknowledgement says. */
export type MessageResult = CommandResult | void | Promise<CommandResult | void>

export interface ChannelOptions extends RetryParts {
  session: DeviceSession
  connect: Connect
  onOpen: () => void
  /** With the rest of the wait that the server has told; 0 without one. */
  onClose: (retryAfterMs: number) => void
  /** If it throws, the message is not acknowledged, and the server sends it again. */
  onMessage: (message: DeviceMessage) => MessageResult
  /** Called for a message that this version does not know. The message is not acknowledged. */
  onUnknown: (line: string) => void
  /** The server refused this token. */
  onUnauthorized: (refused: string | null) => Promise<void>
  print: (line: string) => void
}

/** The WebSocket over which the server sends messages. It reconnects until it is stopped or replaced. */
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
    if (playPointUid === null || token === null) return this.#scheduleReconnect(null)
    const path = buildPath(channelPath, { playpointid: playPointUid }, { protocol: PROTOCOL })
    const url = origin.replace(/^http/, 'ws') + path
    const socket = connect(url, token, {
      onOpen: () => {
        this.#retry.reset()
        this.#restartWatchdog()
        onOpen()
      },
      onPing: () => this.#restartWatchdog(),
      onMessage: text => void this.#receive(text),
      onClose: end => {
        if (end.status === 401) void onUnauthorized(token)
        this.#onClose(socket, end)
      },
    })
    this.#socket = socket
  }

  /** Connects to the session's new address. A channel to the former one may be open still: that address may refuse calls only. */
  reconnect(): void {
    clearTimeout(this.#reconnect)
    this.#retry.reset()
    if (this.#socket) this.#socket.terminate()
    else this.start()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#reconnect)
    clearTimeout(this.#watchdog)
    this.#socket?.terminate()
    this.#socket = null
  }

  /** Does nothing if no connection is open. */
  sendHeartbeat(heartbeat: Heartbeat): void {
    this.#send({ type: 'heartbeat', heartbeat })
  }

  /** Reports a step of an alert, `agoMs` milliseconds after it. Does nothing if no connection is open. */
  sendReceipt(alertUid: string, step: AlertStep, agoMs: number): void {
    this.#send({ type: 'receipt', alertUid, step, agoMs })
  }

  /** Does nothing if no connection is open. */
  sendHeld(held: Held[]): void {
    this.#send({ type: 'held', held })
  }

  #send(reply: ChannelReply): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(reply))
  }

  async #receive(text: string): Promise<void> {
    const { onMessage, onUnknown, print } = this.#options
    this.#restartWatchdog()
    const read = parseDeviceMessage(text)
    if ('unknown' in read) return onUnknown(read.unknown)
    const { message } = read
    let result: CommandResult | void
    try {
      result = await onMessage(message)
    } catch (error) {
      print(`A ${message.type} message failed: ${String(error)}`)
      return
    }
    if ('id' in message && message.id !== undefined) this.#send({ type: 'ack', id: message.id, ...result })
  }

  #restartWatchdog(): void {
    clearTimeout(this.#watchdog)
    if (!this.#isStopped) this.#watchdog = setTimeout(() => this.#socket?.terminate(), MAX_SILENCE_MS)
  }

  #onClose(socket: DeviceSocket, { code, reason, retryAfterSeconds }: SocketEnd): void {
    if (this.#socket !== socket) return
    this.#socket = null
    clearTimeout(this.#watchdog)
    const toldSeconds = code === CLOSED_FOR_RESTART ? parseRestartReason(reason) : retryAfterSeconds
    if (code !== CLOSED_AS_REPLACED) this.#scheduleReconnect(toldSeconds)
    this.#options.onClose(this.#retry.retryAfterMs)
    if (code === CLOSED_AS_REPLACED) void this.#options.onMessage({ type: 'replaced' })
  }

  #scheduleReconnect(retryAfterSeconds: number | null): void {
    if (this.#isStopped) return
    this.#retry.fail(retryAfterSeconds)
    clearTimeout(this.#reconnect)
    this.#reconnect = setTimeout(() => this.start(), this.#retry.delayMs)
  }
}
