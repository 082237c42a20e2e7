import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../log/log.ts'
import { problemBody, ProblemError } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { NoticeLog } from '../../log/notice-log.ts'
import { toAddressKey } from '../admit/access.ts'

/** Limits of connections: how many there are, and how slowly one may send and read. */
export interface ConnectionLimits {
  /** All connections. Ten thousand devices have a channel each; their calls and the console need at most the same number again. */
  maxOpen: number
  /** All connections of callers who are not authenticated. Admission lets 5,200 of them wait to connect. */
  maxUnknown: number
  /**
   * Connections of callers who are not authenticated, for an address. When 10,000 devices behind eight addresses come back after a
   * restart, 500 a second, each may wait for the 8 s of its queue: 500 for an address.
   */
  maxUnknownOfAddress: number
  /** Those of them in the middle of a body. Each holds up to 80 kB of it; honest calls send the body at once. */
  maxReceiving: number
  maxReceivingOfAddress: number
  /** Connections of one user or device that were refused in the middle of a body, with time to read the answer. Each holds up to 80 kB of it. */
  maxLingering: number
  /** Connections of one user or device. A browser opens six. A client is bounded by the devices of its plan and by its users. */
  maxOfCaller: number
  /** Time for a whole body that is not a stream. */
  bodyMs: number
  /** A stream has to bring this number of bytes in each interval, 1 kB/s. A slower resumable upload continues later. */
  progressBytes: number
  progressMs: number
  /** Time for the rest of a body whose request is already answered, so that the sender reads the answer. */
  lingerMs: number
  /** For any answer. A shop's line of 16 kbit/s reads 2,000 bytes a second; a player continues later with the rest of a file. */
  readPace: ReadPace
  /** For files that are made for a user. They hold memory and disk until they are read. */
  downloadPace: ReadPace
}

/** How slowly an answer may be read. Only the time counts in which the server waits for the reader. */
interface ReadPace {
  /** The total wait for the reader before the pace counts. */
  graceMs: number
  bytesPerSecond: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  maxOpen: 20_000,
  maxUnknown: 8192,
  maxUnknownOfAddress: 2048,
  maxReceiving: 2048,
  maxReceivingOfAddress: 512,
  maxLingering: 8,
  maxOfCaller: 64,
  bodyMs: 30_000,
  progressBytes: 65_536,
  progressMs: 60_000,
  lingerMs: 5000,
  readPace: { graceMs: 60_000, bytesPerSecond: 1024 },
  downloadPace: { graceMs: 5 * 60_000, bytesPerSecond: 65_536 },
}

/** The number of the oldest connections that a search for one to close reads. */
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

const SWEEP_MS = 1000

/** A request whose body is not complete. */
interface Receiving {
  request: IncomingMessage
  response: ServerResponse
  /** The body is a stream, such as an upload: its progress counts, not the whole time. */
  isStream: boolean
  /** The time since which the body, or the next part of a stream, is awaited. */
  since: number
  /** The bytes of the connection at that time. */
  bytesSince: number
  /** When the request was found answered. */
  answeredAt: number | null
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** True while a part of the body has not come. */
export const isReceiving = (request: IncomingMessage) => !request.complete && !request.socket.destroyed

/** Ends the connections of those who send a body too slowly. */
export class SlowSenders {
  readonly #limits: ConnectionLimits
  readonly #notices: NoticeLog
  readonly #receiving = new Map<IncomingMessage, Receiving>()
  readonly #timer: NodeJS.Timeout

  constructor(log: Log, limits: ConnectionLimits) {
    this.#limits = limits
    this.#notices = new NoticeLog(log)
    this.#timer = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, limits.bodyMs / 4))
    this.#timer.unref()
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    this.#receiving.set(request, {
      request,
      response,
      isStream: false,
      since: performance.now(),
      bytesSince: request.socket.bytesRead,
      answeredAt: null,
    })
  }

  expectStream(request: IncomingMessage): void {
    const receiving = this.#receiving.get(request)
    if (receiving) receiving.isStream = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sweep(): void {
    const now = performance.now()
    for (const receiving of this.#receiving.values()) {
      const { request } = receiving
      const isOver = !isReceiving(request)
      const isTooSlow = !isOver && this.#isTooSlow(receiving, now)
      if (isOver || isTooSlow) this.#receiving.delete(request)
      if (isTooSlow) this.#end(receiving)
    }
  }

  #isTooSlow(receiving: Receiving, now: number): boolean {
    const { request, response } = receiving
    const { bodyMs, progressBytes, progressMs, lingerMs } = this.#limits
    const { bytesRead } = request.socket
    // The server has not read what came, such as a body whose caller waits to be authenticated.
    const isServersTurn = request.readableLength > 0 && !response.writableFinished
    const hasProgress = receiving.isStream && bytesRead - receiving.bytesSince >= progressBytes
    if (isServersTurn || hasProgress) {
      receiving.since = now
      receiving.bytesSince = bytesRead
    }
    if (receiving.isStream) return now - receiving.since > progressMs
    if (response.writableFinished) receiving.answeredAt ??= now
    const { since, answeredAt } = receiving
    return now - since > bodyMs || (answeredAt !== null && now - answeredAt > lingerMs)
  }

  #end({ request: { socket }, response }: Receiving): void {
    const address = toAddressKey(socket.remoteAddress ?? '')
    this.#notices.warn(address, { address }, 'a sender was too slow and was disconnected')
    const id = String(response.getHeader('x-request-id') ?? uuidV7())
    if (!response.headersSent) writeProblem(socket, new ProblemError('too-slow'), id)
    socket.destroySoon()
  }
}

/** The progress of a reader in one answer. */
interface Reading {
  response: ServerResponse
  pace: ReadPace
  /** The bytes that the socket had taken before. */
  takenBefore: number
  /** The time that the server has waited for the reader. */
  waitedMs: number
}

/**
 * The bytes that the kernel has taken of an answer; it holds up to some megabytes itself. Node's public counts know a chunk only when all
 * of it is taken: an answer of one chunk would look as if nobody read it.
 */
function takenBy(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as { bytesWritten?: number; writeQueueSize?: number } | null
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength
  return handle.bytesWritten - handle.writeQueueSize
}

/** Knows who reads an answer more slowly than its pace allows. */
export class SlowReaders {
  readonly #limits: ConnectionLimits
  readonly #readings = new WeakMap<Socket, Reading>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** The answer is a file that was made for its reader. */
  expectDownload(response: ServerResponse): void {
    const { socket } = response
    if (socket) this.#readingOf(socket, response).pace = this.#limits.downloadPace
  }

  /** Called at intervals of `elapsedMs`. */
  isTooSlow(socket: Socket, response: ServerResponse, elapsedMs: number): boolean {
    if (!response.headersSent || socket.writableLength === 0) return false
    const reading = this.#readingOf(socket, response)
    reading.waitedMs += elapsedMs
    const { graceMs, bytesPerSecond } = reading.pace
    const taken = takenBy(socket) - reading.takenBefore
    return reading.waitedMs > graceMs + (taken / bytesPerSecond) * 1000
  }

  #readingOf(socket: Socket, response: ServerResponse): Reading {
    const known = this.#readings.get(socket)
    if (known?.response === response) return known
    const reading = {
      response,
      pace: this.#limits.readPace,
      takenBefore: takenBy(socket),
      waitedMs: 0,
    }
    this.#readings.set(socket, reading)
    return reading
  }
}

/** Answers on a connection without a reply object: to data that is not a request, or while the request is still coming. */
export function writeProblem(socket: Duplex, problem: ProblemError, id: string): void {
  const { title, status, ...rest } = problemBody(problem, id)
  const body = JSON.stringify({ title, status, ...rest })
  const { retryAfterSeconds } = problem.details
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ]
  if (retryAfterSeconds !== undefined) head.push(`retry-after: ${Math.max(1, retryAfterSeconds)}`)
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}
