import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type DeviceProgramme, parseProgramme } from '@floorcast/contract/device-programme.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { findProgramme, saveProgramme } from './manifest-queries.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** The compressed programmes in memory, in bytes. Those that were asked for last stay. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024
/** The files of programmes in memory: a hash takes some 150 bytes. */
const MAX_LISTED_FILES = 200_000
/** Programmes parsed for devices of protocol 1. */
const MAX_PARSED = 20

/** What playlists play, by the hash of its bytes. Each document is made, compressed and stored once. */
export class Programmes {
  readonly #bodies = new Map<string, Buffer>()
  #cachedBytes = 0
  readonly #parsed = new Map<string, DeviceProgramme>()
  /** The hashes of the files of each programme; that of the programme that was made longest ago first. */
  readonly #files = new Map<string, ReadonlySet<string>>()
  #listedFiles = 0

  /** Stores a programme unless it is stored, and remembers its files. */
  async keep(
    scope: ClientScope,
    { sha256, text, files }: { sha256: string; text: string; files: ReadonlySet<string> },
    now: Date,
  ): Promise<void> {
    this.#list(keyOf(scope, sha256), files)
    if (this.#cached(keyOf(scope, sha256))) return
    const body = await compress(text, { level: 9 })
    await scope.write(writes =>
      saveProgramme(writes, { clientId: scope.clientId, sha256, body, madeAt: now }),
    )
    this.#cache(keyOf(scope, sha256), body)
  }

  /** The bytes, compressed with gzip; null if no such programme of the client is stored. */
  async read(scope: ClientScope, sha256: string): Promise<Buffer | null> {
    const key = keyOf(scope, sha256)
    const cached = this.#cached(key)
    if (cached) return cached
    const body = await findProgramme(scope.reads, sha256)
    if (body) this.#cache(key, body)
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
    for (const oldest of this.#parsed.keys()) if (this.#parsed.size >= MAX_PARSED) this.#parsed.delete(oldest)
    this.#parsed.set(key, programme)
    return programme
  }

  /** Whether a programme names a file; false too if its files are no longer in memory. */
  names(scope: ClientScope, sha256: string, file: string): boolean {
    return this.#files.get(keyOf(scope, sha256))?.has(file) ?? false
  }

  #list(key: string, files: ReadonlySet<string>): void {
    this.#unlist(key)
    this.#files.set(key, files)
    this.#listedFiles += files.size
    for (const oldest of this.#files.keys())
      if (this.#listedFiles > MAX_LISTED_FILES) this.#unlist(oldest)
      else return
  }

  #unlist(key: string): void {
    this.#listedFiles -= this.#files.get(key)?.size ?? 0
    this.#files.delete(key)
  }

  #cached(key: string): Buffer | undefined {
    const body = this.#bodies.get(key)
    if (!body) return undefined
    this.#bodies.delete(key)
    this.#bodies.set(key, body)
    return body
  }

  #cache(key: string, body: Buffer): void {
    if (this.#bodies.has(key)) return
    this.#bodies.set(key, body)
    this.#cachedBytes += body.length
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES) return
      this.#bodies.delete(oldest)
      this.#cachedBytes -= length
    }
  }
}

const keyOf = ({ clientId }: ClientScope, sha256: string) => `${clientId} ${sha256}`
