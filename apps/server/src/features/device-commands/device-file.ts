import { crc32, createInflate } from 'node:zlib'
import type { DeviceFileType } from '@floorcast/contract/device-commands.ts'

/*
 * What a device sends of itself is made again from the parts that a picture needs: no text, no metadata and nothing behind its end is
 * stored. A browser that shows a card takes four bytes a pixel, so a few kilobytes must not claim any size.
 */

/** A little more than 4096 × 4096. */
const MAX_PIXELS = 17_000_000
const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const isSize = (width: number, height: number) => width > 0 && height > 0 && width * height <= MAX_PIXELS

interface Chunk {
  type: string
  data: Buffer
}

/** The chunks of a PNG up to its end; null if one is cut, damaged, or unknown and needed. */
function readChunks(bytes: Buffer): Chunk[] | null {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) return null
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length || bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: bytes.subarray(at + 8, end) })
    if (type === 'IEND') return chunks
    at = end + 4
  }
  return null
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Samples of a pixel by the color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The bytes of a PNG's rows at most; 0 for a head that no PNG has. An interlaced one has seven times as many rows at most. */
function rowBytes(head: Buffer): number {
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const bits = (head[8] ?? 0) * (SAMPLES[head[9] ?? 0] ?? 0)
  if (head.length !== 13 || !isSize(width, height) || bits === 0 || bits > 64) return 0
  return (Math.ceil((width * bits) / 8) + 1) * height + (head[12] === 1 ? 8 * (width + height) * 8 : 0)
}

/** The bytes of a deflated stream without what is behind it; null if it is no stream, or larger than `maxBytes` when inflated. */
async function readDeflated(data: Buffer, maxBytes: number): Promise<Buffer | null> {
  const inflate = createInflate()
  inflate.end(data)
  let bytes = 0
  try {
    for await (const chunk of inflate) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) return null
    }
  } catch {
    return null
  }
  return data.subarray(0, inflate.bytesWritten)
}

async function cleanPng(bytes: Buffer): Promise<Buffer | null> {
  const chunks = readChunks(bytes)
  const [first] = chunks ?? []
  if (!chunks || first?.type !== 'IHDR' || first.data.length !== 13) return null
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const pixels = await readDeflated(Buffer.concat(parts), rowBytes(first.data))
  if (!pixels || pixels.length === 0) return null
  const tables = chunks.filter(({ type }) => type === 'PLTE' || type === 'tRNS')
  const kept = [first, ...tables, { type: 'IDAT', data: pixels }, { type: 'IEND', data: Buffer.alloc(0) }]
  return Buffer.concat([PNG_HEAD, ...kept.map(writeChunk)])
}

/** Start of frame: all of 0xC0 to 0xCF but tables (C4), extensions (C8) and arithmetic conditions (CC). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
const [SCAN, END] = [0xda, 0xd9]
/** Frames, tables, restart intervals, scans, and what says how the colors are coded (JFIF, Adobe). */
const isNeeded = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf) || [0xdb, 0xdd, SCAN, 0xe0, 0xee].includes(marker)

/** Where the marker after the bits of a scan is. Among the bits 0xFF is followed by 0, or by a restart (D0 to D7). */
function endOfScan(bytes: Buffer, from: number): number {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

function cleanJpeg(bytes: Buffer): Buffer | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  const kept = [bytes.subarray(0, 2)]
  let [hasFrame, hasScan] = [false, false]
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === END) return hasScan ? Buffer.concat([...kept, bytes.subarray(at, at + 2)]) : null
    if (at + 4 > bytes.length) return null
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (isFrame(marker)) {
      if (hasFrame || end - at < 10 || !isSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)))
        return null
      hasFrame = true
    }
    if (marker === SCAN && !hasFrame) return null
    hasScan ||= marker === SCAN
    const next = marker === SCAN ? endOfScan(bytes, end) : end
    if (next > bytes.length) return null
    if (isNeeded(marker)) kept.push(bytes.subarray(at, next))
    at = next
  }
  return null
}

function cleanText(bytes: Buffer): Buffer | null {
  if (bytes.includes(0)) return null
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return bytes
  } catch {
    return null
  }
}

/**
 * What is stored of a device's file: a JPEG or PNG of at most 17 million pixels with what shows it alone, or UTF-8 text. Null if the
 * bytes are not what their type says.
 */
export async function cleanDeviceFile(bytes: Buffer, contentType: DeviceFileType): Promise<Buffer | null> {
  if (contentType === 'image/jpeg') return cleanJpeg(bytes)
  return contentType === 'image/png' ? cleanPng(bytes) : cleanText(bytes)
}
