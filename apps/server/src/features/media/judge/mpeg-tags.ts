import type { FileWindow } from './file-window.ts'

const ID3V1_BYTES = 128
const APE_FOOTER_BYTES = 32
const LYRICS_FOOTER_BYTES = 15
const ID3V2_HAS_FOOTER = 0x10
const APE_HAS_HEADER = 0x80

async function leadingTagLength(file: FileWindow, offset: number): Promise<number> {
  const head = await file.bytes(offset, APE_FOOTER_BYTES)
  if (head.length >= 10 && head.toString('latin1', 0, 3) === 'ID3') {
    const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
    return 10 + size + ((head[5] ?? 0) & ID3V2_HAS_FOOTER ? 10 : 0)
  }
  if (head.length === APE_FOOTER_BYTES && head.toString('latin1', 0, 8) === 'APETAGEX')
    return APE_FOOTER_BYTES + head.readUInt32LE(12)
  return 0
}

async function trailingTagLength(file: FileWindow, start: number, end: number): Promise<number> {
  const tail = await file.bytes(Math.max(start, end - ID3V1_BYTES), Math.min(ID3V1_BYTES, end - start))
  if (tail.length === ID3V1_BYTES && tail.toString('latin1', 0, 3) === 'TAG') return ID3V1_BYTES
  const ape = tail.subarray(-APE_FOOTER_BYTES)
  if (ape.length === APE_FOOTER_BYTES && ape.toString('latin1', 0, 8) === 'APETAGEX')
    return ape.readUInt32LE(12) + ((ape[23] ?? 0) & APE_HAS_HEADER ? APE_FOOTER_BYTES : 0)
  const lyrics = /(\d{6})LYRICS200$/.exec(tail.toString('latin1'))
  return lyrics ? Number(lyrics[1]) + LYRICS_FOOTER_BYTES : 0
}

/** Where the sound of an MP3 lies: after ID3v2 and APE tags, before ID3v1, APE and Lyrics3; null if a tag is longer than the file. */
export async function findSound(file: FileWindow): Promise<{ start: number; end: number } | null> {
  let start = 0
  let end = file.size
  for (let length = -1; length !== 0; start += length) {
    length = await leadingTagLength(file, start)
    if (start + length > end) return null
  }
  for (let length = -1; length !== 0; end -= length) {
    length = await trailingTagLength(file, start, end)
    if (end - length < start) return null
  }
  return { start, end }
}
