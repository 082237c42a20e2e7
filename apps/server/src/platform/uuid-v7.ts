import { randomFillSync } from 'node:crypto'

let lastMillis = 0
let counter = 0
const random = new Uint8Array(8)

/**
 * A UUID version 7 (RFC 9562): 48 bits of time, then a counter in rand_a, so that ids made in one millisecond sort in
 * the order they were made, then 62 random bits. Made here because PostgreSQL has `uuidv7()` from 18 only.
 */
export function uuidV7(now = Date.now()): string {
  if (now > lastMillis) {
    lastMillis = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMillis += 1
    counter = 0
  }
  randomFillSync(random)
  const time = lastMillis.toString(16).padStart(12, '0')
  const tail = Buffer.from(random).toString('hex')
  const variant = (0x80 | ((random[0] ?? 0) & 0x3f)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(2, 4)}-${tail.slice(4)}`
}
