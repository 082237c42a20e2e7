import type { MediaType, Uid } from './schemas.ts'
import { FloorcastError, readJson } from './errors.ts'
import type { CallOptions } from './operation.ts'
import type { Made, Refused } from './outcomes.ts'

/** Sends one request of an upload with the token, and repeats it after failures that pass. */
export interface UploadSender {
  /** One request of a call that may be repeated; `work` does it with what it gets. */
  repeat: <T>(
    options: Pick<CallOptions, 'signal'> & { call: string; isPassing?: (error: FloorcastError) => boolean },
    work: (send: (request: UploadRequest) => Promise<Response>) => Promise<T>,
  ) => Promise<T>
}

interface UploadRequest {
  method: string
  template: string
  path: string
  headers: Record<string, string>
  body?: Blob
}

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  contentType: MediaType
  /** Becomes the item's name, without its ending. Default: that of a `File`. */
  filename?: string
  description?: string
  /** The item whose file this one replaces. */
  uid?: Uid
  /** Called with the bytes that the server has. */
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
}

export type UploadResult = (Made<200> | Refused<901 | 902 | 903>) & { durationSeconds?: number }

const ROOT = '/api/v2/upload/'
const TEMPLATE = `${ROOT}{uid}`
const [LARGEST_PART, SMALLEST_PART] = [8 * 1024 ** 2, 512 * 1024]
/** Too slow, taken by a part before, or of another offset: the server is asked where to go on. */
const RESUMABLE = new Set([408, 409, 423])

const toBase64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCodePoint(byte)).join(''))

const metadataOf = (file: Blob, { contentType, filename, description, uid }: UploadOptions) =>
  Object.entries({
    filename: filename ?? (file instanceof File ? file.name : ''),
    contentType,
    description,
    uid,
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${toBase64(value)}`]))
    .join(',')

const readOutcome = async (call: string, response: Response) =>
  ((await readJson(call, response)) as { data: UploadResult }).data

/**
 * Uploads a file in parts (tus 1.0.0), and goes on where it was after a failure that passes.
 * @throws FloorcastError
 */
export async function uploadInParts(
  sender: UploadSender,
  file: Blob,
  options: UploadOptions,
): Promise<UploadResult> {
  const tus = { 'tus-resumable': '1.0.0' }
  const begun = await sender.repeat({ call: `POST ${ROOT}`, ...pick(options) }, async send => {
    const headers = {
      ...tus,
      'upload-length': String(file.size),
      'upload-metadata': metadataOf(file, options),
    }
    const response = await send({ method: 'POST', template: ROOT, path: ROOT, headers })
    // A file that the server refuses has an outcome, and no address.
    if (response.status === 200) return { outcome: await readOutcome(`POST ${ROOT}`, response) }
    return { path: ROOT + (response.headers.get('location')?.split('/').at(-1) ?? '') }
  })
  if ('outcome' in begun) return begun.outcome
  const { path } = begun
  let offset: number | null = 0
  let part = LARGEST_PART
  const isPassing = ({ status }: FloorcastError) => {
    // A proxy's limit.
    const isTooLarge = status === 413 && part > SMALLEST_PART
    if (isTooLarge) part = Math.max(SMALLEST_PART, part / 2)
    return isTooLarge || RESUMABLE.has(status)
  }
  const readOffset = async (send: (request: UploadRequest) => Promise<Response>) =>
    Number(
      (await send({ method: 'HEAD', template: TEMPLATE, path, headers: tus })).headers.get('upload-offset'),
    )
  const call = `PATCH ${TEMPLATE}`
  for (;;) {
    const outcome: UploadResult | null = await sender.repeat(
      { call, isPassing, ...pick(options) },
      async send => {
        const from: number = offset ?? (await readOffset(send))
        offset = null
        const headers = {
          ...tus,
          'upload-offset': String(from),
          'content-type': 'application/offset+octet-stream',
        }
        const body = file.slice(from, from + part)
        const response = await send({ method: 'PATCH', template: TEMPLATE, path, headers, body })
        if (response.status === 200) return readOutcome(call, response)
        offset = Number(response.headers.get('upload-offset'))
        return null
      },
    )
    options.onProgress?.({ sentBytes: offset ?? file.size, totalBytes: file.size })
    if (outcome !== null) return outcome
  }
}

const pick = ({ signal }: UploadOptions): Pick<CallOptions, 'signal'> => (signal ? { signal } : {})
