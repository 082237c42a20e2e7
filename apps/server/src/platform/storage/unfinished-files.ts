import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore, type Configstore } from '@tus/file-store'
import { ERRORS, type Upload } from '@tus/server'
import { isMissing } from './local-file-store.ts'
import { writeStream } from './receive-file.ts'
import { TusRefusal } from './tus-refusal.ts'

/** The hash of a file's first `bytes` bytes, gone on with as more come. */
interface RunningHash {
  hash: Hash
  bytes: number
}

const MOST_RUNNING_HASHES = 1000

/**
 * Files that come piece by piece, each under its upload's uid: tus's file store, which hashes and flushes what it writes
 * as `receive-file.ts` does, and keeps what came before a connection broke.
 */
export class UnfinishedFiles extends FileStore {
  override extensions = ['creation', 'termination', 'expiration']
  readonly #hashes = new Map<string, RunningHash>()

  /** @param uploads what is known of each upload besides its bytes */
  constructor(directory: string, uploads: Configstore) {
    super({ directory, configstore: uploads })
  }

  pathOf(uid: string): string {
    return join(this.directory, uid)
  }

  /** Bytes that are here; null if none ever were, or they are on another server. */
  async sizeOf(uid: string): Promise<number | null> {
    const facts = await stat(this.pathOf(uid)).catch(() => null)
    return facts?.size ?? null
  }

  override async create(upload: Upload): Promise<Upload> {
    try {
      return await super.create(upload)
    } catch (error) {
      await this.remove(upload.id)
      throw error
    }
  }

  /** How far an upload is; one that has ended needs no bytes any more. */
  override async getUpload(uid: string): Promise<Upload> {
    const upload = await this.configstore.get(uid)
    if (!upload) throw new TusRefusal(ERRORS.FILE_NOT_FOUND)
    if (upload.offset === upload.size) return upload
    const offset = await this.sizeOf(uid)
    if (offset === null) throw new TusRefusal(ERRORS.FILE_NO_LONGER_EXISTS)
    upload.offset = offset
    return upload
  }

  /** Appends from `offset` on. @returns where the file ends now. */
  override async write(readable: Readable, uid: string, offset: number): Promise<number> {
    try {
      return await this.#append(readable, uid, offset)
    } catch (error) {
      // Another request was quicker to end the upload: its bytes are stored, and none are left to come.
      if (isMissing(error)) return offset
      throw error
    }
  }

  async #append(readable: Readable, uid: string, offset: number): Promise<number> {
    const hash = await this.#hashUpTo(uid, offset)
    this.#hashes.delete(uid)
    const handle = await open(this.pathOf(uid), 'r+')
    try {
      const maxBytes = Number.MAX_SAFE_INTEGER
      const end = offset + (await writeStream(readable, { handle, start: offset, hash, maxBytes }))
      await handle.sync()
      this.#remember(uid, { hash, bytes: end })
      return end
    } finally {
      await handle.close()
    }
  }

  /** SHA-256 of a whole file, lower-case hex; read again only where its last bytes came in a former life of this server. */
  async hashOf(uid: string, sizeBytes: number): Promise<string> {
    return (await this.#hashUpTo(uid, sizeBytes)).copy().digest('hex')
  }

  /** Removes an upload's bytes, if there are any here, and what is known of it. */
  override async remove(uid: string): Promise<void> {
    await this.removeBytes(uid)
    await this.configstore.delete(uid)
  }

  async removeBytes(uid: string): Promise<void> {
    this.#hashes.delete(uid)
    await rm(this.pathOf(uid), { force: true })
  }

  /** Removes files that nothing was written to since `moment`. @returns how many */
  async sweep(moment: Date): Promise<number> {
    let swept = 0
    for (const uid of await readdir(this.directory)) {
      const facts = await stat(this.pathOf(uid)).catch(() => null)
      if (!facts || facts.mtime >= moment) continue
      await this.removeBytes(uid)
      swept += 1
    }
    return swept
  }

  async #hashUpTo(uid: string, end: number): Promise<Hash> {
    const known = this.#hashes.get(uid)
    if (known?.bytes === end) return known.hash
    const hash = createHash('sha256')
    if (end === 0) return hash
    for await (const chunk of createReadStream(this.pathOf(uid), { end: end - 1 }))
      hash.update(chunk as Uint8Array)
    return hash
  }

  #remember(uid: string, running: RunningHash): void {
    if (this.#hashes.size >= MOST_RUNNING_HASHES) this.#hashes.clear()
    this.#hashes.set(uid, running)
  }
}
