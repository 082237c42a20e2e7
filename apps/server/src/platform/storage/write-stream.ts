import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { freeBytes } from '../lib/free-bytes.ts'

const BATCH_BYTES = 256 * 1024
const FLUSH_BYTES = 32 * 1024 * 1024

/** Called before bytes are written, with the total after them; throws to refuse them. */
export type AdmitBytes = (totalBytes: number) => void | Promise<void>

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten < bytes) {
    // A disk that fills up writes a part; it reports ENOSPC for the rest.
    const rest = Buffer.concat(chunks).subarray(bytesWritten)
    const second = await handle.write(rest, 0, rest.length, position + bytesWritten)
    if (second.bytesWritten < rest.length) throw new Error('The disk wrote only a part of the file')
  }
  chunks.forEach(freeBytes)
}

/** Writes one batch while its caller collects the next, and flushes every 32 MiB to the disk. */
class BatchWriter {
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

  /** Waits for the former batch, then starts to write this one. */
  async write(chunks: readonly Uint8Array[], bytes: number): Promise<void> {
    await this.#writing
    this.#writing = writeAll(this.#handle, chunks, this.#position)
    this.#writing.catch(() => {}) // awaited before the next batch, or at the end
    this.#position += bytes
    if (this.#position - this.#flushed < FLUSH_BYTES) return
    // A flush during the upload leaves little to flush at the end.
    this.#flushed = this.#position
    this.#flushing = this.#flushing.then(() => this.#handle.datasync())
    this.#flushing.catch(() => {})
  }

  async end(): Promise<void> {
    await Promise.all([this.#writing, this.#flushing])
  }
}

interface StreamTarget {
  handle: FileHandle
  /** The position of the first byte in the file. */
  start: number
  hash: Hash
  admit: AdmitBytes
}

/**
 * Writes a stream to a file and into a hash; holds at most two batches in memory. The bytes that came before an error are
 * written too. @returns the number of bytes @throws errors of the stream and of `admit`
 */
export async function writeStream(
  source: AsyncIterable<Uint8Array>,
  { handle, start, hash, admit }: StreamTarget,
): Promise<number> {
  const writer = new BatchWriter(handle, start)
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let written = 0
  const writeBatch = async () => {
    const [chunks, bytes] = [batch, batchBytes]
    ;[batch, batchBytes] = [[], 0]
    await admit(written + bytes)
    for (const chunk of chunks) hash.update(chunk)
    written += bytes
    await writer.write(chunks, bytes)
  }
  try {
    for await (const chunk of source) {
      batch.push(chunk)
      batchBytes += chunk.length
      if (batchBytes >= BATCH_BYTES) await writeBatch()
    }
  } finally {
    try {
      if (batchBytes > 0) await writeBatch()
    } finally {
      await writer.end()
    }
  }
  return written
}
