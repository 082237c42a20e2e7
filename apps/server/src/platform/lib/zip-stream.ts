import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/* Writes a zip archive while its content comes: sizes and checksums follow each file, so nothing is held back. */

export interface ZipEntry {
  path: string
  content: Iterable<string> | AsyncIterable<string>
}

/** The data of a file for the directory at the end. */
interface StoredEntry {
  name: Buffer
  crc: number
  bytes: number
  storedBytes: number
  offset: number
}

const LOCAL_HEADER = 0x04034b50
const DATA_DESCRIPTOR = 0x08074b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const VERSION = 20
/** The sizes follow the content, and the name is UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** 1 January 1980: the files have no time. */
const DATE = 33
const MAX_BYTES = 0xffffffff

/** The fields that both headers of a file share. */
function commonFields({ name, crc, bytes, storedBytes }: StoredEntry): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS, 2)
  fields.writeUInt16LE(DEFLATE, 4)
  fields.writeUInt16LE(DATE, 8)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(storedBytes, 14)
  fields.writeUInt32LE(bytes, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

const uint32s = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at))
  return bytes
}

function centralHeader(entry: StoredEntry): Buffer {
  const places = Buffer.alloc(14)
  places.writeUInt32LE(entry.offset, 10)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(VERSION)
  return Buffer.concat([uint32s(CENTRAL_HEADER), madeBy, commonFields(entry), places, entry.name])
}

function directory(entries: readonly StoredEntry[], offset: number): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END_OF_DIRECTORY, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(headers.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([headers, end])
}

/** Compresses a file's content; counts it in `entry`. */
async function* deflate(content: ZipEntry['content'], entry: StoredEntry): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      entry.crc = crc32(bytes, entry.crc)
      entry.bytes += bytes.length
      yield bytes
    }
  }
  const deflated = createDeflateRaw()
  const done = pipeline(Readable.from(measured(), { objectMode: false }), deflated)
  done.catch(() => {}) // awaited below; reading fails with it
  for await (const part of deflated) {
    entry.storedBytes += (part as Buffer).length
    yield part as Buffer
  }
  await done
}

/** An archive of less than 4 GiB. @throws errors of the content, and where it grows too large */
export async function* zipStream(
  files: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const entries: StoredEntry[] = []
  let offset = 0
  for await (const { path, content } of files) {
    const entry = { name: Buffer.from(path), crc: 0, bytes: 0, storedBytes: 0, offset }
    const header = Buffer.concat([uint32s(LOCAL_HEADER), commonFields(entry), entry.name])
    yield header
    yield* deflate(content, entry)
    yield uint32s(DATA_DESCRIPTOR, entry.crc, entry.storedBytes, entry.bytes)
    offset += header.length + entry.storedBytes + 16
    entries.push(entry)
    if (Math.max(offset, entry.bytes) > MAX_BYTES) throw new Error(`${path} makes the archive too large`)
  }
  yield directory(entries, offset)
}
