import { createHash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { FileTooLargeError, type ReceivedFile } from './file-store.ts'
import { makeYoungGarbageCollector } from './young-garbage.ts'

const BATCH_BYTES = 256 * 1024

async function writeAll(handle: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten === bytes) return
  // A disk that fills up takes a part, and says so (ENOSPC) when it is given the rest.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  const again = await handle.write(rest, 0, rest.length, position + bytesWritten)
  if (again.bytesWritten < rest.length) throw new Error('The disk took only a part of the file')
}

/** Writes and hashes at once: while one batch is on its way to the disk the next is hashed. Holds two batches at most. */
async function copyStream(source: AsyncIterable<Uint8Array>, handle: FileHandle, maxBytes: number) {
  const hash = createHash('sha256')
  const collectGarbageOf = makeYoungGarbageCollector()
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let sizeBytes = 0
  let writing = Promise.resolve()
  const flush = async () => {
    await writing
    writing = writeAll(handle, batch, sizeBytes - batchBytes)
    writing.catch(() => {}) // awaited before the next batch and at the end
    batch = []
    batchBytes = 0
  }
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new FileTooLargeError(`More than ${maxBytes} bytes`)
      hash.update(chunk)
      batch.push(chunk)
      batchBytes += chunk.length
      if (batchBytes < BATCH_BYTES) continue
      collectGarbageOf(batchBytes)
      await flush()
    }
    if (batchBytes > 0) await flush()
  } finally {
    await writing
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** Receives a stream into a new file at `path`, flushed to the disk; removes it again when anything fails. */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  const handle = await open(path, 'wx')
  try {
    const facts = await copyStream(source, handle, maxBytes)
    await handle.sync()
    await handle.close()
    return { path, ...facts }
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}
