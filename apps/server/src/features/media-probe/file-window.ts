import type { FileHandle } from 'node:fs/promises'

const WINDOW_BYTES = 256 * 1024

/** A sliding view of an open file that holds 256 KiB in memory. */
export class FileWindow {
  readonly size: number
  readonly #handle: FileHandle
  readonly #buffer = Buffer.alloc(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** The bytes from `offset` if the view holds all of them, else undefined; valid until the next `load`. */
  peek(offset: number, length: number): Buffer | undefined {
    const from = offset - this.#start
    if (from < 0 || from + length > this.#length) return undefined
    return this.#buffer.subarray(from, from + length)
  }

  /** The bytes that the view holds from `offset` on; may be empty. */
  rest(offset: number): Buffer {
    const from = offset - this.#start
    if (from < 0 || from >= this.#length) return this.#buffer.subarray(0, 0)
    return this.#buffer.subarray(from, this.#length)
  }

  /** Moves the view so that it begins at `offset`. */
  async load(offset: number): Promise<void> {
    this.#start = offset
    this.#length = 0
    while (this.#length < WINDOW_BYTES) {
      const room = WINDOW_BYTES - this.#length
      const { bytesRead } = await this.#handle.read(this.#buffer, this.#length, room, offset + this.#length)
      if (bytesRead === 0) return
      this.#length += bytesRead
    }
  }

  /** Reads `length` bytes from `offset`, at most 256 KiB, fewer at the end of the file; valid until the next read. */
  async bytes(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset))
    const held = this.peek(offset, wanted)
    if (held) return held
    await this.load(offset)
    return this.rest(offset).subarray(0, wanted)
  }
}
