import { buildPath, toCallError, CallError } from '@floorcast/contract/client.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import { endExpiredSession } from './client.ts'
import { apiAddress } from './api-base.ts'
import { openDownloadFile, type DownloadFile } from './download-file.ts'
import { sessionStore } from './session.ts'

/** Saves bytes under a name, as a click on a link to them does. */
export function saveFile(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes)
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName })
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the address after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Fetches as the signed-in user. A link could not carry the session. @throws CallError; the abort of the signal */
async function fetchAnswer(path: string, request: RequestInit): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${sessionStore.get().token}`)
  let answer: Response
  try {
    answer = await fetch(await apiAddress(path), { ...request, headers })
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw new CallError(0, null, { cause })
  }
  if (answer.status === 401) endExpiredSession()
  if (!answer.ok) throw await toCallError(answer)
  return answer
}

/** Saves the answer of a call that sends bytes. @throws CallError */
export async function downloadAnswer<E extends Endpoint>(
  endpoint: E,
  { body, query }: { body: BodyOf<E>; query: QueryOf<E> },
  fileName: string,
): Promise<void> {
  const answer = await fetchAnswer(buildPath(endpoint.path, {}, query as object), {
    method: endpoint.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  saveFile(await answer.blob(), fileName)
}

/** Saves the answer of a read that sends bytes. @throws CallError */
export async function downloadRead<E extends Endpoint>(
  endpoint: E,
  { params, query }: { params: ParamsOf<E>; query: QueryOf<E> },
  fileName: string,
): Promise<void> {
  const answer = await fetchAnswer(buildPath(endpoint.path, params as object, query as object), {})
  saveFile(await answer.blob(), fileName)
}

/** The bytes of a read that sends a small file. @throws CallError */
export async function readBytes<E extends Endpoint>(
  endpoint: E,
  { params, signal }: { params: ParamsOf<E>; signal: AbortSignal },
): Promise<Blob> {
  const answer = await fetchAnswer(buildPath(endpoint.path, params as object), { signal })
  return answer.blob()
}

/** The size that is collected in the tab before it is written. */
const PART_BYTES = 2 ** 20

interface ReceiveOptions {
  signal: AbortSignal
  /** Called with all bytes received so far. */
  onBytes: (bytes: number) => void
}

/** Writes a stream of unknown size to a file. @throws CallError when it breaks; the abort of the signal */
async function receive(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  file: DownloadFile,
  { signal, onBytes }: ReceiveOptions,
): Promise<Blob> {
  let open: Uint8Array<ArrayBuffer>[] = []
  let [openBytes, bytes] = [0, 0]
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      signal.throwIfAborted()
      throw new CallError(0, null, { cause })
    })
    if (value) {
      open.push(value)
      openBytes += value.byteLength
      bytes += value.byteLength
      onBytes(bytes)
    }
    if (done || openBytes >= PART_BYTES) {
      await file.write(new Blob(open))
      open = []
      openBytes = 0
    }
    if (done) return file.finish()
  }
}

/** A file that has arrived whole. */
export interface ReceivedFile {
  bytes: Blob
  /** The name from the server; null if it gave none. */
  fileName: string | null
}

/**
 * Fetches a file of any size and unknown length; the memory of the tab does not grow with it.
 * @throws CallError, of status 0 also when the connection breaks in the middle; the abort of the signal; DOMException
 * `QuotaExceededError` without space for it
 */
export async function receiveFile(path: string, options: ReceiveOptions): Promise<ReceivedFile> {
  const { body, headers } = await fetchAnswer(path, { signal: options.signal })
  const fileName = parseFileName(headers.get('content-disposition'))
  if (!body) return { bytes: new Blob(), fileName }
  const reader = body.getReader()
  const file = await openDownloadFile(Date.now())
  try {
    return { bytes: await receive(reader, file, options), fileName }
  } catch (error) {
    await reader.cancel().catch(() => undefined)
    await file.discard()
    throw error
  }
}

const ENCODED_NAME = /filename\*=UTF-8''([^;]+)/i
const PLAIN_NAME = /filename="([^"]+)"/i

/** The file name of a `Content-Disposition` header (RFC 6266): the one in UTF-8, else the plain one. */
export function parseFileName(header: string | null): string | null {
  const encoded = ENCODED_NAME.exec(header ?? '')?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain name beside it is as good.
    }
  }
  return PLAIN_NAME.exec(header ?? '')?.[1] ?? null
}
