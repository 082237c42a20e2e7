import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { parseRetryAfter } from '@floorcast/contract/client.ts'
import type { Connect } from '@floorcast/device-client/channel.ts'
import { readChecked, type ReadProgramme } from '@floorcast/device-client/manifest-fetcher.ts'
import { connectByWs, connectFrom } from '@floorcast/device-client/ws-socket.ts'
import type { CallMetrics } from './call-metrics.ts'
import type { ManifestCause, Metrics } from './metrics.ts'

/** A device calls about once a minute. Idle connections of a large fleet would use up the files that a process may open. */
const KEEP_ALIVE_MS = 3000
/** With a channel for each device and at most 20,000 open files. Further calls wait for a connection. */
const MAX_CONNECTIONS = 4000
/** The encodings that the agent accepts. */
const ENCODINGS = 'gzip, deflate'

const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
}

interface Answer {
  message: IncomingMessage
  /** The body as it was sent; empty if it is known. */
  body: Buffer
  /** The length of the body as it was sent, in bytes. */
  length: number
}

/**
 * The HTTP connections of all devices. A global `fetch` has no limit of connections and costs more than the rest of a
 * simulated device.
 */
export class DeviceHttp {
  readonly #options = {
    keepAlive: true,
    timeout: KEEP_ALIVE_MS,
    maxTotalSockets: MAX_CONNECTIONS,
    scheduling: 'lifo',
  } as const
  readonly #http = new Agent(this.#options)
  readonly #https = new HttpsAgent(this.#options)
  /** Decoded bodies of immutable programmes by path. */
  readonly #decoded = new Map<string, Promise<Buffer>>()
  readonly #checked = new WeakMap<ArrayBuffer, Promise<string | null>>()

  /** Closes idle connections. */
  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  /** Sends one request and reads the whole answer. @throws Error without an answer */
  async send(url: URL, init: RequestInit, localAddress: string | undefined): Promise<Answer> {
    const isHttps = url.protocol === 'https:'
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const request = (isHttps ? requestHttps : requestHttp)(
      url,
      {
        agent: isHttps ? this.#https : this.#http,
        method: init.method ?? 'GET',
        headers: { 'accept-encoding': ENCODINGS, ...(init.headers as Record<string, string>) },
        ...(init.signal ? { signal: init.signal } : {}),
        ...(localAddress === undefined ? {} : { localAddress }),
      },
      resolve,
    )
    request.on('error', reject)
    request.end(typeof init.body === 'string' ? init.body : undefined)
    const message = await promise
    const isKnown = message.statusCode === 200 && this.#decoded.has(url.pathname)
    return { message, ...(await readBody(message, isKnown)) }
  }

  /** Checks the bytes of a programme, which devices share, once for all of them. */
  readonly readProgramme: ReadProgramme = (bytes, sha256) => {
    const checked = this.#checked.get(bytes) ?? readChecked(bytes, sha256)
    this.#checked.set(bytes, checked)
    return checked
  }

  /** The decoded body. The same programme is decoded once for all devices. */
  decode(path: string, { message, body }: Answer): Promise<Buffer> {
    const decoder = decoders[message.headers['content-encoding'] ?? '']
    if (!decoder) return Promise.resolve(body)
    if (!isProgramme(path) || message.statusCode !== 200) return decoder(body)
    const known = this.#decoded.get(path)
    if (known) return known
    const decoded = decoder(body)
    this.#decoded.set(path, decoded)
    decoded.catch(() => this.#decoded.delete(path))
    return decoded
  }
}

/**
 * Reads a body, of one that is known only the length. `buffer` of node:stream/consumers reads through a Blob and costs as much as
 * the request.
 */
async function readBody(
  message: IncomingMessage,
  isKnown: boolean,
): Promise<{ body: Buffer; length: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parts: Buffer[] = []
  let length = 0
  message.on('data', (part: Buffer) => {
    length += part.length
    if (!isKnown) parts.push(part)
  })
  message.on('end', resolve)
  message.on('error', reject)
  message.on('close', () => reject(new Error('The answer broke off')))
  await promise
  return { body: Buffer.concat(parts), length }
}

const isManifest = (path: string) => path.includes('/iplay/manifest/')
const isProgramme = (path: string) => path.includes('/iplay/programme/')

function callsOf(metrics: Metrics, path: string): CallMetrics | null {
  if (path.endsWith('/device/session')) return metrics.sessions
  if (isManifest(path)) return metrics.manifests
  if (isProgramme(path)) return metrics.programmes
  return path.includes('/iplay/send/list/') ? metrics.batches : null
}

function countBytes({ bytes }: Metrics, path: string, length: number): void {
  if (isManifest(path)) bytes.manifests += length
  else if (isProgramme(path)) bytes.programmes += length
  else bytes.others += length
}

/** Whether the server told the device to come again later. */
const isPostponed = (status: number | null, retryAfterSeconds: number | null) =>
  (status === 503 || status === 429) && retryAfterSeconds !== null

/** The part of a response that the device client reads. A real `Response` copies its body and costs as much as the request. */
class ReadResponse {
  readonly status: number
  readonly #headers: IncomingMessage['headers']
  readonly #body: Buffer

  constructor({ message }: Answer, body: Buffer) {
    this.status = message.statusCode ?? 0
    this.#headers = message.headers
    this.#body = body
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  get headers() {
    return { get: (name: string) => this.#headers[name]?.toString() ?? null }
  }
  async json(): Promise<unknown> {
    return JSON.parse(this.#body.toString())
  }
  /** Read-only: devices share it. */
  async arrayBuffer(): Promise<Uint8Array> {
    return this.#body
  }
}

export interface DeviceFetchParts {
  http: DeviceHttp
  metrics: Metrics
  localAddress: string | undefined
  /** Returns the cause of the manifest request that is sent now. */
  manifestCause: () => ManifestCause
  /** The server postponed a manifest request. */
  onManifestPostponed: () => void
}

/**
 * The `fetch` of one device. It counts the device protocol's calls by path, except heartbeats, which the device client
 * counts, and media, which the fleet fetches once.
 */
export function makeDeviceFetch(parts: DeviceFetchParts): typeof fetch {
  const { http, metrics, localAddress } = parts
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const path = url.pathname
    // Files, of the server and of the store to which it redirects.
    if (path.includes('/iplay/media/') || !path.includes('/api/v2/')) return fetch(input, init)
    if (isManifest(path)) metrics.manifestsByCause[parts.manifestCause()] += 1
    const end = callsOf(metrics, path)?.begin()
    try {
      const answer = await http.send(url, init, localAddress)
      const { statusCode: status = 0, headers } = answer.message
      countBytes(metrics, path, answer.length)
      const isLater = isPostponed(status, parseRetryAfter(headers['retry-after']))
      if (status === 304) metrics.unchanged += 1
      if (isLater && isManifest(path)) parts.onManifestPostponed()
      const isAnswered = status < 300 || status === 304
      end?.(isLater ? 'later' : isAnswered ? 'answered' : 'failed')
      return new ReadResponse(answer, await http.decode(path, answer)) as unknown as Response
    } catch (error) {
      end?.('failed')
      throw error
    }
  }
}

/** The WebSocket connections of a device, counted. */
export function makeDeviceConnect({
  metrics,
  localAddress,
  isStopping,
}: {
  metrics: Metrics
  localAddress: string | undefined
  isStopping: () => boolean
}): Connect {
  const connect = localAddress === undefined ? connectByWs : connectFrom(localAddress)
  return (url, token, handlers) => {
    const end = metrics.channels.begin()
    let isConnected = false
    return connect(url, token, {
      ...handlers,
      onOpen: () => {
        isConnected = true
        metrics.connected += 1
        end('answered')
        handlers.onOpen()
      },
      onMessage: text => {
        metrics.bytes.channel += text.length
        handlers.onMessage(text)
      },
      onClose: how => {
        if (isConnected) metrics.connected -= 1
        if (isConnected && !isStopping()) metrics.dropped += 1
        if (!isConnected) end(isPostponed(how.status, how.retryAfterSeconds) ? 'later' : 'failed')
        handlers.onClose(how)
      },
    })
  }
}
