import { FileWindow } from './file-window.ts'
import type { RefusalReason } from './verdict.ts'

const HEADER_BYTES = 8
const LONG_HEADER_BYTES = 16
/** Sample tables of a day of video stay under it; more would only fill the memory. */
const MOST_MOOV_BYTES = 64 * 1024 * 1024
const MOST_BOXES = 200_000

type Box = { type: string; start: number; size: number }

async function readBox(file: FileWindow, start: number): Promise<Box | null> {
  const header = await file.bytes(start, LONG_HEADER_BYTES)
  if (header.length < HEADER_BYTES) return null
  const type = header.toString('latin1', 4, 8)
  const short = header.readUInt32BE(0)
  if (short === 0) return { type, start, size: file.size - start }
  if (short !== 1) return short < HEADER_BYTES ? null : { type, start, size: short }
  if (header.length < LONG_HEADER_BYTES) return null
  const size = Number(header.readBigUInt64BE(8))
  return size < LONG_HEADER_BYTES ? null : { type, start, size }
}

/** Reads the boxes that lie side by side at the top of the file; null unless they fill it to the last byte. */
async function readTopBoxes(file: FileWindow): Promise<Box[] | null> {
  const boxes: Box[] = []
  let at = 0
  while (at < file.size) {
    const box = await readBox(file, at)
    if (!box || at + box.size > file.size || boxes.length === MOST_BOXES) return null
    boxes.push(box)
    at += box.size
  }
  return boxes
}

/** Walks the boxes of an MP4: `ftyp` first and not QuickTime's, no gap and nothing cut off, `moov` and media there. */
export async function checkMp4Boxes(file: FileWindow): Promise<RefusalReason | null> {
  if (file.size === 0) return 'file-empty'
  const head = await file.bytes(0, HEADER_BYTES + 4)
  if (head.length < HEADER_BYTES + 4 || head.toString('latin1', 4, 8) !== 'ftyp') return 'not-mp4'
  if (head.toString('latin1', 8, 12) === 'qt  ') return 'quicktime'
  const boxes = await readTopBoxes(file)
  const moov = boxes?.filter(box => box.type === 'moov') ?? []
  const isWhole = boxes?.some(box => box.type === 'mdat') && moov.length === 1
  return isWhole && (moov[0]?.size ?? 0) <= MOST_MOOV_BYTES ? null : 'file-damaged'
}
