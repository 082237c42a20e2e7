/*
 * The bytes of a proof's zip around its entries, which are stored as they are. They follow from names, sizes and checksums alone,
 * so a verifier builds them itself and sees each byte that differs.
 */

/** A file in the zip. */
export interface ProofEntry {
  name: string
  bytes: number
  crc32: number
}

const VERSION = 10
/** 1 January 1980: the files have no time of their own. */
const NO_DATE = 0x21
export const LOCAL_BYTES = 30
export const CENTRAL_BYTES = 46
export const END_BYTES = 22
export const LOCAL_SIGNATURE = 0x04034b50
const encoder = new TextEncoder()

/** Numbers in little endian, each with its width in bytes, then a text. */
function record(fields: readonly [width: 2 | 4, value: number][], text = ''): Uint8Array<ArrayBuffer> {
  const name = encoder.encode(text)
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0) + name.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  bytes.set(name, at)
  return bytes
}

/** The fields that both headers of an entry have. */
const common = ({ name, bytes, crc32 }: ProofEntry): [2 | 4, number][] => [
  [2, VERSION],
  [2, 0],
  [2, 0],
  [2, 0],
  [2, NO_DATE],
  [4, crc32],
  [4, bytes],
  [4, bytes],
  [2, name.length],
  [2, 0],
]

/** The bytes of the zip before an entry. */
export const headerOf = (entry: ProofEntry): Uint8Array<ArrayBuffer> =>
  record([[4, LOCAL_SIGNATURE], ...common(entry)], entry.name)

/** The bytes of the zip after its last entry. */
export function directoryOf(entries: readonly ProofEntry[]): Uint8Array<ArrayBuffer> {
  let start = 0
  const headers = entries.map(entry => {
    const rest: [2 | 4, number][] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, start],
    ]
    start += LOCAL_BYTES + entry.name.length + entry.bytes
    return record([[4, 0x02014b50], [2, VERSION], ...common(entry), ...rest], entry.name)
  })
  const bytes = headers.reduce((sum, header) => sum + header.length, 0)
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, bytes],
    [4, start],
    [2, 0],
  ])
  return concat([...headers, end])
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum that zip uses, of small files. */
export function crc32Of(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
