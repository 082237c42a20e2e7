import type { Readable } from 'node:stream'

/** What a stored file is found by: whose it is and the SHA-256 of its bytes (lower-case hex). Never a name. */
export type FileKey = { clientUid: string; sha256: string }

/** A file received whole, on this machine's disk and flushed, but not stored yet. */
export type ReceivedFile = { path: string; sha256: string; sizeBytes: number }

/** A stored file of which it is not certain yet whether a row names it: its key, and the note that remembers it. */
export type UnsettledFile = { key: FileKey; note: string }

/** Bytes `start` to `end`, both inclusive. */
export type ByteRange = { start: number; end: number }

/**
 * Where media, previews and update files lie. Files are stored under their client and hash, so equal bytes of a client
 * lie there once. Storing has three steps, so that a process killed at any moment leaves nothing that nobody owns:
 * `receive` to a temporary file, `keep` inside the transaction that adds the row, `settle` after its commit. Deleting has
 * three as well: `doubt` inside the transaction that removes the row, `delete` after its commit, and then `settle`.
 */
export type FileStore = {
  /** Writes a stream to a temporary file while hashing it; a failed or aborted stream leaves nothing. Throws `FileTooLargeError` over `maxBytes`. */
  receive: (source: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<ReceivedFile>
  /** A folder on this machine for files that come piece by piece; what lies there belongs to whoever writes it. */
  unfinishedFolder: string
  /** Takes a whole and flushed file of `unfinishedFolder` as received; it stays there, too, until its owner removes it. */
  adopt: (path: string, sha256: string) => Promise<ReceivedFile>
  /** Removes a received file that is not to be kept; nothing happens if it is gone. */
  discard: (file: ReceivedFile) => Promise<void>
  /** Stores a received file. Until `settle`, `listUnsettled` of a later process finds it. */
  keep: (file: ReceivedFile, clientUid: string) => Promise<UnsettledFile>
  /** Remembers a stored file that may lose its last row. Until `settle`, `listUnsettled` of a later process finds it. */
  doubt: (key: FileKey) => Promise<UnsettledFile>
  settle: (file: UnsettledFile) => Promise<void>
  /** Removes what ended processes left half received, and lists what they kept or doubted without settling. Call once at start. */
  listUnsettled: () => Promise<UnsettledFile[]>
  /** The bytes of a stored file, whole or a range of it. Throws `FileMissingError`. */
  openRange: (key: FileKey, range?: ByteRange) => Promise<Readable>
  /** Bytes, or null if it is not stored. */
  size: (key: FileKey) => Promise<number | null>
  /** Gives a path on this machine to read the file by while `read` runs. Throws `FileMissingError`. */
  withLocalPath: <T>(key: FileKey, read: (path: string) => Promise<T>) => Promise<T>
  /** Deletes a stored file; nothing happens if it is gone. */
  delete: (key: FileKey) => Promise<void>
  /** Bytes that may still be stored; null where the store has no end. */
  freeBytes: () => Promise<number | null>
}

/** The stream was longer than it may be. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/** A file that the database names is not in the store. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}
