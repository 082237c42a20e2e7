import type { FileWindow } from './file-window.ts'

export const HEADER_BYTES = 8
const LONG_HEADER_BYTES = 16
export const MAX_BOXES = 200_000

/** A box of an MP4: where it begins and how many bytes it has, its header included. */
export type Box = { type: string; start: number; size: number; headerSize: number }

/** Reads the header of the box at `start`; null if there is none. A box may claim any size. */
export async function readBox(file: FileWindow, start: number): Promise<Box | null> {
  const header = await file.bytes(start, LONG_HEADER_BYTES)
  if (header.length < HEADER_BYTES) return null
  const box = { type: header.toString('latin1', 4, 8), start, headerSize: HEADER_BYTES }
  const short = header.readUInt32BE(0)
  if (short === 0) return { ...box, size: file.size - start }
  if (short !== 1) return short < HEADER_BYTES ? null : { ...box, size: short }
  if (header.length < LONG_HEADER_BYTES) return null
  const size = Number(header.readBigUInt64BE(8))
  return size < LONG_HEADER_BYTES ? null : { ...box, size, headerSize: LONG_HEADER_BYTES }
}
