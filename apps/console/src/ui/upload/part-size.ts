const MIB = 1024 * 1024
const FIRST_BYTES = 8 * MIB
const MIN_BYTES = MIB / 2
/** Below the 100 MB that Cloudflare takes in one request. */
const MAX_BYTES = 64 * MIB
/** A part that arrives faster costs more in waiting than in sending. */
const FAST_MS = 2000

/**
 * How many bytes of a file one request carries. A proxy in front of the server may refuse large requests, and may hold
 * each of them back until it is whole: then a break loses all of it.
 */
export class PartSize {
  #bytes = FIRST_BYTES
  #limit = MAX_BYTES

  get bytes(): number {
    return this.#bytes
  }

  /** A part was too large for a proxy. @returns whether a smaller one may pass */
  refuse(bytes: number): boolean {
    this.#limit = Math.max(MIN_BYTES, Math.min(this.#limit, Math.floor(bytes / 2)))
    this.#bytes = Math.min(this.#bytes, this.#limit)
    return bytes > MIN_BYTES
  }

  /** The connection broke, and the server got nothing of a part. */
  lose(): void {
    this.#bytes = Math.max(MIN_BYTES, Math.floor(this.#bytes / 2))
  }

  /** A part arrived. */
  grow(bytes: number, tookMs: number): void {
    if (bytes >= this.#bytes && tookMs < FAST_MS) this.#bytes = Math.min(this.#limit, this.#bytes * 2)
  }
}

/** The part size of this page: all its uploads go through the same proxy and line. */
export const partSize = new PartSize()
