import type { Connect, DeviceSocket, SocketEnd, SocketHandlers } from '@floorcast/device-client/channel.ts'

/** A ticket for a path of the server. @throws CallError */
export type MakeTicket = (path: string) => Promise<string>

export interface TicketSocketOptions {
  makeTicket: MakeTicket
  /** The session that this connection belongs to. */
  sessionUid: () => string | undefined
  /** The HTTP status and Retry-After of a refused ticket. */
  describeRefusal: (error: unknown) => Partial<SocketEnd>
}

const unknownEnd: SocketEnd = { code: null, reason: '', status: null, retryAfterSeconds: null }

/**
 * Connects with the WebSocket of a browser, which sends no header and shows neither pings nor the status of a refusal. A ticket
 * authorizes it.
 */
export const connectByTicket =
  (options: TicketSocketOptions): Connect =>
  (url, _token, handlers) =>
    new TicketSocket(url, handlers, options)

class TicketSocket implements DeviceSocket {
  readonly #handlers: SocketHandlers
  #socket: WebSocket | null = null
  #hasEnded = false

  constructor(url: string, handlers: SocketHandlers, options: TicketSocketOptions) {
    this.#handlers = handlers
    void this.#open(new URL(url), options)
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }
  send(text: string): void {
    this.#socket?.send(text)
  }
  terminate(): void {
    this.#end({})
  }

  async #open(url: URL, { makeTicket, sessionUid, describeRefusal }: TicketSocketOptions): Promise<void> {
    try {
      url.searchParams.set('ticket', await makeTicket(url.pathname))
    } catch (error) {
      return this.#end(describeRefusal(error))
    }
    if (this.#hasEnded) return
    const session = sessionUid()
    if (session !== undefined) url.searchParams.set('session', session)
    const socket = new WebSocket(url)
    this.#socket = socket
    socket.addEventListener('open', () => this.#handlers.onOpen())
    socket.addEventListener('message', ({ data }) => this.#handlers.onMessage(String(data)))
    socket.addEventListener('close', ({ code, reason }) => this.#end({ code, reason }))
  }

  #end(how: Partial<SocketEnd>): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#socket?.close()
    this.#handlers.onClose({ ...unknownEnd, ...how })
  }
}
