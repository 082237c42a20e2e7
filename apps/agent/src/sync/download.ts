import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { DownloadFailed } from '@floorcast/device-client/downloads.ts'
import { type DeviceSession, isServerPath } from '@floorcast/device-client/session.ts'
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import type { MediaStore } from '../store/media-store.ts'

type DownloadableFile = Pick<ManifestFile, 'sha256' | 'sizeBytes' | 'path'>

/** A download without a byte for this long is aborted. The next attempt resumes it. */
const STALL_TIMEOUT_MS = 30_000

/** Hashes the part that an earlier attempt left, so that only the rest is requested. */
async function hashPart(path: string, file: DownloadableFile): Promise<Part> {
  const size = await stat(path).then(
    stats => stats.size,
    () => 0,
  )
  const hash = createHash('sha256')
  if (size === 0 || size > file.sizeBytes) {
    await rm(path, { force: true })
    return { hash, size: 0 }
  }
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return { hash, size }
}

interface Rest {
  answer: Response
  body: ReadableStream<Uint8Array>
  /** False if the server ignored the range and sent the whole file. */
  isRest: boolean
}

/** Why an answer is not the file, or not the part of it that was asked for; null if it may be. Hotels' sign-in pages answer 200. */
function whyOther(answer: Response, file: DownloadableFile, from: number): string | null {
  const { status, headers } = answer
  const type = headers.get('content-type') ?? ''
  if (/^(?:text\/|application\/(?:json|xhtml))/i.test(type)) return `the answer is of the type ${type}`
  const isRest = status === 206
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  const isRangeRight =
    !range || (Number(range[1]) === from && ['*', String(file.sizeBytes)].includes(range[2] ?? ''))
  if (isRest && !isRangeRight) return `the answer has the range ${range[0]}`
  const [length, expected] = [headers.get('content-length'), file.sizeBytes - (isRest ? from : 0)]
  return length !== null && Number(length) !== expected
    ? `the answer has ${length} bytes instead of ${expected}`
    : null
}

async function requestRest(
  session: DeviceSession,
  file: DownloadableFile,
  { from, signal }: { from: number; signal: AbortSignal },
): Promise<Rest> {
  if (!isServerPath(file.path)) throw new DownloadFailed('refused', 'its path leads to another server')
  const headers: Record<string, string> = {
    // A compressed answer would say another length.
    'accept-encoding': 'identity',
    ...(from > 0 && { range: `bytes=${from}-` }),
  }
  const response = await session.fetchFile(file.path, { headers, signal }).catch((cause: unknown) => {
    throw new DownloadFailed('no-answer', cause)
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new DownloadFailed('refused', undefined, response)
  }
  const other = whyOther(response, file, from)
  if (other !== null) {
    await response.body.cancel()
    session.noteFile(response, other)
    throw new DownloadFailed('refused', `this is not the file: ${other}`, response)
  }
  return { answer: response, body: response.body, isRest: response.status === 206 }
}

interface Part {
  hash: Hash
  size: number
}

/**
 * The answer's bytes behind those that the part has. Of a whole file the beginning is compared with the part.
 * @throws DownloadFailed wrong-hash
 */
async function* bytesBehind({ body, isRest }: Rest, part: Part): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let missing = isRest ? 0 : part.size
  for await (const chunk of body) {
    if (missing === 0) {
      yield chunk
      continue
    }
    const known = chunk.subarray(0, missing)
    missing -= known.byteLength
    hash.update(known)
    if (missing > 0) continue
    if (hash.digest('hex') !== part.hash.copy().digest('hex'))
      throw new DownloadFailed('wrong-hash', 'it begins otherwise than the part on the disk')
    yield chunk.subarray(known.byteLength)
  }
}

/** Adds the rest to the part on the disk. What the part has stays, whatever comes. */
async function writeRest(
  rest: Rest,
  path: string,
  part: Part & { maxBytes: number; onBytes: (bytes: number) => Promise<void> },
): Promise<Part> {
  let size = part.size
  const handle = await open(path, 'a').catch((cause: unknown) => {
    throw new DownloadFailed('disk', cause)
  })
  try {
    for await (const chunk of bytesBehind(rest, part)) {
      size += chunk.byteLength
      if (size > part.maxBytes) throw new DownloadFailed('too-long')
      await handle.write(chunk).catch((cause: unknown) => {
        throw new DownloadFailed('disk', cause)
      })
      part.hash.update(chunk)
      await part.onBytes(chunk.byteLength)
    }
    // It ended in order, and too early: it was not the file.
    if (size < part.maxBytes) throw new DownloadFailed('too-short')
  } catch (error) {
    if (error instanceof DownloadFailed && ['too-long', 'too-short'].includes(error.code))
      await handle.truncate(part.size).catch(() => undefined)
    throw error instanceof DownloadFailed ? error : new DownloadFailed('no-answer', error)
  } finally {
    await handle.close()
  }
  return { hash: part.hash, size }
}

/**
 * Downloads one file, or the rest of a partial one, and hashes it on the way. It takes no more bytes than the manifest says.
 * The file is held only if its hash is the manifest's; otherwise it is deleted. @throws DownloadFailed
 * @param pace resolves when more may be read after this number of bytes
 */
export async function downloadFile(
  session: DeviceSession,
  media: Pick<MediaStore, 'partPathOf' | 'complete'>,
  { file, pace }: { file: DownloadableFile; pace: (bytes: number) => Promise<void> },
): Promise<void> {
  const path = media.partPathOf(file.sha256)
  const part = await hashPart(path, file)
  const stalled = new AbortController()
  const abortLater = () => setTimeout(() => stalled.abort(new Error('stalled')), STALL_TIMEOUT_MS)
  let timer = abortLater()
  const onBytes = async (bytes: number) => {
    clearTimeout(timer)
    await pace(bytes)
    timer = abortLater()
  }
  let whole = part
  let answer: Response | null = null
  try {
    if (part.size < file.sizeBytes) {
      const rest = await requestRest(session, file, { from: part.size, signal: stalled.signal })
      answer = rest.answer
      whole = await writeRest(rest, path, { ...part, maxBytes: file.sizeBytes, onBytes })
    }
  } catch (error) {
    // The part is of another file, or takes the last of the disk from the event log: the next attempt starts again.
    if (error instanceof DownloadFailed && ['wrong-hash', 'disk'].includes(error.code))
      await rm(path, { force: true }).catch(() => undefined)
    if (answer && error instanceof DownloadFailed && error.code !== 'disk') session.noteFile(answer, error)
    throw error
  } finally {
    clearTimeout(timer)
  }
  if (whole.hash.digest('hex') !== file.sha256) {
    await rm(path, { force: true })
    const failed = new DownloadFailed('wrong-hash')
    if (answer) session.noteFile(answer, failed)
    throw failed
  }
  if (answer) session.noteFile(answer, null)
  media.complete(file.sha256)
}
