import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { ClientScope, Reads, Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import type { Database } from '../../platform/database/database.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { FileStore, PieceStore } from '../../platform/storage/file-store.ts'
import type { IncomingFiles } from '../../platform/storage/incoming-files.ts'
import type { UnfinishedFiles } from '../../platform/storage/unfinished-files.ts'
import type { AdmitBytes } from '../../platform/storage/write-stream.ts'
import * as queries from './uploads-queries.ts'

/*
 * Unfinished uploads in a store that servers share: each server has a copy of what it has received, and every 8 MiB of it are a piece in
 * the store, with a row. What has a row is what the sender is told, so that any server goes on there (docs/decisions/0342).
 */

/** So many bytes at most are sent again after a server was killed. */
const PIECE_BYTES = 8 * 1024 * 1024
const ONE_PIECE = 'upload_pieces_upload_uid_start_byte_key'
const LEASE_RENEWAL_MS = 10_000
const MAX_COPIES = 1000
/** A piece is put before its row is written. */
const MIN_ABANDONED_MS = 3_600_000

/** Cuts a stream into streams of about so many bytes; each is read to its end before the next. */
async function* slicesOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]()
  let isOver = false
  async function* slice(first: Uint8Array): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for (let chunk: Uint8Array | null = first; chunk !== null;) {
      bytes += chunk.length
      yield chunk
      if (bytes >= maxBytes) return
      const next = await chunks.next()
      chunk = next.done ? null : next.value
    }
    isOver = true
  }
  try {
    while (!isOver) {
      const next = await chunks.next()
      if (next.done) return
      yield slice(next.value)
    }
  } finally {
    await chunks.return?.()
  }
}

async function readBytes(path: string, { start, end }: { start: number; end: number }): Promise<Uint8Array> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
    if (bytesRead < end - start) throw new Error('The unfinished upload is shorter than it was')
    return buffer
  } finally {
    await handle.close()
  }
}

interface SharedParts {
  pieces: PieceStore
  incoming: IncomingFiles
  unfinished: UnfinishedFiles
}

export class SharedUploads {
  readonly #parts: SharedParts
  /** This process, in leases. */
  readonly #me = randomUUID()
  /** How many bytes of this server's copy are those of the pieces. After a restart it is copied again. */
  readonly #copied = new LRUCache<string, number>({ max: MAX_COPIES })

  constructor(parts: SharedParts) {
    this.#parts = parts
  }

  /** The bytes that every server finds. */
  sizeOf(reads: Reads, uid: string): Promise<number> {
    return queries.sizeOfPieces(reads, uid)
  }

  /** Works on an upload while no other server does. @throws ProblemError 423 while one does */
  async run<T>(scope: ClientScope, uid: string, work: () => Promise<T>): Promise<T> {
    const lease = { uid, by: this.#me }
    const renew = () => scope.write(writes => queries.leaseUpload(writes, lease))
    if (!(await renew()))
      throw new ProblemError('upload-busy', { detail: 'Another server is working on this upload' })
    // The next renewal makes up for a failed one.
    const renewal = setInterval(() => void renew().catch(() => false), LEASE_RENEWAL_MS)
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      // Otherwise the lease expires.
      await scope.write(writes => queries.endLease(writes, lease)).catch(() => undefined)
    }
  }

  /** Brings this server's copy to the first `bytes` bytes. */
  async copy(scope: ClientScope, uid: string, bytes: number): Promise<void> {
    const { pieces, incoming, unfinished } = this.#parts
    if ((await unfinished.sizeOf(uid)) === null) {
      this.#copied.delete(uid)
      await unfinished.create(uid)
    }
    const begun = this.#copied.get(uid) ?? 0
    for (const piece of await queries.listPieces(scope.reads, uid)) {
      if (piece.startByte < begun || piece.startByte >= bytes) continue
      const source = await pieces.open({ clientUid: scope.clientId, uploadUid: uid, uid: piece.uid })
      let takenBytes = 0
      const admit = async (pieceBytes: number) => {
        await incoming.takeSpace(pieceBytes - takenBytes)
        takenBytes = pieceBytes
      }
      this.#copied.set(uid, await unfinished.append(uid, source, { offset: piece.startByte, admit }))
    }
  }

  /** Appends to an upload of `offset` bytes. @returns its new size @throws what `admit` throws; ProblemError 409 */
  async append(
    scope: ClientScope,
    uid: string,
    { source, offset, admit }: { source: AsyncIterable<Uint8Array>; offset: number; admit: AdmitBytes },
  ): Promise<number> {
    await this.copy(scope, uid, offset)
    let size = offset
    for await (const slice of slicesOf(source, PIECE_BYTES)) {
      const start = size
      size = await this.#parts.unfinished.append(uid, slice, {
        offset: start,
        admit: bytes => admit(start - offset + bytes),
      })
      if (size > start) await this.#keep(scope, uid, { start, end: size })
    }
    return size
  }

  /** Removes the pieces of an upload that is over. */
  async remove(scope: ClientScope, uid: string): Promise<void> {
    this.#copied.delete(uid)
    const gone = await scope.write(writes => queries.deletePieces(writes, uid))
    // What cannot be deleted now is abandoned, and goes later.
    for (const piece of gone)
      await this.#parts.pieces
        .delete({ clientUid: scope.clientId, uploadUid: uid, uid: piece.uid })
        .catch(() => undefined)
  }

  async #keep(scope: ClientScope, uid: string, range: { start: number; end: number }): Promise<void> {
    const { pieces, unfinished } = this.#parts
    const piece = { clientUid: scope.clientId, uploadUid: uid, uid: uuidV7() }
    await pieces.put(piece, await readBytes(unfinished.pathOf(uid), range))
    const row = { uid: piece.uid, clientId: scope.clientId, uploadUid: uid }
    const place = { startByte: range.start, sizeBytes: range.end - range.start }
    await scope
      .write((writes: Writes) => queries.insertPiece(writes, { ...row, ...place }))
      .catch((error: unknown) => {
        throw isUniqueViolation(error, ONE_PIECE)
          ? new ProblemError('wrong-offset', { detail: 'Another server has received these bytes' })
          : error
      })
    this.#copied.set(uid, range.end)
  }
}

/** Deletes pieces in the store whose uploads are over: a server was killed, or the store was away. */
export async function deleteAbandonedPieces(
  { files, now }: { files: FileStore; now: () => Date },
  database: Database,
): Promise<void> {
  const { pieces } = files
  if (pieces === null) return
  const isUnfinished = new Map<string, boolean>()
  for await (const { piece, storedAt } of pieces.list()) {
    if (now().getTime() - storedAt.getTime() < MIN_ABANDONED_MS) continue
    const { clientUid, uploadUid } = piece
    const isNeeded =
      isUnfinished.get(uploadUid) ??
      (await queries.isUnfinished(database.jobs.forClient(clientUid).reads, uploadUid, now()))
    isUnfinished.set(uploadUid, isNeeded)
    if (!isNeeded) await pieces.delete(piece)
  }
}
