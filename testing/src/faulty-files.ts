import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { FILES_HEADER } from '@floorcast/contract/files-header.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'

/** The fault of the next answer for a media file. A sign-in `page`, a `short` answer and a `whole` file have the status 200. */
export type Fault = 'truncate' | 'garble' | 'refuse' | 'endless' | 'redirect' | 'page' | 'short' | 'whole'

/** The media files of a device host, whose downloads can fail. */
export class FaultyFiles {
  readonly ranges: (string | undefined)[] = []
  readonly faults = new Map<string, Fault[]>()
  /** The answers that redirected a media file. */
  redirects = 0
  /** The target of a redirected media file. */
  redirectTo = ''
  /** The signed address of a file at a store, for devices that follow it; null: the server sends files itself. */
  signedAddressOf: ((sha256: string) => string) | null = null
  /** The bytes of endless media files that were taken until the device broke off. */
  readonly endlessBytes: number[] = []
  /** Awaited in the middle of a truncated file, so that the first half arrives before the connection breaks. */
  onHalfSent: (sha256: string) => Promise<unknown> = () => new Promise(resolve => setTimeout(resolve, 100))
  readonly #files = new Map<string, Buffer>()

  addFile(file: Pick<ManifestFile, 'sha256'>, bytes: Buffer): void {
    this.#files.set(file.sha256, bytes)
  }
  takeFiles(other: FaultyFiles): void {
    for (const [sha256, bytes] of other.#files) this.#files.set(sha256, bytes)
  }

  /** Answers with the file of a path, or with its next fault. */
  sendFile(request: IncomingMessage, response: ServerResponse): void {
    const sha256 = request.url?.split('/').pop() ?? ''
    const bytes = this.#files.get(sha256)
    const fault = this.faults.get(sha256)?.shift()
    if (!bytes || fault === 'refuse') return sendProblem(response, bytes ? 503 : 404, 'not-found')
    if (this.signedAddressOf !== null && request.headers[FILES_HEADER] === 'redirect')
      return void response.writeHead(302, { location: this.signedAddressOf(sha256) }).end()
    this.ranges.push(request.headers.range)
    if (fault === 'redirect') this.redirects += 1
    if (fault === 'redirect') return void response.writeHead(302, { location: this.redirectTo }).end()
    if (fault === 'endless') return this.#sendEndlessly(response, bytes)
    if (fault === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('Welcome!')
    if (fault === 'short') return void response.write('In pieces', () => response.end())
    if (fault === 'whole') return void response.write(bytes, () => response.end())
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = Buffer.from(bytes.subarray(from))
    if (fault === 'garble') rest.fill(0x55, 0, Math.min(100, rest.length))
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, etag: `"${sha256}"` })
    if (fault !== 'truncate') return void response.end(rest)
    response.write(rest.subarray(0, Math.floor(rest.length / 2)))
    void this.onHalfSent(sha256).finally(() => response.destroy())
  }

  /** Repeats the bytes, in a body without a length, until the device breaks off. */
  #sendEndlessly(response: ServerResponse, bytes: Buffer): void {
    response.writeHead(200)
    const body = Readable.from(
      (function* () {
        for (;;) yield bytes
      })(),
      { objectMode: false },
    )
    response.on('close', () => {
      body.destroy()
      this.endlessBytes.push(response.socket?.bytesWritten ?? 0)
    })
    body.pipe(response)
  }
}

export function sendJson(response: ServerResponse, data: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data }))
}

export function sendProblem(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ type: 'about:blank', title: code, status, code, detail: `Refused: ${code}` }))
}
