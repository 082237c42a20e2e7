import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../log/log.ts'
import { toAddressKey } from '../admit/addresses.ts'
import { NoticeLog } from './notice-log.ts'
import { writeProblem } from '../answer/problem-answers.ts'

/** Deadlines of those who send a body. */
export interface SenderLimits {
  /** Time for a whole body that is not a stream. */
  bodyMs: number
  /** A stream has to bring so many bytes in each such time, 1 kB/s. A resumable upload that is slower goes on later. */
  progressBytes: number
  progressMs: number
  /** Time for the rest of a body whose request is already answered, so that the sender reads the answer. */
  lingerMs: number
}

export const SENDER_LIMITS: SenderLimits = {
  bodyMs: 30_000,
  progressBytes: 65_536,
  progressMs: 60_000,
  lingerMs: 5000,
}

const SWEEP_MS = 1000

/** A request whose body is not complete. */
interface Receiving {
  request: IncomingMessage
  response: ServerResponse
  /** The body is a stream, such as an upload: its progress counts, not the whole time. */
  isStream: boolean
  /** Since when the body, or the next part of a stream, is awaited. */
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
  readonly #limits: SenderLimits
  readonly #notices: NoticeLog
  readonly #receiving = new Map<IncomingMessage, Receiving>()
  readonly #timer: NodeJS.Timeout

  constructor(log: Log, limits: SenderLimits) {
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
    if (!response.headersSent) writeProblem(socket, 408, 'too-slow')
    socket.destroySoon()
  }
}
