import { randomFillSync } from 'node:crypto'

let lastMs = 0
let counter = 0
/** Random bytes are drawn for many ids at once: a draw costs more than the rest of an id. */
const random = Buffer.alloc(8 * 128)
let drawn = random.length

/**
 * Makes a UUID version 7 (RFC 9562): 48 bits of time, a counter in rand_a, so that the ids of one millisecond sort in the
 * order of their creation, and 62 random bits. PostgreSQL has `uuidv7()` only since version 18.
 */
export function uuidV7(now = Date.now()): string {
  if (now > lastMs) {
    lastMs = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  if (drawn === random.length) {
    randomFillSync(random)
    drawn = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const tail = random.toString('hex', drawn, drawn + 8)
  const variant = (0x80 | ((random[drawn] ?? 0) & 0x3f)).toString(16)
  drawn += 8
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(2, 4)}-${tail.slice(4)}`
}
