/** The width and height of a picture in pixels. */
interface ImageSize {
  width: number
  height: number
}

/** A PNG's first chunk says its size. */
export const sizeOfPng = (bytes: Buffer): ImageSize | null =>
  bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }

/** The markers SOF0 to SOF15 begin a frame; among them are DHT, JPG and DAC, which do not. */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers without a length: TEM and those below it, RST0 to RST7, SOI, EOI. A decoder reads on behind them. */
const isAlone = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)

/** The size in the first frame of a JPEG; null if its segments lead to none. */
export function sizeOfJpeg(bytes: Buffer): ImageSize | null {
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
export function sizeOfWebp(bytes: Buffer): ImageSize | null {
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
