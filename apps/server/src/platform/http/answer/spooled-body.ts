import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { freeBytes } from '../../lib/free-bytes.ts'

interface SpoolOptions {
  /** The bytes that are made. Nobody else reads its chunks. */
  source: Readable
  /** Has no name; closed with the body. */
  file: FileHandle
  /** The number of bytes that may be made before they are read. */
  maxAheadBytes: number
  /** Rejects while the disk has too little room for these bytes more. */
  requireSpace: (bytes: number) => Promise<void>
  /** Everything is made: its reader alone is waited for from now on. */
  onMade: () => void
  /** The making waits for its reader, or goes on. */
  onHeldBack: (isHeldBack: boolean) => void
}

const CHUNK_BYTES = 65_536
/** The free space of the disk is read after each write of this many bytes. */
const SPACE_BYTES = 8 * 1024 * 1024

/**
 * Makes bytes as fast as their source allows, whatever the reader does: what is not read yet is in a file. A reader that falls
 * behind further than `maxAheadBytes`, or on a full disk, holds the making back.
 */
export class SpooledBody extends Readable {
  readonly #options: SpoolOptions
  readonly #begun = Promise.withResolvers<void>()
  #made = 0
  #taken = 0
  /** The bytes made before the beginning of the file. */
  #base = 0
  #roomUntil = 0
  #isMade = false
  #change = Promise.withResolvers<void>()

  constructor(options: SpoolOptions) {
    super({ highWaterMark: CHUNK_BYTES })
    this.#options = options
    this.#begun.promise.catch(() => {})
    // Before its sender listens, `begun` tells of errors.
    this.on('error', () => {})
    this.#fill().catch((error: unknown) => this.destroy(error as Error))
  }

  /** Resolves when the first bytes are made, or the file is empty. @throws what the making throws before them */
  begun(): Promise<void> {
    return this.#begun.promise
  }

  override _read(): void {
    this.#pushNext().catch((error: unknown) => this.destroy(error as Error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { source, file } = this.#options
    source.destroy()
    this.#begun.reject(error ?? new Error('The reader is gone'))
    this.#wake()
    file.close().catch(() => {})
    done(error)
  }

  async #fill(): Promise<void> {
    const { source, file, onMade } = this.#options
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      if (this.#made + chunk.length > this.#roomUntil) await this.#waitForRoom(chunk.length)
      for (let from = 0; from < chunk.length;) {
        const { bytesWritten } = await file.write(
          chunk,
          from,
          chunk.length - from,
          this.#made - this.#base + from,
        )
        from += bytesWritten
      }
      this.#made += chunk.length
      freeBytes(chunk)
      this.#begun.resolve()
      this.#wake()
    }
    this.#isMade = true
    this.#begun.resolve()
    this.#wake()
    onMade()
  }

  async #waitForRoom(bytes: number): Promise<void> {
    const { file, maxAheadBytes, requireSpace, onHeldBack } = this.#options
    while (!this.destroyed) {
      const hasSpace = await requireSpace(SPACE_BYTES).then(
        () => true,
        () => false,
      )
      const room = maxAheadBytes - (this.#made - this.#taken)
      if (hasSpace && room >= bytes) {
        this.#roomUntil = this.#made + Math.min(room, Math.max(bytes, SPACE_BYTES))
        return onHeldBack(false)
      }
      if (this.#made === this.#taken) {
        // All was read: the file begins again.
        await file.truncate(0)
        this.#base = this.#made
        this.#roomUntil = this.#made + bytes
        return onHeldBack(false)
      }
      onHeldBack(true)
      await this.#change.promise
    }
  }

  async #pushNext(): Promise<void> {
    while (this.#taken === this.#made && !this.#isMade && !this.destroyed) await this.#change.promise
    if (this.destroyed) return
    const length = Math.min(CHUNK_BYTES, this.#made - this.#taken)
    if (length === 0) return void this.push(null)
    const buffer = Buffer.allocUnsafeSlow(length)
    const { bytesRead } = await this.#options.file.read(buffer, 0, length, this.#taken - this.#base)
    this.#taken += bytesRead
    this.#wake()
    this.push(bytesRead === length ? buffer : buffer.subarray(0, bytesRead))
  }

  #wake(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}
