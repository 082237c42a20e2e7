import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { freeBytes } from '../lib/free-bytes.ts'
import type { Log } from '../log/log.ts'
import { toAddressKey } from './addresses.ts'
import { NoticeLog } from './notice-log.ts'
import { hasBody, isReceiving, type SenderLimits, SENDER_LIMITS, SlowSenders } from './slow-senders.ts'

/*
 * Bounds of connections (docs/decisions/0170). A connection counts
 *
 *   - for its address, until a request on it is authenticated,
 *   - from then on for its caller, a user or a device: a chain's shops may stand behind one address,
 *   - in all.
 *
 * Where a bound is reached, the newest connection gets in, and the oldest one that keeps the server waiting is closed: an idle
 * one, one that has not sent its whole request, or one that does not read its answer. So those who send half requests push
 * out each other, and a caller behind the same address who sends a whole one is answered.
 */

/** Bounds of connections. */
export interface ConnectionLimits extends SenderLimits {
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
  /** Of one user or device. A browser opens six. So a client has as many as its plan has devices, and its users. */
  maxOfCaller: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  ...SENDER_LIMITS,
  maxOpen: 20_000,
  maxUnknown: 8192,
  maxUnknownOfAddress: 2048,
  maxReceiving: 2048,
  maxReceivingOfAddress: 512,
  maxOfCaller: 64,
}

/** A search for a connection to close looks at so many of the oldest. */
const MAX_LOOKS = 256

interface Connection {
  socket: Socket
  address: string
  /** Those that it counts with; null for trusted proxies, whose connections count in all only. */
  share: Share | null
  caller: string | null
  request: IncomingMessage | null
  response: ServerResponse | null
  isUpgraded: boolean
  /** It is closed after the present answer. */
  endsWithAnswer: boolean
}

/** Connections that are counted together, the least recently used first. */
class Share {
  readonly open = new Set<Connection>()
  readonly receiving = new Set<Connection>()

  delete(connection: Connection): void {
    this.open.delete(connection)
    this.receiving.delete(connection)
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

interface ConnectionOptions {
  log: Log
  limits: ConnectionLimits
  isTrustedProxy: (address: string) => boolean
}

/** The connections of the HTTP server. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #isTrustedProxy: (address: string) => boolean
  readonly #notices: NoticeLog
  readonly #slowSenders: SlowSenders
  readonly #open = new Map<Socket, Connection>()
  readonly #unknown = new Share()
  readonly #shares = new Map<string, Share>()

  constructor({ log, limits, isTrustedProxy }: ConnectionOptions) {
    this.#limits = limits
    this.#isTrustedProxy = isTrustedProxy
    this.#notices = new NoticeLog(log)
    this.#slowSenders = new SlowSenders(log, limits)
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts a new connection; closes an older one, or this one, if there are too many. */
  add(socket: Socket): void {
    const { remoteAddress } = socket
    // Undefined: it is closed already.
    if (remoteAddress === undefined) return
    const address = toAddressKey(remoteAddress)
    const isProxy = this.#isTrustedProxy(remoteAddress)
    if (!this.#makeRoom(address, isProxy)) return void socket.destroy()
    const share = isProxy ? null : this.#shareOf(`address ${address}`)
    const connection: Connection = {
      socket,
      address,
      share,
      caller: null,
      request: null,
      response: null,
      isUpgraded: false,
      endsWithAnswer: false,
    }
    this.#open.set(socket, connection)
    if (share) {
      share.open.add(connection)
      this.#unknown.open.add(connection)
    }
    socket.once('close', () => this.#forget(connection))
  }

  /** Notes a request on a connection, and watches its body. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    if (!connection) return
    connection.request = request
    connection.response = response
    this.#touch(connection)
    if (!hasBody(request)) return
    // Before Node's own listener, which would let the rest of the body come and leave its memory to V8.
    response.prependOnceListener('finish', () => this.#leaveBody(connection, request))
    this.#slowSenders.watch(request, response)
    if (!connection.share || connection.caller !== null) return
    connection.share.boundReceiving(connection, this.#limits.maxReceivingOfAddress)
    this.#unknown.boundReceiving(connection, this.#limits.maxReceiving)
  }

  /** The connection is closed after the answer to its request, whose body nobody wants. */
  endWithAnswer({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket)
    if (connection) connection.endsWithAnswer = true
  }

  /** The request's body is a stream, which may take long and has to make progress. */
  expectStream(request: IncomingMessage): void {
    this.#slowSenders.expectStream(request)
  }

  /** The connection counts for this user or device from now on. */
  identify(socket: Socket, caller: string): void {
    const connection = this.#open.get(socket)
    if (!connection?.share || connection.caller === caller) return
    this.#unknown.delete(connection)
    this.#leaveShare(connection)
    const share = this.#shareOf(`caller ${caller}`)
    connection.caller = caller
    connection.share = share
    share.open.add(connection)
    if (share.open.size <= this.#limits.maxOfCaller) return
    this.#notices.warn(
      `caller ${caller}`,
      { caller },
      'too many connections of one user or device; the oldest are closed',
    )
    this.#close(share.oldestWaiting(connection) ?? connection)
  }

  /** The connection is a WebSocket, or asks to be one. */
  upgrade(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) connection.isUpgraded = true
  }

  stop(): void {
    this.#slowSenders.stop()
  }

  /** The request is answered: frees what came, and still comes, of a body that nobody reads. */
  #leaveBody({ socket, endsWithAnswer }: Connection, request: IncomingMessage): void {
    if (request.complete || request.destroyed) return
    const isRead = request.listenerCount('data') + request.listenerCount('readable') > 0
    if (!isRead) {
      request.on('data', freeBytes)
      while (request.read() !== null);
    }
    // Node would close it too, but read on until then.
    if (endsWithAnswer && socket.writableLength === 0) socket.destroy()
  }

  #makeRoom(address: string, isProxy: boolean): boolean {
    const { maxOpen, maxUnknown, maxUnknownOfAddress } = this.#limits
    const own = isProxy ? undefined : this.#shares.get(`address ${address}`)
    if (own && own.open.size >= maxUnknownOfAddress) {
      const words =
        'too many connections of callers who are not signed in; the oldest are closed. If this is the address of a reverse proxy, name it in TRUST_PROXY'
      this.#notices.warn(`address ${address}`, { address, connections: own.open.size }, words)
      return this.#closeOldest(own)
    }
    const isFull = this.#open.size >= maxOpen
    if (!isFull && (isProxy || this.#unknown.open.size < maxUnknown)) return true
    const words = isFull
      ? 'too many connections in all (MAX_CONNECTIONS); the oldest of callers who are not signed in are closed'
      : 'too many connections of callers who are not signed in, of all addresses; the oldest are closed'
    this.#notices.warn(isFull ? 'all' : 'unknown', { connections: this.#open.size }, words)
    return this.#closeOldest(this.#unknown)
  }

  #closeOldest(share: Share): boolean {
    const oldest = share.oldestWaiting()
    if (oldest) this.#close(oldest)
    return oldest !== null
  }

  #close(connection: Connection): void {
    this.#forget(connection)
    connection.socket.destroy()
  }

  /** Keeps the order of use. */
  #touch(connection: Connection): void {
    for (const share of [connection.share, connection.caller === null ? this.#unknown : null])
      if (share?.open.delete(connection)) share.open.add(connection)
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection.socket)
    this.#unknown.delete(connection)
    this.#leaveShare(connection)
  }

  #leaveShare(connection: Connection): void {
    const { share, caller, address } = connection
    if (!share) return
    share.delete(connection)
    const key = caller === null ? `address ${address}` : `caller ${caller}`
    if (share.open.size === 0 && this.#shares.get(key) === share) this.#shares.delete(key)
  }

  #shareOf(key: string): Share {
    const share = this.#shares.get(key) ?? new Share()
    this.#shares.set(key, share)
    return share
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

/** Bounds the connections of a server; `app.connections` knows them. */
export function boundConnections(app: FastifyInstance, options: ConnectionOptions): void {
  const connections = new Connections(options)
  app.decorate('connections', connections)
  app.server.on('connection', socket => connections.add(socket))
  // Before Fastify's own listener, whose hooks ask about the request.
  app.server.prependListener('request', (request, response) => connections.begin(request, response))
  app.addHook('onClose', (_, done) => {
    connections.stop()
    done()
  })
}
