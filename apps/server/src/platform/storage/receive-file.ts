import { createHash, type Hash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { FileTooLargeError, type ReceivedFile } from './file-store.ts'
import { makeYoungGarbageCollector } from './young-garbage.ts'

const BATCH_BYTES = 256 * 1024
const FLUSH_BYTES = 32 * 1024 * 1024

async function writeAll(handle: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten === bytes) return
  // A disk that fills up takes a part, and says so (ENOSPC) when it is given the rest.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  const again = await handle.write(rest, 0, rest.length, position + bytesWritten)
  if (again.bytesWritten < rest.length) throw new Error('The disk took only a part of the file')
}

/** Writes behind whoever reads: one batch is on its way while the next is gathered, and every 32 MiB goes on to the disk. */
class BehindWriter {
  readonly #handle: FileHandle
  #position: number
  #flushed: number
  #writing = Promise.resolve()
  #flushing = Promise.resolve()

  constructor(handle: FileHandle, position: number) {
    this.#handle = handle
    this.#position = position
    this.#flushed = position
  }

  /** Waits for the batch before, then lets this one go. */
  async write(chunks: Uint8Array[], bytes: number): Promise<void> {
    await this.#writing
    this.#writing = writeAll(this.#handle, chunks, this.#position)
    this.#writing.catch(() => {}) // awaited before the next batch, or at the end
    this.#position += bytes
    if (this.#position - this.#flushed < FLUSH_BYTES) return
    // On the disk while more comes, so that little is left to wait for at the end.
    this.#flushed = this.#position
    this.#flushing = this.#flushing.then(() => this.#handle.datasync())
    this.#flushing.catch(() => {})
  }

  async end(): Promise<void> {
    await Promise.all([this.#writing, this.#flushing])
  }
}

/** Where a stream goes: into `handle` from byte `start` on, and through `hash`. */
export interface StreamTarget {
  handle: FileHandle
  start: number
  hash: Hash
  maxBytes: number
}

/**
 * Writes a stream behind its reader, holding two batches at most; what came before a stream broke is written too.
 * @returns how many bytes came. @throws FileTooLargeError over `maxBytes`
 */
export async function writeStream(
  source: AsyncIterable<Uint8Array>,
  { handle, start, hash, maxBytes }: StreamTarget,
): Promise<number> {
  const writer = new BehindWriter(handle, start)
  const collectGarbageOf = makeYoungGarbageCollector()
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let sizeBytes = 0
  try {
    for await (const chunk of source) {
      if (sizeBytes + chunk.length > maxBytes) throw new FileTooLargeError(`More than ${maxBytes} bytes`)
      sizeBytes += chunk.length
      hash.update(chunk)
      batch.push(chunk)
      batchBytes += chunk.length
      if (batchBytes < BATCH_BYTES) continue
      await writer.write(batch, batchBytes)
      collectGarbageOf(batchBytes)
      ;[batch, batchBytes] = [[], 0]
    }
  } finally {
    if (batchBytes > 0) await writer.write(batch, batchBytes)
    await writer.end()
  }
  return sizeBytes
}

/** Receives a stream into a new file at `path`, flushed to the disk; removes it again when anything fails. */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  const handle = await open(path, 'wx')
  try {
    const hash = createHash('sha256')
    const sizeBytes = await writeStream(source, { handle, start: 0, hash, maxBytes })
    await handle.sync()
    await handle.close()
    return { path, sha256: hash.digest('hex'), sizeBytes }
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}
