import { parseRetryAfter } from '@floorcast/contract/client.ts'
import { WebSocket } from 'ws'
import type { Connect, DeviceSocket, SocketEnd, SocketHandlers } from './channel.ts'

/** The largest message that a server sends. */
const MAX_PAYLOAD_BYTES = 1024 * 1024
const HANDSHAKE_TIMEOUT_MS = 20_000

const unknownEnd: SocketEnd = { code: null, reason: '', status: null, retryAfterSeconds: null }

/** Connects with the `ws` package, for devices on Node. A browser uses its own WebSocket, authorized by a ticket. */
export const connectByWs: Connect = (url, token, handlers) => open(url, { token }, handlers)

/** Connects like `connectByWs`, from one of the machine's addresses. */
export const connectFrom =
  (localAddress: string): Connect =>
  (url, token, handlers) =>
    open(url, { token, localAddress }, handlers)

function open(
  url: string,
  { token, ...from }: { token: string; localAddress?: string },
  handlers: SocketHandlers,
): DeviceSocket {
  const socket = new WebSocket(url, {
    ...from,
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_PAYLOAD_BYTES,
    // The server never accepts compression, and an offer costs memory.
    perMessageDeflate: false,
  })
  let hasEnded = false
  const end = (how: Partial<SocketEnd>) => {
    if (hasEnded) return
    hasEnded = true
    socket.terminate()
    handlers.onClose({ ...unknownEnd, ...how })
  }
  socket.on('open', handlers.onOpen)
  socket.on('ping', handlers.onPing)
  socket.on('message', data => handlers.onMessage((data as Buffer).toString()))
  socket.on('unexpected-response', (request, response) => {
    request.destroy()
    const retryAfterSeconds = parseRetryAfter(response.headers['retry-after'])
    end({ status: response.statusCode ?? null, retryAfterSeconds })
  })
  socket.on('error', () => end({}))
  socket.on('close', (code, reason) => end({ code, reason: reason.toString() }))
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    send: text => socket.send(text),
    terminate: () => socket.terminate(),
  }
}
