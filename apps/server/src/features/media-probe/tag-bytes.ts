import { open, type FileHandle } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { MAX_BOXES, readBox, type Box } from './mp4-boxes.ts'

/*
 * The bytes of a file's tags, cut out of the file: what parses them sees no sound, no picture and no sample table, whatever
 * the file claims.
 */

/** Tags with several covers stay below this. */
const MAX_TAG_BYTES = 16 * 1024 * 1024
/** Some programs put a second ID3v2 tag before the first one. */
const MAX_TAGS = 3
const ID3_HEADER_BYTES = 10
const IS_UNSYNCHRONIZED = 0x80
const HAS_EXTENDED_HEADER = 0x40
const HAS_FOOTER = 0x10

async function readBytes(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** The bytes as they were before a zero was put after each 0xFF. */
function resynchronize(bytes: Buffer): Buffer {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    plain[length++] = bytes[at] ?? 0
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at += 1
  }
  return plain.subarray(0, length)
}

const toSyncsafe = (size: number) => [21, 14, 7, 0].map(shift => (size >> shift) & 0x7f)
const fromSyncsafe = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)

/** What the frame of a tag says of the size of its content. */
function sizeOfFrame(body: Buffer, at: number, major: number): number {
  if (major === 2) return body.readUIntBE(at + 3, 3)
  return major === 3 ? body.readUInt32BE(at + 4) : fromSyncsafe(body.subarray(at + 4, at + 8))
}

/**
 * Where the zeros begin that fill up the body of a tag: parsers take each ten of them for a frame, and a tag may have megabytes.
 * Zeros may also end the last frame, so this follows the frames.
 */
function findPadding(body: Buffer, major: number): number {
  const used = body.findLastIndex(byte => byte !== 0) + 1
  const headerSize = major === 2 ? 6 : 10
  let at = 0
  while (at < used && at + headerSize <= body.length) at += headerSize + sizeOfFrame(body, at, major)
  return Math.max(used, Math.min(at, body.length))
}

/** The tag with its sizes in plain bytes, without padding. Until ID3v2.3 the zeros are in the whole tag, which parsers do not expect. */
function toPlainTag(header: Buffer, body: Buffer): Buffer {
  const [major = 0, flags = 0] = [header[3], header[5]]
  const isPlain = major > 3 || (flags & IS_UNSYNCHRONIZED) === 0
  const plain = isPlain ? body : resynchronize(body)
  const frames = flags & HAS_EXTENDED_HEADER ? plain : plain.subarray(0, findPadding(plain, major))
  const changed = Buffer.from(header)
  if (!isPlain) changed[5] = flags & ~IS_UNSYNCHRONIZED
  changed.set(toSyncsafe(frames.length), 6)
  return Buffer.concat([changed, frames])
}

/** The ID3v2 tags at the start of an MP3; null without one, or if it is larger than any real tag. */
async function readId3Bytes(handle: FileHandle, fileSize: number): Promise<Buffer | null> {
  const tags: Buffer[] = []
  let at = 0
  while (tags.length < MAX_TAGS) {
    const header = await readBytes(handle, at, ID3_HEADER_BYTES)
    if (header.length < ID3_HEADER_BYTES || header.toString('latin1', 0, 3) !== 'ID3') break
    const size = fromSyncsafe(header.subarray(6))
    const end = at + ID3_HEADER_BYTES + size
    if (end > Math.min(fileSize, MAX_TAG_BYTES)) break
    tags.push(toPlainTag(header, await readBytes(handle, at + ID3_HEADER_BYTES, size)))
    at = end + ((header[5] ?? 0) & HAS_FOOTER ? ID3_HEADER_BYTES : 0)
  }
  return tags.length > 0 ? Buffer.concat(tags) : null
}

/** The boxes of one of these types in a part of the file. */
async function findBoxes(
  file: FileWindow,
  { from, end, types }: { from: number; end: number; types: readonly string[] },
): Promise<Box[]> {
  const found: Box[] = []
  let at = from
  for (let count = 0; at < end && count < MAX_BOXES; count += 1) {
    const box = await readBox(file, at)
    if (!box || at + box.size > end) break
    if (types.includes(box.type)) found.push(box)
    at += box.size
  }
  return found
}

function makeBox(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

/** An MP4 with nothing but the boxes of tags; null without any, or if they are larger than any real tags. */
async function readMp4Bytes(handle: FileHandle, fileSize: number): Promise<Buffer | null> {
  const file = new FileWindow(handle, fileSize)
  const [moov] = await findBoxes(file, { from: 0, end: fileSize, types: ['moov'] })
  if (!moov) return null
  const end = moov.start + moov.size
  const boxes = await findBoxes(file, {
    from: moov.start + moov.headerSize,
    end,
    types: ['udta', 'meta'],
  })
  const total = boxes.reduce((sum, box) => sum + box.size, 0)
  if (total === 0 || total > MAX_TAG_BYTES) return null
  const parts: Buffer[] = []
  for (const box of boxes) parts.push(await readBytes(handle, box.start, box.size))
  return Buffer.concat([
    makeBox('ftyp', Buffer.from('isom\0\0\0\0isom')),
    makeBox('moov', Buffer.concat(parts)),
  ])
}

/** The tags of a file on disk as a file of the same format that has nothing else; null if it has none. */
export async function readTagBytes(path: string, format: 'mp3' | 'mp4'): Promise<Buffer | null> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return await (format === 'mp3' ? readId3Bytes(handle, size) : readMp4Bytes(handle, size))
  } finally {
    await handle.close()
  }
}
