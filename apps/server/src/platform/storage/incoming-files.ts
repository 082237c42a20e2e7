import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { diskSizeOf, DiskSpace, type MinFreeDisk } from './disk-space.ts'
import { FILE_MODE, FOLDER_MODE } from './private-folder.ts'
import { type AdmitBytes, writeStream } from './write-stream.ts'

/* Receives files on this machine's disk; hashes and flushes them while it writes. */

/** A whole file on this machine's disk, flushed but not stored yet. */
export type ReceivedFile = { path: string; sha256: string; sizeBytes: number }

/** Admits at most `maxBytes`. @throws FileTooLargeError */
export const upTo =
  (maxBytes: number): AdmitBytes =>
  totalBytes => {
    if (totalBytes > maxBytes) throw new FileTooLargeError(`More than ${maxBytes} bytes`)
  }

/** The stream was longer than allowed. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/** Receives a stream into a new file at `path` and flushes it; removes the file after a failure. */
async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  path: string,
  admit: AdmitBytes,
): Promise<ReceivedFile> {
  // It may break before it is read, which then tells the error.
  if (source instanceof Readable) source.on('error', () => undefined)
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

/** A hard link where the disk supports it, else a copy. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to)
    const handle = await open(to)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

/** Admits bytes for which the disk has room too. */
function withSpace(admit: AdmitBytes, space: DiskSpace): AdmitBytes {
  let takenBytes = 0
  return async totalBytes => {
    await admit(totalBytes)
    await space.take(totalBytes - takenBytes)
    takenBytes = totalBytes
  }
}

/** A file that is received is written to all the time, and stored soon after its last byte. */
const LEFT_OVER_MS = 6 * 3_600_000

/** Removes what killed servers have received. Another server may receive into the same folder. */
async function removeLeftOver(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (Date.now() - writtenAt > LEFT_OVER_MS) await rm(path, { force: true })
  }
}

/** Where files are received on this machine's disk before they are stored. */
export type IncomingFiles = {
  /**
   * Writes a stream to a temporary file and hashes it; a failed or refused stream leaves nothing. Takes over the stream's
   * chunks: their memory is freed once they are written. @throws DiskFloorError, and what `admit` throws
   */
  receive: (source: AsyncIterable<Uint8Array>, admit: AdmitBytes) => Promise<ReceivedFile>
  /** A folder for files that come in pieces (`UnfinishedFiles`). */
  unfinishedFolder: string
  /** Takes a whole, flushed file of `unfinishedFolder` as received. The original stays until its owner removes it. */
  adopt: (path: string, sha256: string) => Promise<ReceivedFile>
  /** Removes a received file; does nothing if it is gone. */
  discard: (file: ReceivedFile) => Promise<void>
  /** Removes what killed servers have received, and nobody has written to for hours. */
  cleanUp: () => Promise<void>
  /** @throws DiskFloorError if these bytes would leave too little of the disk free */
  requireSpace: (bytes: number) => Promise<void>
  /** Counts bytes that the caller writes to `unfinishedFolder`; `receive` counts its own. @throws DiskFloorError */
  takeSpace: (bytes: number) => Promise<void>
  /** True while too little of the disk is free for uploads. @param wasFull true until clearly more is free, so that it does not swing */
  isFull: (wasFull?: boolean) => Promise<boolean>
}

/** Receives files in folders of `folder`, and creates it if it is missing. */
export async function openIncomingFiles(folder: string, minFree: MinFreeDisk): Promise<IncomingFiles> {
  const incoming = join(folder, 'incoming')
  const unfinishedFolder = join(folder, 'unfinished')
  for (const path of [incoming, unfinishedFolder]) await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  const space = new DiskSpace(() => diskSizeOf(folder), minFree)
  const newPath = () => join(incoming, randomUUID())
  return {
    receive: (source, admit) => receiveFile(source, newPath(), withSpace(admit, space)),
    unfinishedFolder,
    adopt: async (from, sha256) => {
      const path = newPath()
      await linkOrCopy(from, path)
      return { path, sha256, sizeBytes: (await stat(path)).size }
    },
    discard: file => rm(file.path, { force: true }),
    cleanUp: () => removeLeftOver(incoming),
    requireSpace: bytes => space.require(bytes),
    takeSpace: bytes => space.take(bytes),
    isFull: wasFull => space.isFull(wasFull),
  }
}
