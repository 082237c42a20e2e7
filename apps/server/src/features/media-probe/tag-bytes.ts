import { open, type FileHandle } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { MAX_BOXES, readBox, type Box } from './mp4-boxes.ts'

/*
 * The bytes of a file's tags, cut out of the file: what parses them sees no sound, no picture and no sample table, whatever
 * the file claims.
 */

/** Tags with several covers stay below this. */
const MAX_TAG_BYTES = 16 * 1024 * 1024
const ID3_HEADER_BYTES = 10
const IS_UNSYNCHRONIZED = 0x80
const HAS_EXTENDED_HEADER = 0x40

/** Some programs put the names of ID3v2.2 into tags of ID3v2.3, with a zero for the fourth letter. */
const NAMES_OF_V22: Readonly<Record<string, string>> = {
  TT2: 'TIT2',
  TP1: 'TPE1',
  TP2: 'TPE2',
  TRC: 'TSRC',
  TCM: 'TCOM',
  TPB: 'TPUB',
  TXX: 'TXXX',
}
const UTF_16_WITH_MARK = 1
const UTF_16_BIG_ENDIAN = 2

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

/** Where the frames begin: until ID3v2.3 the size of an extended header leaves out its own four bytes. */
function sizeOfExtendedHeader(body: Buffer, major: number): number {
  if (body.length < 4) return 0
  return major === 3 ? 4 + body.readUInt32BE(0) : fromSyncsafe(body.subarray(0, 4))
}

/** A text of UTF-16 without its mark gets the encoding that has none: its bytes are swapped if they are little endian. */
function markUtf16(content: Buffer): void {
  const text = content.subarray(1)
  const hasMark = text.length < 2 || [0xfeff, 0xfffe].includes(text.readUInt16BE(0))
  if (content[0] !== UTF_16_WITH_MARK || hasMark) return
  // Most texts have Latin letters or spaces, whose high byte is zero.
  const zerosAt = [0, 1].map(rest => text.filter((byte, at) => byte === 0 && at % 2 === rest).length)
  content[0] = UTF_16_BIG_ENDIAN
  if ((zerosAt[0] ?? 0) <= (zerosAt[1] ?? 0)) text.subarray(0, text.length & ~1).swap16()
}

/** Mends in place what programs write into tags of ID3v2.3 against its rules. */
function mendFrames(body: Buffer): void {
  for (let at = 0; at + ID3_HEADER_BYTES <= body.length && body[at] !== 0;) {
    const name = body.toString('latin1', at, at + 4)
    const known = name.endsWith('\0') ? NAMES_OF_V22[name.slice(0, 3)] : undefined
    if (known) body.write(known, at, 'latin1')
    const end = at + ID3_HEADER_BYTES + body.readUInt32BE(at + 4)
    if (name.startsWith('T')) markUtf16(body.subarray(at + ID3_HEADER_BYTES, Math.min(end, body.length)))
    at = end
  }
}

/**
 * The tag with its sizes in plain bytes, without an extended header and padding. Until ID3v2.3 the zeros are in the whole tag, which
 * parsers do not expect.
 */
function toPlainTag(header: Buffer, body: Buffer): Buffer {
  const [major = 0, flags = 0] = [header[3], header[5]]
  const isPlain = major > 3 || (flags & IS_UNSYNCHRONIZED) === 0
  const plain = isPlain ? body : resynchronize(body)
  const begin = major > 2 && flags & HAS_EXTENDED_HEADER ? sizeOfExtendedHeader(plain, major) : 0
  const content = plain.subarray(Math.min(begin, plain.length))
  const frames = content.subarray(0, findPadding(content, major))
  if (major === 3) mendFrames(frames)
  const changed = Buffer.from(header)
  changed[5] = (isPlain ? flags : flags & ~IS_UNSYNCHRONIZED) & (major > 2 ? ~HAS_EXTENDED_HEADER : 0xff)
  changed.set(toSyncsafe(frames.length), 6)
  return Buffer.concat([changed, frames])
}

/**
 * The ID3v2 tag at the start of an MP3; null without one, or if it is larger than any real tag. Of several tags the first counts:
 * programs put theirs before one that they do not know.
 */
async function readId3Bytes(handle: FileHandle, fileSize: number): Promise<Buffer | null> {
  const header = await readBytes(handle, 0, ID3_HEADER_BYTES)
  if (header.length < ID3_HEADER_BYTES || header.toString('latin1', 0, 3) !== 'ID3') return null
  const size = fromSyncsafe(header.subarray(6))
  if (ID3_HEADER_BYTES + size > Math.min(fileSize, MAX_TAG_BYTES)) return null
  return toPlainTag(header, await readBytes(handle, ID3_HEADER_BYTES, size))
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
