import type { DeviceFileType } from '@floorcast/contract/device-commands.ts'

const MAX_SIDE = 16_384
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const isSize = (width: number, height: number) =>
  width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE

function isPng(bytes: Buffer): boolean {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(PNG)) return false
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return false
  return isSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) && bytes.includes('IEND', -12, 'latin1')
}

/** Start of frame: all of 0xC0 to 0xCF but tables (C4), extensions (C8) and arithmetic conditions (CC). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return false
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return false
    if (isFrame(bytes[at + 1] ?? 0)) return isSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
  }
  return false
}

const isText = (bytes: Buffer) => {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Whether bytes are what their type says: a whole JPEG or PNG of a plausible size, or UTF-8 text. */
export function fitsType(bytes: Buffer, contentType: DeviceFileType): boolean {
  if (contentType === 'image/jpeg') return isJpeg(bytes)
  return contentType === 'image/png' ? isPng(bytes) : isText(bytes)
}
