import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import {
  MAX_PROOF_BYTES,
  PROOF_ENTRIES,
  PROOF_PART_BYTES,
  type ProofManifest,
} from '@floorcast/contract/proof-file.ts'
import { directoryOf, headerOf, type ProofEntry } from '@floorcast/contract/proof-zip.ts'
import { ProblemError } from '../../platform/lib/errors.ts'

const tooLarge = () =>
  new ProblemError('proof-too-large', {
    detail: 'The plays of this period make a file above 2 GiB: ask for fewer days.',
  })

const entryOf = (name: string, bytes: Buffer): ProofEntry => ({
  name,
  bytes: bytes.length,
  crc32: crc32(bytes),
})

/** Hashes and writes the csv of a proof, then what stands around it. */
export class ProofWriter {
  readonly #handle: FileHandle
  readonly #start = headerOf({ name: PROOF_ENTRIES.csv, bytes: 0, crc32: 0 }).length
  readonly #hash = createHash('sha256')
  readonly #parts: string[] = []
  #part = createHash('sha256')
  #crc32 = 0
  #bytes = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Appends to the csv. @throws ProblemError 413 */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    if (this.#bytes + bytes.length > MAX_PROOF_BYTES) throw tooLarge()
    await this.#writeAt(bytes, this.#start + this.#bytes)
    this.#hash.update(bytes)
    this.#crc32 = crc32(bytes, this.#crc32)
    let rest = bytes
    while (rest.length > 0) {
      const room = PROOF_PART_BYTES - (this.#bytes % PROOF_PART_BYTES)
      const now = rest.subarray(0, room)
      this.#part.update(now)
      this.#bytes += now.length
      if (now.length === room) this.#endPart()
      rest = rest.subarray(now.length)
    }
  }

  #endPart(): void {
    this.#parts.push(this.#part.digest('hex'))
    this.#part = createHash('sha256')
  }

  /** Ends the csv. @returns its line in the manifest */
  endCsv(): ProofManifest['file'] {
    if (this.#bytes % PROOF_PART_BYTES !== 0) this.#endPart()
    return {
      name: PROOF_ENTRIES.csv,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      crc32: this.#crc32,
      partBytes: PROOF_PART_BYTES,
      parts: this.#parts,
    }
  }

  /** Writes the rest of the zip. @returns its size in bytes */
  async end(manifest: Buffer, signature: Buffer): Promise<number> {
    const csv = { name: PROOF_ENTRIES.csv, bytes: this.#bytes, crc32: this.#crc32 }
    const text = Buffer.from(`${signature.toString('base64')}\n`)
    const rest = [
      { entry: entryOf(PROOF_ENTRIES.manifest, manifest), bytes: manifest },
      { entry: entryOf(PROOF_ENTRIES.signature, text), bytes: text },
    ]
    const entries = [csv, ...rest.map(({ entry }) => entry)]
    const tail = Buffer.concat([
      ...rest.flatMap(({ entry, bytes }) => [headerOf(entry), bytes]),
      directoryOf(entries),
    ])
    await this.#writeAt(headerOf(csv), 0)
    await this.#writeAt(tail, this.#start + this.#bytes)
    return this.#start + this.#bytes + tail.length
  }

  /** A disk that fills up writes a part; it reports ENOSPC for the rest. */
  async #writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, from, bytes.length - from, position + from)
      from += bytesWritten
    }
  }
}
