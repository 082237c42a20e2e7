import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type DeviceProgramme, parseProgramme } from '@floorcast/contract/device-programme.ts'
import { LRUCache } from 'lru-cache'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { findProgramme, saveProgramme } from './manifest-queries.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** The compressed programmes in memory, in bytes. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024
/** The files of programmes in memory: a hash takes some 150 bytes. */
const MAX_LISTED_FILES = 200_000
/** Programmes parsed for devices of protocol 1. */
const MAX_PARSED = 20

/** What playlists play, by the hash of its bytes. Each document is made, compressed and stored once. */
export class Programmes {
  readonly #bodies = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: body => body.length,
  })
  readonly #parsed = new LRUCache<string, DeviceProgramme>({ max: MAX_PARSED })
  /** The hashes of the files of each programme. */
  readonly #files = new LRUCache<string, ReadonlySet<string>>({
    maxSize: MAX_LISTED_FILES,
    sizeCalculation: files => files.size + 1,
  })

  /** Stores a programme unless it is stored, and remembers its files. */
  async keep(
    scope: ClientScope,
    { sha256, text, files }: { sha256: string; text: string; files: ReadonlySet<string> },
    now: Date,
  ): Promise<void> {
    const key = keyOf(scope, sha256)
    this.#files.set(key, files)
    if (this.#bodies.get(key)) return
    const body = await compress(text, { level: 9 })
    await scope.write(writes =>
      saveProgramme(writes, { clientId: scope.clientId, sha256, body, madeAt: now }),
    )
    this.#bodies.set(key, body)
  }

  /** The bytes, compressed with gzip; null if no such programme of the client is stored. */
  async read(scope: ClientScope, sha256: string): Promise<Buffer | null> {
    const key = keyOf(scope, sha256)
    const cached = this.#bodies.get(key)
    if (cached) return cached
    const body = await findProgramme(scope.reads, sha256)
    if (body) this.#bodies.set(key, body)
    return body
  }

  /** The programme as a device reads it; null if it is not stored. */
  async readParsed(scope: ClientScope, sha256: string): Promise<DeviceProgramme | null> {
    const key = keyOf(scope, sha256)
    const known = this.#parsed.get(key)
    if (known) return known
    const body = await this.read(scope, sha256)
    const programme = body && parseProgramme(JSON.parse((await decompress(body)).toString())).programme
    if (!programme) return null
    this.#parsed.set(key, programme)
    return programme
  }

  /** Whether a programme names a file; false too if its files are no longer in memory. */
  names(scope: ClientScope, sha256: string, file: string): boolean {
    return this.#files.get(keyOf(scope, sha256))?.has(file) ?? false
  }
}

const keyOf = ({ clientId }: ClientScope, sha256: string) => `${clientId} ${sha256}`
