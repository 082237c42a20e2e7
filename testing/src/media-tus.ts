import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import {
  beginUpload,
  cancelUpload,
  type continueUpload,
  type UploadMetadata,
} from '@floorcast/contract/uploads.ts'
import type { TestServer } from './test-server.ts'

export const TUS = { 'tus-resumable': '1.0.0' }
export const OCTETS = 'application/offset+octet-stream'

/** Metadata as tus sends it: `key base64,key base64`. */
export const encodeMetadata = (metadata: object) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')

/** The metadata of a file; `contentType` is `melodies` by default. */
export type Announced = Partial<UploadMetadata> & { filename: string }

interface TusRequest {
  method: string
  url: string
  headers?: object
  payload?: Uint8Array
}

/** The outcome of an upload. */
export type UploadEnd = AnswerOf<typeof continueUpload>

/** Calls a test server by tus with a token. Each method returns the raw answer unless its name says otherwise. */
export class TusCaller {
  readonly #server: TestServer
  readonly #token: string

  constructor(server: TestServer, token: string) {
    this.#server = server
    this.#token = token
  }

  send({ method, url, headers, payload }: TusRequest) {
    return this.#server.http.app.inject({
      method: method as 'POST',
      url,
      headers: { ...TUS, authorization: `Bearer ${this.#token}`, ...headers },
      ...(payload ? { payload: Buffer.from(payload) } : {}),
    })
  }

  /** Announces a file. */
  announce(length: number, announced: Announced) {
    const metadata = encodeMetadata({ contentType: 'melodies', ...announced })
    const headers = { 'upload-length': String(length), 'upload-metadata': metadata }
    return this.send({ method: 'POST', url: beginUpload.path, headers })
  }

  /** Announces a file that is not refused; answers its address. */
  async begin(length: number, announced: Announced): Promise<string> {
    const answer = await this.announce(length, announced)
    if (answer.statusCode !== 201) throw new Error(`begin: ${answer.statusCode} ${answer.body}`)
    return String(answer.headers['location'])
  }

  patch(url: string, offset: number, payload: Uint8Array = new Uint8Array()) {
    const headers = { 'content-type': OCTETS, 'upload-offset': String(offset) }
    return this.send({ method: 'PATCH', url, headers, payload })
  }

  head(url: string) {
    return this.send({ method: 'HEAD', url })
  }

  /** How many bytes the server has. */
  async offsetOf(url: string): Promise<number> {
    return Number((await this.head(url)).headers['upload-offset'])
  }

  cancel(url: string) {
    return this.send({ method: cancelUpload.method, url })
  }

  /** A whole upload; answers how it ended. */
  async upload(bytes: Uint8Array, announced: Announced): Promise<UploadEnd> {
    const answer = await this.patch(await this.begin(bytes.length, announced), 0, bytes)
    if (answer.statusCode !== 200) throw new Error(`upload: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ data: UploadEnd }>().data
  }
}
