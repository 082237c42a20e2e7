import { FloorcastError, toError } from './errors.ts'
import type { CallOptions } from './operation.ts'

/** The first pause before another try, and the longest one without a `Retry-After`. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 8000]
/** No server, a busy one, and proxies without one. */
const PASSING = new Set([429, 502, 503, 504])

export interface TransportOptions {
  /** The origin, with a path if there is one, without a slash at its end. */
  base: string
  fetch: typeof fetch
  maxTries: number
  timeoutMs: number
}

export interface Request {
  method: string
  /** The path of the contract, for errors. */
  template: string
  path: string
  headers?: Record<string, string>
  body?: BodyInit
}

export interface Repeating extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  call: string
  /** Whether another try does no harm. */
  mayRepeat: boolean
  /** Further failures after which to try again. */
  isPassing?: (error: FloorcastError) => boolean
}

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** What a promise gives, or the signal's reason if that comes first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const settled = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: settled.signal })
  })
  return Promise.race([promise, aborted]).finally(() => settled.abort())
}

/** The pause before a try, from 1 on: what the server has said and a little more, or a growing one that differs between callers. */
export function pauseBefore(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000 + Math.random() * 500
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

/** An answer that was cut off has a cause; a page of another program at status 200 has none. */
const isAnyPassing = ({ code, status, cause }: FloorcastError) =>
  code === 'no-answer' ||
  code === 'call-running' ||
  PASSING.has(status) ||
  (code === 'bad-answer' && status === 200 && cause !== undefined)

/** Sends requests, and repeats what may be repeated, within the time that a call has. */
export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /**
   * One request.
   * @throws FloorcastError 'no-answer' without an answer
   */
  async send(
    { method, template, path, headers = {}, body }: Request,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      return await this.#options.fetch(this.#options.base + path, {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        // A redirected POST would become a GET.
        redirect: method === 'GET' ? 'follow' : 'manual',
        signal,
      })
    } catch (cause) {
      if (signal.aborted) throw cause
      throw new FloorcastError({ code: 'no-answer', call: `${method} ${template}`, cause })
    }
  }

  /** The answer of one request that is a success. @throws FloorcastError for any other */
  async sendForSuccess(request: Request, signal: AbortSignal): Promise<Response> {
    const response = await this.send(request, signal)
    if (!response.ok) throw await toError(`${request.method} ${request.template}`, response)
    return response
  }

  /**
   * Does the work, and again after a failure that passes, if it may be repeated. The signal that the work gets ends with the call's
   * time, which stops when the work is done.
   * @throws FloorcastError 'deadline', and the work's; the reason of the caller's signal
   */
  async repeat<T>(repeating: Repeating, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { call, signal: callers, timeoutMs = this.#options.timeoutMs } = repeating
    callers?.throwIfAborted()
    const time = new AbortController()
    const timer = setTimeout(() => time.abort(), timeoutMs)
    const endsAt = performance.now() + timeoutMs
    const signal = callers ? AbortSignal.any([callers, time.signal]) : time.signal
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(signal)
        } catch (error) {
          await pause(this.#pauseAfter(error, { ...repeating, attempt, endsAt }), signal)
        }
      }
    } catch (error) {
      if (callers?.aborted) throw callers.reason
      if (time.signal.aborted) throw new FloorcastError({ code: 'deadline', call, cause: error })
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws the error itself if there is no further try */
  #pauseAfter(
    error: unknown,
    { mayRepeat, isPassing, attempt, endsAt }: Repeating & { attempt: number; endsAt: number },
  ) {
    if (!(error instanceof FloorcastError) || !mayRepeat || attempt >= this.#options.maxTries) throw error
    if (!isAnyPassing(error) && !isPassing?.(error)) throw error
    const ms = pauseBefore(attempt, error.retryAfterSeconds)
    if (performance.now() + ms > endsAt) throw error
    return ms
  }
}
