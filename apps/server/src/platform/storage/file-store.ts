import type { Readable } from 'node:stream'

/** The key of a stored file: its client and the SHA-256 of its bytes (lower-case hex), never a name. */
export type FileKey = { clientUid: string; sha256: string }

/** A whole file on this machine's disk, flushed but not stored yet. */
export type ReceivedFile = { path: string; sha256: string; sizeBytes: number }

/** A stored file whose row is not committed yet: its key, and the note that a later start finds. */
export type PendingFile = { key: FileKey; note: string }

/** Called before bytes are written, with the total after them; throws to refuse them. */
export type AdmitBytes = (totalBytes: number) => void | Promise<void>

/** Bytes `start` to `end`, both inclusive. */
export type ByteRange = { start: number; end: number }

/**
 * An advisory lock of PostgreSQL. A backup holds it while it copies the files that its rows name; who deletes a file shares it.
 */
export const FILE_DELETION_LOCK = "hashtextextended('floorcast file deletion', 0)"

/**
 * The store of media, previews and update files. A file is stored under its client and hash, so equal bytes of a client
 * are stored once. Storing has three steps, so that a process killed at any moment leaves no file without an owner:
 * `receive` to a temporary file, `store` inside the transaction that adds the row, `finalize` after its commit. Deleting
 * has three steps too: `markForGc` inside the transaction that removes the row, `delete` after its commit, `finalize`.
 */
export type FileStore = {
  /**
   * Writes a stream to a temporary file and hashes it; a failed or refused stream leaves nothing. Takes over the stream's
   * chunks: their memory is freed once they are written. @throws DiskFloorError, and what `admit` throws
   */
  receive: (source: AsyncIterable<Uint8Array>, admit: AdmitBytes) => Promise<ReceivedFile>
  /** A folder on this machine for files that come in pieces (`UnfinishedFiles`). */
  unfinishedFolder: string
  /** Takes a whole, flushed file of `unfinishedFolder` as received. The original stays until its owner removes it. */
  adopt: (path: string, sha256: string) => Promise<ReceivedFile>
  /** Removes a received file that was not stored; does nothing if it is gone. */
  discard: (file: ReceivedFile) => Promise<void>
  /** Stores a received file. Until `finalize`, `listPending` of a later process finds it. */
  store: (file: ReceivedFile, clientUid: string) => Promise<PendingFile>
  /** Notes a stored file that may lose its last row. Until `finalize`, `listPending` of a later process finds it. */
  markForGc: (key: FileKey) => Promise<PendingFile>
  /** Removes the note of a file whose row, or lack of one, is committed. */
  finalize: (file: PendingFile) => Promise<void>
  /** Leaves a file whose row is gone to a later `listDeferred`. */
  defer: (file: PendingFile) => Promise<void>
  /** The files that were deferred. */
  listDeferred: () => Promise<PendingFile[]>
  /** Removes half-received files of ended processes and lists the files that they did not finalize. Call once at the start. */
  listPending: () => Promise<PendingFile[]>
  /** The bytes of a stored file, whole or a range of it. Throws `FileMissingError`. */
  openRange: (key: FileKey, range?: ByteRange) => Promise<Readable>
  /** Bytes, or null if it is not stored. */
  size: (key: FileKey) => Promise<number | null>
  /** Runs `read` with a path of the file on this machine. Throws `FileMissingError`. */
  withLocalPath: <T>(key: FileKey, read: (path: string) => Promise<T>) => Promise<T>
  /** Deletes a stored file; does nothing if it is gone. */
  delete: (key: FileKey) => Promise<void>
  /** @throws DiskFloorError if these bytes would leave too little of the disk free */
  requireSpace: (bytes: number) => Promise<void>
  /** Counts bytes that the caller writes to `unfinishedFolder`; `receive` counts its own. @throws DiskFloorError */
  takeSpace: (bytes: number) => Promise<void>
  /** True while too little of the disk is free for uploads. @param wasFull true until clearly more is free, so that it does not swing */
  isFull: (wasFull?: boolean) => Promise<boolean>
}

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

/** A file that a row names is not in the store. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}
