import { z } from 'zod'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from './endpoint.ts'
import { Problem } from './problem.ts'

/** The failure of a call: an HTTP error (with its problem), no answer (status 0), or an answer without data. */
export class CallError extends Error {
  readonly status: number
  readonly problem: Problem | null
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    problem: Problem | null,
    more: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(problem?.title ?? (status === 0 ? 'No answer' : `HTTP ${status}`), { cause: more.cause })
    this.name = 'CallError'
    this.status = status
    this.problem = problem
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export interface ClientOptions {
  /** Origin without a slash at its end; empty for the page's own. A function where it may change. */
  base: string | (() => string)
  token: () => string | null
  /** BCP 47 tag of the language in which the server writes mails; default: the program's own `Accept-Language`. */
  language?: () => string
  fetch?: typeof fetch
}

/** Required where the endpoint declares parameters, absent where it declares none. */
type Params<E extends Endpoint> = string extends keyof ParamsOf<E> ? object : { params: ParamsOf<E> }
type Body<E extends Endpoint> = string extends keyof BodyOf<E> ? object : { body: BodyOf<E> }

export type CallInput<E extends Endpoint> = Params<E> &
  Body<E> & { query?: QueryOf<E>; signal?: AbortSignal; headers?: Record<string, string> }

/** The path with its parameters, percent-encoded, and the query. Undefined values are omitted. */
export function buildPath(path: string, params: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(params))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** The seconds of a `Retry-After` header; null when there are none, or a date. */
export const parseRetryAfter = (header: string | null | undefined): number | null =>
  Number(header) > 0 ? Number(header) : null

/** The error of an answer that is not OK: its problem and `Retry-After`. */
export async function toCallError(response: Response): Promise<CallError> {
  const parsed = Problem.safeParse(await response.json().catch(() => null))
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'))
  return new CallError(response.status, parsed.data ?? null, { retryAfterSeconds })
}

/** Makes the typed client. It sends a call of the contract and parses the answer. Raises `CallError`; it never retries. */
export function makeClient(options: ClientOptions) {
  const send = options.fetch ?? fetch
  return async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> {
    const token = options.token()
    const parts = input as { params?: object; query?: object; body?: unknown }
    const headers: Record<string, string> = { accept: 'application/json', ...input.headers }
    if (options.language) headers['accept-language'] = options.language()
    if (token) headers['authorization'] = `Bearer ${token}`
    if (endpoint.bodyForm === 'json') headers['content-type'] = 'application/json'
    const request: RequestInit = { method: endpoint.method, headers }
    if (endpoint.bodyForm === 'json') request.body = JSON.stringify(parts.body)
    if (input.signal) request.signal = input.signal
    const base = typeof options.base === 'string' ? options.base : options.base()
    const url = base + buildPath(endpoint.path, parts.params, parts.query)
    let response: Response
    try {
      response = await send(url, request)
    } catch (cause) {
      if (input.signal?.aborted) throw cause
      throw new CallError(0, null, { cause })
    }
    if (!response.ok) throw await toCallError(response)
    const parsed = z.object({ data: endpoint.answer }).safeParse(await response.json().catch(() => null))
    if (!parsed.success) throw new CallError(response.status, null, { cause: parsed.error })
    return parsed.data.data as AnswerOf<E>
  }
}
export type Client = ReturnType<typeof makeClient>
