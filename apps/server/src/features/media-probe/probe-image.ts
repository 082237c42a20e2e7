import { readFile, stat } from 'node:fs/promises'
import { refuse, type MediaProbeResult, type ProbedImage } from './probe-result.ts'

/** The width and height of a picture in pixels. */
interface ImageSize {
  width: number
  height: number
}

/** A PNG's first chunk says its size. */
const sizeOfPng = (bytes: Buffer): ImageSize | null =>
  bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }

/** The markers SOF0 to SOF15 begin a frame; among them are DHT, JPG and DAC, which do not. */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers without a length: TEM and those below it, RST0 to RST7, SOI, EOI. A decoder reads on behind them. */
const isAlone = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)

/** The size in the first frame of a JPEG; null if its segments lead to none. */
function sizeOfJpeg(bytes: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (isAlone(marker)) return null
    if (isFrameMarker(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // A marker may be filled up with 0xFF.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** The size of a WebP, by the kind of its first chunk. */
function sizeOfWebp(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

export const MAX_PREVIEW_BYTES = 5 * 1024 * 1024
/** A few kilobytes can claim any size. To show a picture, a browser takes four bytes a pixel. */
const MAX_PIXELS = 50_000_000

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_TAIL = Buffer.from('0000000049454e44ae426082', 'hex')
const JPEG_HEAD = Buffer.from('ffd8ff', 'hex')
const JPEG_TAIL = Buffer.from('ffd9', 'hex')

const startsWith = (bytes: Buffer, head: Buffer) => bytes.subarray(0, head.length).equals(head)
const endsWith = (bytes: Buffer, tail: Buffer) => bytes.subarray(-tail.length).equals(tail)

function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
  const isWhole = bytes.readUInt32LE(4) + 8 === bytes.length
  return isWhole && /^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))
}

type ImageFormat = ProbedImage['contentType']

function formatOf(bytes: Buffer): ImageFormat | null {
  if (startsWith(bytes, PNG_HEAD) && endsWith(bytes, PNG_TAIL)) return 'image/png'
  if (startsWith(bytes, JPEG_HEAD) && endsWith(bytes, JPEG_TAIL)) return 'image/jpeg'
  return isWebp(bytes) ? 'image/webp' : null
}

const sizesOf = { 'image/png': sizeOfPng, 'image/jpeg': sizeOfJpeg, 'image/webp': sizeOfWebp }
const headsOf = { 'image/png': PNG_HEAD, 'image/jpeg': JPEG_HEAD }

/** The pixels that the head of a JPEG or PNG claims; 0 if it has another head, or claims none. */
export function pixelsOf(bytes: Buffer, contentType: keyof typeof headsOf): number {
  const size = startsWith(bytes, headsOf[contentType]) ? sizesOf[contentType](bytes) : null
  return size ? size.width * size.height : 0
}

/** Probes a picture: a PNG, JPEG or WebP of at most 5 MB and 50 million pixels, with both its head and its end. */
export function probePicture(bytes: Buffer): MediaProbeResult<ProbedImage> {
  if (bytes.length === 0) return refuse('file-empty')
  const contentType = bytes.length > MAX_PREVIEW_BYTES ? null : formatOf(bytes)
  const size = contentType && sizesOf[contentType](bytes)
  const pixels = size ? size.width * size.height : 0
  if (!contentType || pixels === 0 || pixels > MAX_PIXELS) return refuse('not-an-image')
  return { accepted: true, contentType }
}

/** Probes a preview image on disk like `probePicture`. */
export async function probeImage(path: string): Promise<MediaProbeResult<ProbedImage>> {
  const { size } = await stat(path)
  return size > MAX_PREVIEW_BYTES ? refuse('not-an-image') : probePicture(await readFile(path))
}
