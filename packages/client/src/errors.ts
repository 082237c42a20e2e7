import type { Problem } from './schemas.ts'

/**
 * The codes of failed calls: those of the server's problems, which `/problems` of a server explains, and those of the client:
 * `no-answer` (the connection failed), `bad-answer` (not the server's: a proxy's page, or cut off) and `deadline`.
 * A newer server may have further ones.
 */
export type ErrorCode = NonNullable<Problem['code']> | 'no-answer' | 'bad-answer' | 'deadline'

interface Failure {
  code: ErrorCode
  /** `GET /api/v2/users` */
  call: string
  status?: number
  problem?: Problem | undefined
  requestId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** A call that failed. It has neither tokens nor passwords. */
export class FloorcastError extends Error {
  override readonly name = 'FloorcastError'
  readonly code: ErrorCode
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** What happened, as a sentence in English. */
  readonly detail: string
  /** The wrong fields of the input. */
  readonly errors: NonNullable<Problem['errors']>
  /** The id of the request in the server's log; null where something else has answered. */
  readonly requestId: string | null
  /** When to come back; null where nobody has said it. */
  readonly retryAfterSeconds: number | null
  readonly #problem: Problem | null

  constructor({ code, call, status = 0, problem, requestId, retryAfterSeconds, cause }: Failure) {
    const detail = problem?.detail ?? problem?.title ?? DETAILS[code] ?? `HTTP ${status}`
    const fields = (problem?.errors ?? []).map(({ path, message }) => ` ${path}: ${message}.`).join('')
    super(
      `${call}: ${status > 0 ? `${status} ` : ''}${code}: ${detail}${fields}`,
      cause === undefined ? {} : { cause },
    )
    this.code = code
    this.status = status
    this.detail = detail
    this.errors = problem?.errors ?? []
    this.requestId = problem?.id ?? requestId ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
    this.#problem = problem ?? null
  }

  /** The server's whole answer, if it was a problem. It is not printed: it may have the ticket of a sign-in. */
  get problem(): Problem | null {
    return this.#problem
  }
}

const DETAILS: Readonly<Record<string, string | undefined>> = {
  'no-answer': 'The server has not answered.',
  'bad-answer': 'The answer is not a whole one of the server.',
  deadline: 'The time for the call is over.',
}

/** The seconds of a `Retry-After`, which may be a date; null without one. */
function readRetryAfter(header: string | null): number | null {
  if (header === null || header === '') return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

const isJson = (response: Response) => /\bjson\b/.test(response.headers.get('content-type') ?? '')

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'title' in value && 'status' in value

/** The error of an answer that is no success, or that another program has given. */
export async function toError(call: string, response: Response): Promise<FloorcastError> {
  const { status, headers } = response
  const body: unknown = isJson(response)
    ? await response.json().catch(() => null)
    : await response.body?.cancel().catch(() => null)
  const problem = isProblem(body) ? body : undefined
  return new FloorcastError({
    code: problem?.code ?? 'bad-answer',
    call,
    status,
    problem,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  })
}

/** The JSON of an answer. @throws FloorcastError 'bad-answer' if it is none, or not whole */
export async function readJson(call: string, response: Response): Promise<unknown> {
  if (!isJson(response)) throw await toError(call, response)
  const { status, headers } = response
  try {
    return JSON.parse(await response.text())
  } catch (cause) {
    throw new FloorcastError({
      code: 'bad-answer',
      call,
      status,
      requestId: headers.get('x-request-id'),
      cause,
    })
  }
}
