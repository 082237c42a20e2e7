import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { isMissing } from '../lib/errors.ts'
import { FILE_MODE } from './private-folder.ts'
import { type AdmitBytes, writeStream } from './write-stream.ts'

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
