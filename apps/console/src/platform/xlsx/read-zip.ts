/* The files of a zip archive (PKWARE's APPNOTE), found by the directory at its end. */

/** A spreadsheet of 100,000 lines has some 50 MB of XML. Nothing of an archive is unpacked beyond this. */
const MAX_UNPACKED_BYTES = 128_000_000

const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22
/** A comment of at most 65,535 bytes follows the end. */
const MAX_END_BYTES = END_BYTES + 65_535
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_BYTES = 46
const LOCAL_HEADER = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

interface Entry {
  method: number
  packedBytes: number
  offset: number
}

/** Where the end of the directory begins. @throws Error if the bytes are not an archive */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - MAX_END_BYTES)
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at
  throw new Error('no zip archive')
}

function readDirectory(view: DataView, bytes: Uint8Array<ArrayBuffer>): Map<string, Entry> {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let n = 0; n < count; n += 1) {
    if (view.getUint32(at, true) !== CENTRAL_HEADER) throw new Error('the directory is damaged')
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map(place => view.getUint16(at + place, true))
    const name = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + (nameBytes ?? 0))
    entries.set(new TextDecoder().decode(name).replaceAll('\\', '/').toLowerCase(), {
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    })
    at += CENTRAL_BYTES + (nameBytes ?? 0) + (extraBytes ?? 0) + (noteBytes ?? 0)
  }
  return entries
}

/** The files of an archive as text in UTF-8, by path in any case. */
export interface Archive {
  /** Null if there is no such file. @throws Error if it is damaged, packed in another way, or too large */
  read: (path: string) => Promise<string | null>
}

/** @param maxBytes of all that is unpacked @throws Error, RangeError if the bytes are not an archive */
export function readZip(file: ArrayBuffer, maxBytes = MAX_UNPACKED_BYTES): Archive {
  const [view, bytes] = [new DataView(file), new Uint8Array(file)]
  const entries = readDirectory(view, bytes)
  let room = maxBytes
  const unpack = async ({ method, packedBytes, offset }: Entry): Promise<string> => {
    if (view.getUint32(offset, true) !== LOCAL_HEADER) throw new Error('a file is damaged')
    const begin = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    if (begin + packedBytes > bytes.length) throw new Error('a file is cut')
    const packed = new Blob([bytes.subarray(begin, begin + packedBytes)]).stream()
    if (method !== STORED && method !== DEFLATED) throw new Error('packed in another way')
    const unpacked = method === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'))
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    for await (const part of unpacked as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      room -= part.length
      if (room < 0) throw new Error('too large')
      text += decoder.decode(part, { stream: true })
    }
    return text + decoder.decode()
  }
  return {
    read: async path => {
      const entry = entries.get(path.toLowerCase())
      return entry ? unpack(entry) : null
    },
  }
}
