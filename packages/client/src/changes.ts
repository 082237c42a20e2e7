import type { LiveLine } from './schemas.ts'
import { FloorcastError, toError } from './errors.ts'
import { pause, pauseBefore } from './transport.ts'

/** Something of the client has changed: read it again. Without `entity` anything may have changed: changes were missed. */
export interface Change {
  entity?: NonNullable<LiveLine['thing']>
  uid?: string
}

const PATH = '/api/v2/live'
/** The server remembers the changes of this time. */
const REMEMBERED_MS = 60_000
/** The server sends a line each 20 seconds: a stream without one is broken. */
const SILENT_MS = 50_000
const LONGEST_LINE = 65_536

/** Opens the stream. @throws FloorcastError */
export type OpenStream = (path: string, signal: AbortSignal) => Promise<Response>

/** Ends a stream that says nothing for too long. */
function unlessSilent<T>(stop: AbortController, spoken: Promise<T>): Promise<T> {
  const silence = setTimeout(() => stop.abort(new Error('The stream is silent')), SILENT_MS)
  return spoken.finally(() => clearTimeout(silence))
}

/** The lines of a body. @throws Error if it breaks off, or is silent for too long */
async function* readLines(body: ReadableStream<Uint8Array>, stop: AbortController): AsyncGenerator<LiveLine> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await unlessSilent(stop, reader.read())
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LONGEST_LINE) throw new Error('A line is too long')
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as LiveLine
    }
  } finally {
    stop.abort()
  }
}

/** Whether another stream may do better: not after a refusal of the caller. */
const isFinal = (error: unknown) =>
  error instanceof FloorcastError && error.status >= 400 && error.status < 500 && error.status !== 429

/**
 * The changes of the client, from now until the signal aborts. A stream that breaks is opened again, with the changes in between: those of a
 * minute are told, more than that is one change without `entity`.
 * @throws FloorcastError where the server refuses the caller; the signal's reason
 */
export async function* followChanges(
  open: OpenStream,
  signal: AbortSignal,
): AsyncGenerator<Change, void, undefined> {
  let heardAt: number | null = null
  for (let failures = 0; ; failures += 1) {
    let waitMs = pauseBefore(failures + 1, null)
    const stop = new AbortController()
    try {
      const missedMs: number | null = heardAt === null ? null : Math.ceil(performance.now() - heardAt)
      const isRemembered = missedMs !== null && missedMs < REMEMBERED_MS
      const query = isRemembered ? `?readingForMs=${missedMs}` : ''
      const response = await unlessSilent(stop, open(PATH + query, AbortSignal.any([signal, stop.signal])))
      if (!response.body || !/ndjson/.test(response.headers.get('content-type') ?? ''))
        throw await toError(`GET ${PATH}`, response)
      heardAt = performance.now()
      if (missedMs !== null && !isRemembered) yield {}
      for await (const { thing, uid, retryAfterMs } of readLines(response.body, stop)) {
        heardAt = performance.now()
        failures = 0
        if (retryAfterMs !== undefined) waitMs = retryAfterMs
        if (thing !== undefined) yield { entity: thing, ...(uid === undefined ? {} : { uid }) }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (isFinal(error)) throw error
      if (error instanceof FloorcastError && error.retryAfterSeconds !== null)
        waitMs = pauseBefore(1, error.retryAfterSeconds)
    } finally {
      stop.abort()
    }
    await pause(waitMs, signal)
  }
}
