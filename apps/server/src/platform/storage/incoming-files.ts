import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { freeBytes } from '../lib/free-bytes.ts'
import type { AdmitBytes, ReceivedFile } from './file-store.ts'
import { FILE_MODE } from './private-folder.ts'

/* Receives files in one stream or in pieces; hashes and flushes them while it writes. */

const BATCH_BYTES = 256 * 1024
const FLUSH_BYTES = 32 * 1024 * 1024

/** True if an error says that a file does not exist. */
export const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

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
async function writeStream(
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

/** Receives a stream into a new file at `path` and flushes it; removes the file after a failure. */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  path: string,
  admit: AdmitBytes,
): Promise<ReceivedFile> {
  const handle = await open(path, 'wx', FILE_MODE)
  try {
    const hash = createHash('sha256')
    const sizeBytes = await writeStream(source, { handle, start: 0, hash, admit })
    await handle.sync()
    await handle.close()
    return { path, sha256: hash.digest('hex'), sizeBytes }
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}

/** The hash of a file's first `bytes` bytes. */
interface RunningHash {
  hash: Hash
  bytes: number
}

const MAX_RUNNING_HASHES = 1000

/** Files that come in pieces, in one folder, each named by the uid of its upload. */
export class UnfinishedFiles {
  readonly #folder: string
  readonly #hashes = new LRUCache<string, RunningHash>({ max: MAX_RUNNING_HASHES })

  constructor(folder: string) {
    this.#folder = folder
  }

  pathOf(uid: string): string {
    return join(this.#folder, uid)
  }

  async create(uid: string): Promise<void> {
    await (await open(this.pathOf(uid), 'wx', FILE_MODE)).close()
  }

  /** Bytes of the file; null if this server does not have it. */
  async sizeOf(uid: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(uid))).size
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Appends to a file of `offset` bytes and flushes it, also when the stream fails. @returns the file's new size */
  async append(
    uid: string,
    source: AsyncIterable<Uint8Array>,
    { offset, admit }: { offset: number; admit: AdmitBytes },
  ): Promise<number> {
    const hash = await this.#hashUpTo(uid, offset)
    this.#hashes.delete(uid)
    const handle = await open(this.pathOf(uid), 'r+')
    try {
      const bytes = offset + (await writeStream(source, { handle, start: offset, hash, admit }))
      this.#hashes.set(uid, { hash, bytes })
      return bytes
    } finally {
      await handle.sync()
      await handle.close()
    }
  }

  /** SHA-256 of a whole file, lower-case hex. Reads the file only if a former process received a part of it. */
  async hashOf(uid: string, sizeBytes: number): Promise<string> {
    return (await this.#hashUpTo(uid, sizeBytes)).copy().digest('hex')
  }

  /** Removes a file; does nothing if it is gone. */
  async remove(uid: string): Promise<void> {
    this.#hashes.delete(uid)
    await rm(this.pathOf(uid), { force: true })
  }

  /** Removes files that were not written to since `moment`. @returns how many */
  async removeOlderThan(moment: Date): Promise<number> {
    let removed = 0
    for (const uid of await readdir(this.#folder)) {
      const facts = await stat(this.pathOf(uid)).catch(() => null)
      if (!facts || facts.mtime >= moment) continue
      await this.remove(uid)
      removed += 1
    }
    return removed
  }

  async #hashUpTo(uid: string, bytes: number): Promise<Hash> {
    const known = this.#hashes.get(uid)
    if (known?.bytes === bytes) return known.hash
    const hash = createHash('sha256')
    if (bytes === 0) return hash
    for await (const chunk of createReadStream(this.pathOf(uid), { end: bytes - 1 }))
      hash.update(chunk as Uint8Array)
    return hash
  }
}
