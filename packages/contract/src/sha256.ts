/*
 * SHA-256 (FIPS 180-4) of bytes that come in pieces. A browser's own function takes all bytes at once, and a proof of play has up to
 * 2 GiB. proof.test.ts compares it with Node's.
 */

const BLOCK_BYTES = 64
const ROUNDS = 64

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0

const primes: number[] = []
for (let number = 2; primes.length < ROUNDS; number += 1)
  if (primes.every(prime => number % prime !== 0)) primes.push(number)
const K = Uint32Array.from(primes, prime => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)))

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** Hashes pieces one after another. */
export class Sha256 {
  readonly #state = START.slice()
  readonly #words = new Uint32Array(ROUNDS)
  readonly #block = new Uint8Array(BLOCK_BYTES)
  readonly #view = new DataView(this.#block.buffer)
  #bytes = 0

  update(piece: Uint8Array): void {
    for (let from = 0; from < piece.length;) {
      const filled = this.#bytes % BLOCK_BYTES
      const some = piece.subarray(from, from + BLOCK_BYTES - filled)
      this.#block.set(some, filled)
      this.#bytes += some.length
      from += some.length
      if (this.#bytes % BLOCK_BYTES === 0) this.#mixBlock()
    }
  }

  /** Ends the hash. @returns lower-case hex */
  digest(): string {
    const bytes = this.#bytes
    const zeros = (BLOCK_BYTES * 2 - 9 - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
    const end = new DataView(new ArrayBuffer(1 + zeros + 8))
    end.setUint8(0, 0x80)
    end.setBigUint64(1 + zeros, BigInt(bytes) * 8n)
    this.update(new Uint8Array(end.buffer))
    return Array.from(this.#state, word => word.toString(16).padStart(8, '0')).join('')
  }

  #mixBlock(): void {
    const words = this.#words
    for (let index = 0; index < 16; index += 1) words[index] = this.#view.getUint32(index * 4)
    for (let index = 16; index < ROUNDS; index += 1) {
      const [early, late] = [words[index - 15] ?? 0, words[index - 2] ?? 0]
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
      words[index] = ((words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second) | 0
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state
    for (let index = 0; index < ROUNDS; index += 1) {
      const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const first = (h + mixed + ((e & f) ^ (~e & g)) + (K[index] ?? 0) + (words[index] ?? 0)) | 0
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      // Not by one list: that would take three times as long.
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
      this.#state[index] = (this.#state[index] ?? 0) + word
  }
}
