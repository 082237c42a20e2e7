import { randomFillSync } from 'node:crypto'

let lastMs = 0
let counter = 0
/** Drawn many at a time: one draw costs more than the rest of an id. */
const random = Buffer.alloc(8 * 128)
let drawn = random.length

/**
 * A UUID version 7 (RFC 9562): 48 bits of time, then a counter in rand_a, so that ids made in one millisecond sort in
 * the order they were made, then 62 random bits. Made here because PostgreSQL has `uuidv7()` from 18 only.
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
