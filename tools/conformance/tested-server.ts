import { createHash, randomUUID } from 'node:crypto'

/** The answer to a call. */
export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
  /** The bytes as JSON, of a call's answer its `data`; undefined if they are not JSON. */
  json: unknown
}

const CALL_TIMEOUT_MS = 20_000
const MESSAGE_TIMEOUT_MS = 10_000

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A channel that keeps what has arrived. */
export class TestedChannel {
  readonly #socket: WebSocket
  readonly #messages: unknown[] = []
  readonly opened: Promise<boolean>
  /** Resolves with the close code. */
  readonly closed: Promise<number>

  constructor(url: string, token: string) {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => void this.#messages.push(parseJson(String(data))))
    this.closed = new Promise(resolve => socket.addEventListener('close', ({ code }) => resolve(code)))
    this.opened = Promise.race([
      new Promise<boolean>(resolve => socket.addEventListener('open', () => resolve(true))),
      this.closed.then(() => false),
    ])
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }
  close(): void {
    this.#socket.close()
  }

  /** Waits for a message of a type. @returns undefined if none comes within ten seconds */
  async next(type: string): Promise<Record<string, unknown> | undefined> {
    const until = Date.now() + MESSAGE_TIMEOUT_MS
    while (Date.now() < until) {
      const at = this.#messages.findIndex(message => (message as { type?: unknown } | null)?.type === type)
      if (at >= 0) return this.#messages.splice(at, 1)[0] as Record<string, unknown>
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return undefined
  }
}

/** The server under test, as a player of one device sees it. */
export class TestedServer {
  readonly origin: string
  readonly licenseKey: string
  readonly boxId: string
  readonly runId = randomUUID()
  token = ''
  playPointUid = ''

  constructor(origin: string, licenseKey: string, boxId: string = randomUUID()) {
    this.origin = origin.replace(/\/+$/, '')
    this.licenseKey = licenseKey
    this.boxId = boxId
  }

  /** Makes a call. `body`: a POST, of JSON unless it is text. */
  async call(
    path: string,
    {
      body,
      token = this.token,
      headers = {},
    }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(this.origin + path, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const json = parseJson(bytes.toString())
    const { data = json } = (json ?? {}) as { data?: unknown }
    return { status: response.status, headers: response.headers, bytes, json: data }
  }

  openSession(part: Record<string, unknown> = {}): Promise<Answer> {
    const { licenseKey, boxId, runId } = this
    const body = { licenseKey, boxId, runId, model: 'conformance test', version: '1.0.0', ...part }
    return this.call('/api/v2/device/session', { body, token: '' })
  }

  openChannel(token = this.token): TestedChannel {
    const origin = this.origin.replace(/^http/, 'ws')
    return new TestedChannel(`${origin}/api/v2/iplay/channel/${this.playPointUid}?protocol=2`, token)
  }
}
