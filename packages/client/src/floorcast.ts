import { Api, operations } from './api.ts'
import { type Change, followChanges } from './changes.ts'
import { FloorcastError, readJson } from './errors.ts'
import { List, type Page } from './list.ts'
import { type CallOptions, type Input, type Operation, splitInput } from './operation.ts'
import { type SignIn, type Token, TokenSource } from './sign-in.ts'
import { orAborted, type Repeating, type Request, Transport } from './transport.ts'
import { uploadInParts, type UploadOptions, type UploadResult } from './upload.ts'

/** Where the server is, and who calls: `token` or `signIn`. */
export interface FloorcastOptions {
  /** The address of the server, such as `https://floorcast.example`. */
  url: string
  /** What the header `Authorization: Bearer …` carries: the token of a session. */
  token?: Token
  /** Signs in at the first call, and again when the session has ended. */
  signIn?: SignIn
  /** How often a call is tried at most. Default: 9, which takes half a minute without a server. */
  maxTries?: number
  /** How long a call may take with all its tries, in milliseconds. Default: a minute, ten for downloads and forms. */
  timeoutMs?: number
  fetch?: typeof fetch
}

const [TIMEOUT_MS, TRANSFER_TIMEOUT_MS] = [60_000, 600_000]

/**
 * The calls of a Floorcast server, by noun: `floorcast.devices.list()`. A call rejects with a `FloorcastError`, or with the reason of
 * its signal. Changes answer with an outcome, whose `code` says whether they were done.
 */
export class Floorcast extends Api {
  readonly #transport: Transport
  readonly #tokens: TokenSource
  readonly #timeoutMs: number | undefined

  constructor({ url, token, signIn, maxTries = 9, timeoutMs, fetch: send = fetch }: FloorcastOptions) {
    super()
    const base = new URL(url).href.replace(/[?#].*$/, '').replace(/\/+$/, '')
    this.#timeoutMs = timeoutMs
    this.#transport = new Transport({
      base,
      // Browsers refuse a fetch that is called as a method of something else.
      fetch: (...given) => send(...given),
      maxTries,
      timeoutMs: timeoutMs ?? TIMEOUT_MS,
    })
    this.#tokens = new TokenSource(this.#transport, { token, signIn })
    const groups: Record<string, Record<string, unknown>> = {}
    for (const operation of operations)
      (groups[operation.group] ??= {})[operation.name] = this.#methodOf(operation)
    Object.assign(this, groups)
  }

  /**
   * Uploads a file in parts, for large files and bad lines: after a failure it goes on where it was. In Node `fs.openAsBlob(path)` gives
   * a file without reading it.
   */
  uploadFile(file: Blob, options: UploadOptions): Promise<UploadResult> {
    const timeoutMs = this.#timeoutMs ?? TRANSFER_TIMEOUT_MS
    return uploadInParts(
      {
        repeat: (repeating, work) =>
          this.#transport.repeat({ timeoutMs, ...repeating, mayRepeat: true }, signal =>
            work(request => this.#sendWithToken(request, signal)),
          ),
      },
      file,
      options,
    )
  }

  /** What changes in the client, until the signal aborts; the stream is opened again when it breaks. */
  changes({ signal = new AbortController().signal }: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<
    Change,
    void
  > {
    const headers = { accept: 'application/x-ndjson' }
    return followChanges(
      (path, ends) => this.#sendWithToken({ method: 'GET', template: path, path, headers }, ends),
      signal,
    )
  }

  #methodOf(operation: Operation) {
    if (operation.takesNothing) return (options?: CallOptions) => this.#call(operation, {}, options)
    if (operation.answer !== 'list')
      return (input: Input = {}, options?: CallOptions) => this.#call(operation, input, options)
    return (input: Input & { page?: number; size?: number } = {}, options?: CallOptions) =>
      new List(
        input,
        paging => this.#call(operation, { ...input, ...paging }, options) as Promise<Page<unknown>>,
      )
  }

  async #call(operation: Operation, input: Input, options: CallOptions = {}): Promise<unknown> {
    const { method, path: template, isKeyed, isOnce, answer, body: form } = operation
    const { idempotencyKey = crypto.randomUUID() } = options
    const call = `${method} ${template}`
    const isTransfer = answer === 'bytes' || form === 'form'
    const repeating: Repeating = {
      call,
      mayRepeat: !isOnce,
      timeoutMs: this.#timeoutMs ?? (isTransfer ? TRANSFER_TIMEOUT_MS : TIMEOUT_MS),
      ...options,
    }
    const request = {
      method,
      template,
      ...splitInput(operation, input),
      headers: {
        ...(form === 'json' ? { 'content-type': 'application/json' } : {}),
        ...(isKeyed ? { 'idempotency-key': idempotencyKey } : {}),
        ...(answer === 'bytes' ? { accept: '*/*' } : {}),
      },
    }
    return this.#transport.repeat(repeating, async signal => {
      const response = await this.#sendWithToken(request, signal)
      if (answer === 'bytes') return response
      const json = await readJson(call, response)
      return answer === 'plain' ? json : (json as { data: unknown }).data
    })
  }

  /** The answer of a request that is a success; a session that has ended is followed by another one. */
  async #sendWithToken(request: Request, signal: AbortSignal): Promise<Response> {
    const send = async (token: string) => {
      const headers = { ...request.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) }
      return this.#transport.sendForSuccess({ ...request, headers }, signal)
    }
    const token = await orAborted(this.#tokens.get(), signal)
    try {
      return await send(token)
    } catch (error) {
      const hasEnded = error instanceof FloorcastError && error.status === 401
      if (!hasEnded || !(await this.#tokens.renew(token))) throw error
      return send(await orAborted(this.#tokens.get(), signal))
    }
  }
}
