import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { freeBytes } from '../../lib/free-bytes.ts'
import type { Log } from '../../log/log.ts'
import { NoticeLog } from '../../log/notice-log.ts'
import { toAddressKey } from '../admit/access.ts'
import {
  type Connection,
  type ConnectionLimits,
  hasBody,
  Share,
  SlowReaders,
  SlowSenders,
} from './connection-limits.ts'

/*
 * Bounds of connections (docs/decisions/0170). A connection counts
 *
 *   - for its address, until a request on it is authenticated,
 *   - from then on for its caller, a user or a device: a chain's shops may stand behind one address,
 *   - in all.
 *
 * A connection of a trusted proxy carries the requests of many callers: it counts so while a request on it is in work, by the
 * address that the proxy names, and in all only between two requests.
 *
 * At a bound, the newest connection gets in, and the oldest one that keeps the server waiting is closed: an idle
 * one, one that has not sent its whole request, or one that does not read its answer. So those who send half requests push
 * out each other, and a caller behind the same address who sends a whole one is answered.
 */

const READERS_SWEEP_MS = 5000

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
  readonly #slowReaders: SlowReaders
  readonly #readersTimer: NodeJS.Timeout
  readonly #open = new Map<Socket, Connection>()
  readonly #unknown = new Share()
  /** Connections of trusted proxies; those between two requests come first. */
  readonly #proxied = new Share()
  readonly #shares = new Map<string, Share>()

  constructor({ log, limits, isTrustedProxy }: ConnectionOptions) {
    this.#limits = limits
    this.#isTrustedProxy = isTrustedProxy
    this.#notices = new NoticeLog(log)
    this.#slowSenders = new SlowSenders(log, limits)
    this.#slowReaders = new SlowReaders(limits)
    const sweepMs = Math.min(READERS_SWEEP_MS, limits.readPace.graceMs / 4)
    this.#readersTimer = setInterval(() => this.#sweepReaders(sweepMs), sweepMs).unref()
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts a new connection; closes an older one, or this one, if there are too many. */
  add(socket: Socket): void {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return // It is closed already.
    const address = toAddressKey(remoteAddress)
    const isProxy = this.#isTrustedProxy(remoteAddress)
    if (!this.#makeRoom(address, isProxy)) return void socket.destroy()
    const connection: Connection = {
      socket,
      isProxy,
      address,
      share: null,
      caller: null,
      request: null,
      response: null,
      isUpgraded: false,
      endsWithAnswer: false,
    }
    this.#open.set(socket, connection)
    if (isProxy) this.#proxied.open.add(connection)
    else this.#countUnknown(connection)
    socket.once('close', () => this.#forget(connection))
  }

  /** Notes a request on a connection, and watches its body. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    if (!connection) return
    Object.assign(connection, { request, response })
    this.#touch(connection)
    if (!hasBody(request)) return
    // Before Node's own listener, which would let the rest of the body come and leave its memory to V8.
    response.prependOnceListener('finish', () => this.#leaveBody(connection, request))
    this.#slowSenders.watch(request, response)
    this.#boundReceiving(connection)
  }

  /** A request came through proxies for this address: its connection counts for it until the answer ends. */
  forwardedFor(request: IncomingMessage, address: string): void {
    const connection = this.#open.get(request.socket)
    const { response } = connection ?? {}
    // A proxy that names no caller has no bound.
    if (!connection?.isProxy || !response || address === request.socket.remoteAddress) return
    this.#leaveShare(connection)
    Object.assign(connection, { caller: null, address: toAddressKey(address) })
    const share = this.#countUnknown(connection)
    response.once('close', () => this.#endForwarded(connection, response))
    const { maxUnknown, maxUnknownOfAddress } = this.#limits
    if (share.open.size > maxUnknownOfAddress) {
      this.#warnOfAddress(connection.address, share.open.size)
      this.#close(share.oldestWaiting(connection) ?? connection)
    } else if (this.#unknown.open.size > maxUnknown) {
      this.#warnOfAll(false)
      this.#close(this.#unknown.oldestWaiting(connection) ?? connection)
    }
    if (hasBody(request)) this.#boundReceiving(connection)
  }

  /** The answer is a file that was made for its reader, who must not hold it for long. */
  expectDownload(response: ServerResponse): void {
    this.#slowReaders.expectDownload(response)
  }

  /** The connection is closed after the answer to its request, whose body nobody wants. */
  endWithAnswer({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket)
    if (connection) connection.endsWithAnswer = true
  }

  /** Whether the caller of a request may have time to read the answer that closes its connection. */
  mayLinger({ socket }: IncomingMessage): boolean {
    const connection = this.#open.get(socket)
    const lingering = connection?.caller ? connection.share?.lingering : undefined
    if (!connection || !lingering || lingering.size >= this.#limits.maxLingering) return false
    return lingering.add(connection).has(connection)
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
    connection.caller = caller
    const share = this.#join(connection, `caller ${caller}`)
    if (share.open.size <= this.#limits.maxOfCaller) return
    const words = 'too many connections of one user or device; the oldest are closed'
    this.#notices.warn(`caller ${caller}`, { caller }, words)
    this.#close(share.oldestWaiting(connection) ?? connection)
  }

  /** The connection is a WebSocket, or asks to be one. */
  upgrade(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) connection.isUpgraded = true
  }

  stop(): void {
    this.#slowSenders.stop()
    clearInterval(this.#readersTimer)
  }

  #boundReceiving(connection: Connection): void {
    if (!connection.share || connection.caller !== null) return
    connection.share.boundReceiving(connection, this.#limits.maxReceivingOfAddress)
    this.#unknown.boundReceiving(connection, this.#limits.maxReceiving)
  }

  /** Between two requests a proxy's connection counts for nobody. */
  #endForwarded(connection: Connection, response: ServerResponse): void {
    if (connection.response !== response || connection.isUpgraded) return
    this.#unknown.delete(connection)
    this.#leaveShare(connection)
    Object.assign(connection, { share: null, caller: null })
  }

  #sweepReaders(elapsedMs: number): void {
    for (const connection of this.#open.values()) {
      const { socket, response, address, isUpgraded } = connection
      if (isUpgraded || !response || !this.#slowReaders.isTooSlow(socket, response, elapsedMs)) continue
      this.#notices.warn(`reader ${address}`, { address }, 'a reader was too slow and was disconnected')
      this.#close(connection)
    }
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
      this.#warnOfAddress(address, own.open.size)
      return this.#closeOldest(own)
    }
    const isFull = this.#open.size >= maxOpen
    if (!isFull && (isProxy || this.#unknown.open.size < maxUnknown)) return true
    this.#warnOfAll(isFull)
    return this.#closeOldest(this.#unknown) || (isFull && this.#closeOldest(this.#proxied))
  }

  #warnOfAddress(address: string, connections: number): void {
    const words =
      'too many connections of callers who are not signed in; the oldest are closed. If this is the address of a reverse proxy, name it in TRUST_PROXY'
    this.#notices.warn(`address ${address}`, { address, connections }, words)
  }

  #warnOfAll(isFull: boolean): void {
    const words = isFull
      ? 'too many connections in all (MAX_CONNECTIONS); the oldest that wait are closed, first those of callers who are not signed in'
      : 'too many connections of callers who are not signed in, of all addresses; the oldest are closed'
    this.#notices.warn(isFull ? 'all' : 'unknown', { connections: this.#open.size }, words)
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
    const unknown = connection.caller === null ? this.#unknown : null
    for (const share of [connection.share, unknown, this.#proxied])
      if (share?.open.delete(connection)) share.open.add(connection)
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection.socket)
    this.#unknown.delete(connection)
    this.#proxied.delete(connection)
    this.#leaveShare(connection)
  }

  #leaveShare(connection: Connection): void {
    const { share, caller, address } = connection
    if (!share) return
    share.delete(connection)
    const key = caller === null ? `address ${address}` : `caller ${caller}`
    if (share.open.size === 0 && this.#shares.get(key) === share) this.#shares.delete(key)
  }

  #countUnknown(connection: Connection): Share {
    this.#unknown.open.add(connection)
    return this.#join(connection, `address ${connection.address}`)
  }

  #join(connection: Connection, key: string): Share {
    const share = this.#shares.get(key) ?? new Share()
    this.#shares.set(key, share)
    share.open.add(connection)
    connection.share = share
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
