import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How slowly an answer may be read. Only the time counts in which the server waits for the reader. */
export interface ReadPace {
  /** In all, before the pace counts. */
  graceMs: number
  bytesPerSecond: number
}

export interface ReaderLimits {
  /** Of any answer. A shop's line of 16 kbit/s reads 2,000 bytes a second; a player goes on with the rest of a file. */
  readPace: ReadPace
  /** Of files that are made for a user. They hold memory and disk until they are read. */
  downloadPace: ReadPace
}

export const READER_LIMITS: ReaderLimits = {
  readPace: { graceMs: 60_000, bytesPerSecond: 1024 },
  downloadPace: { graceMs: 5 * 60_000, bytesPerSecond: 65_536 },
}

/** What a reader has taken of one answer. */
interface Reading {
  response: ServerResponse
  pace: ReadPace
  /** The bytes that the socket had taken before. */
  takenBefore: number
  /** For so long the server has waited for the reader. */
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
  readonly #limits: ReaderLimits
  readonly #readings = new WeakMap<Socket, Reading>()

  constructor(limits: ReaderLimits) {
    this.#limits = limits
  }

  /** The answer is a file that was made for its reader. */
  expectDownload(response: ServerResponse): void {
    const { socket } = response
    if (socket) this.#readingOf(socket, response).pace = this.#limits.downloadPace
  }

  /** To be asked at intervals of so many milliseconds. */
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
