import type { Readable } from 'node:stream'
import type { ReceivedFile } from './incoming-files.ts'

/** The key of a stored file: its client and the SHA-256 of its bytes (lower-case hex), never a name. */
export type FileKey = { clientUid: string; sha256: string }

export type StoredFile = { key: FileKey; sizeBytes: number; storedAt: Date }

/** Bytes `start` to `end`, both inclusive. */
export type ByteRange = { start: number; end: number }

/**
 * An advisory lock of PostgreSQL. A backup holds it while it copies the files that its rows name; who deletes a file shares it.
 */
export const FILE_DELETION_LOCK = "hashtextextended('floorcast file deletion', 0)"

/**
 * The store of media, previews and update files, which all servers share. A file is stored under its client and hash, so equal
 * bytes of a client are stored once, and never change. The rows that name it are `storeFiles`' and `collectGarbageAfter`'s concern.
 */
export type FileStore = {
  /** Stores a received file, in place of equal bytes; whole and lasting once it resolves. The received file stays. */
  put: (clientUid: string, file: ReceivedFile) => Promise<void>
  /** The bytes of a stored file, whole or a range of it. Throws `FileMissingError`. */
  openRange: (key: FileKey, range?: ByteRange) => Promise<Readable>
  /** Bytes, or null if it is not stored. */
  size: (key: FileKey) => Promise<number | null>
  /** Runs `read` with a path of the file on this machine. Throws `FileMissingError`. */
  withLocalPath: <T>(key: FileKey, read: (path: string) => Promise<T>) => Promise<T>
  /** Deletes a stored file; does nothing if it is gone. */
  delete: (key: FileKey) => Promise<void>
  /** Every stored file, those of a client one after another. */
  list: () => AsyncIterable<StoredFile>
  /** Null for a store on this server's disk, where unfinished uploads are beside it. */
  pieces: PieceStore | null
  /** Null where this server sends the bytes of every file itself. */
  signed: SignedAddresses | null
}

/** How a store answers a signed address. */
export interface SignedAnswer {
  mimeType: string
  /** Its `Content-Disposition`. */
  disposition: string
}

/** Addresses at the store that answer a GET of one file for some minutes, to anybody who has them. */
export type SignedAddresses = {
  /** The origin of all of them. */
  origin: string
  /** It signs, and asks nobody: whether the file is there, `size` says. */
  addressOf: (key: FileKey, answer: SignedAnswer) => Promise<string>
}

/** A piece of an unfinished upload, by three uids. */
export type PieceKey = { clientUid: string; uploadUid: string; uid: string }

/** Pieces of unfinished uploads in a store that servers share. They are apart from stored files. */
export type PieceStore = {
  put: (piece: PieceKey, bytes: Uint8Array) => Promise<void>
  open: (piece: PieceKey) => Promise<Readable>
  /** Does nothing if it is gone. */
  delete: (piece: PieceKey) => Promise<void>
  list: () => AsyncIterable<{ piece: PieceKey; storedAt: Date }>
}

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHA256 = /^[0-9a-f]{64}$/

/** The parts of a file's place in a store. @throws Error for a key that is no uid and hash: it never becomes a path */
export function placeOf({ clientUid, sha256 }: FileKey): [client: string, prefix: string, sha256: string] {
  if (!UID.test(clientUid) || !SHA256.test(sha256))
    throw new Error('A file is stored under a client and a SHA-256 only')
  return [clientUid, sha256.slice(0, 2), sha256]
}

export const isClient = (name: string) => UID.test(name)

/** The key of a place; null for anything else that is there. */
export function keyOfPlace(parts: readonly string[]): FileKey | null {
  const [clientUid = '', prefix, sha256 = '', ...others] = parts
  const isPlace = UID.test(clientUid) && SHA256.test(sha256) && sha256.startsWith(prefix ?? '-')
  return isPlace && others.length === 0 ? { clientUid, sha256 } : null
}

/** A file that a row names is not in the store. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'

  constructor({ clientUid, sha256 }: FileKey) {
    super(`No file ${sha256} of client ${clientUid}`)
  }
}

/** The store cannot be reached, or has a fault of its own. Another try, later, may succeed. */
export class FileStoreAwayError extends Error {
  override readonly name = 'FileStoreAwayError'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
    super(`The store of files is away: ${reason}`, { cause })
  }
}
