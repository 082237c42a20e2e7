import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { READER_LIMITS, type ReaderLimits } from './slow-readers.ts'
import { isReceiving, type SenderLimits, SENDER_LIMITS } from './slow-senders.ts'

/** Bounds of connections. */
export interface ConnectionLimits extends SenderLimits, ReaderLimits {
  /** In all. Ten thousand devices have a channel each; their calls and the console need as many again at the most. */
  maxOpen: number
  /** Of callers who are not authenticated, in all. Admission lets 5,200 of them wait to connect. */
  maxUnknown: number
  /**
   * Of callers who are not authenticated, for an address. Of 10,000 devices behind eight addresses that come back after a
   * restart, 500 a second, each may wait for the 8 s of its queue: 500 for an address.
   */
  maxUnknownOfAddress: number
  /** Of those, in the middle of a body. Each holds up to 80 kB of it; honest calls send the body at once. */
  maxReceiving: number
  maxReceivingOfAddress: number
  /** Of one user or device, refused in the middle of a body, with time to read the answer. Each holds up to 80 kB of the body. */
  maxLingering: number
  /** Of one user or device. A browser opens six. So a client has as many as its plan has devices, and its users. */
  maxOfCaller: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  ...SENDER_LIMITS,
  ...READER_LIMITS,
  maxOpen: 20_000,
  maxUnknown: 8192,
  maxUnknownOfAddress: 2048,
  maxReceiving: 2048,
  maxReceivingOfAddress: 512,
  maxLingering: 8,
  maxOfCaller: 64,
}

/** A search for a connection to close looks at so many of the oldest. */
const MAX_LOOKS = 256

/** A connection of the HTTP server and what is known of it. */
export interface Connection {
  socket: Socket
  isProxy: boolean
  address: string
  /** Those that it counts with; null for a trusted proxy without a request. */
  share: Share | null
  caller: string | null
  request: IncomingMessage | null
  response: ServerResponse | null
  isUpgraded: boolean
  /** It is closed after the present answer. */
  endsWithAnswer: boolean
}

/** Connections that are counted together, the least recently used first. */
export class Share {
  readonly open = new Set<Connection>()
  readonly receiving = new Set<Connection>()
  readonly lingering = new Set<Connection>()

  delete(connection: Connection): void {
    this.open.delete(connection)
    this.receiving.delete(connection)
    this.lingering.delete(connection)
  }

  /** The oldest connection that keeps the server waiting. */
  oldestWaiting(except?: Connection): Connection | null {
    let looks = 0
    for (const connection of this.open) {
      if (connection !== except && keepsServerWaiting(connection)) return connection
      if (++looks === MAX_LOOKS) return null
    }
    return null
  }

  /** Closes the oldest connections in the middle of a body, if there are more than `max`. */
  boundReceiving(connection: Connection, max: number): void {
    this.receiving.add(connection)
    for (const oldest of this.receiving) {
      if (this.receiving.size <= max) return
      this.receiving.delete(oldest)
      if (oldest.request && isReceiving(oldest.request)) oldest.socket.destroy()
    }
  }
}

/** Whether the server waits for the caller, and not the caller for the server. */
function keepsServerWaiting({ isUpgraded, request, response, socket }: Connection): boolean {
  if (isUpgraded) return false
  if (!request || !response || !request.complete || response.writableFinished) return true
  return response.headersSent && socket.writableLength > 0
}
