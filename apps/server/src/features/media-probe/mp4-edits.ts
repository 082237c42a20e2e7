import { FileWindow } from './file-window.ts'
import { type Box, MAX_BOXES, readBox } from './mp4-boxes.ts'

/** What a track's edit list plays of its medium. Times are seconds. */
export interface TrackEdit {
  /** Empty time before it. */
  delay: number
  /** Null: to the medium's end. */
  duration: number | null
  /** Whether it is not one part of the medium at its own speed. */
  isComposed: boolean
}

/** An edit list of a real film has a few entries. */
const MAX_ENTRIES = 1000
const SPEED = 0x1_0000

async function* boxesIn(file: FileWindow, { start, size, headerSize }: Box): AsyncGenerator<Box> {
  const end = start + size
  let at = start + headerSize
  for (let count = 0; at < end && count < MAX_BOXES; count += 1) {
    const box = await readBox(file, at)
    if (!box || at + box.size > end) return
    yield box
    at += box.size
  }
}

async function bytesOf(file: FileWindow, { start, size, headerSize }: Box): Promise<Buffer> {
  return Buffer.from(await file.bytes(start + headerSize, size - headerSize))
}

/** Ticks a second of the movie's clock, in which edit lists count. */
function readTimescale(header: Buffer): number {
  return header.readUInt32BE(header[0] === 1 ? 20 : 12)
}
const readTrackId = (header: Buffer): number => header.readUInt32BE(header[0] === 1 ? 20 : 12)

function readEdit(list: Buffer, timescale: number): TrackEdit {
  const isLong = list[0] === 1
  const entryBytes = isLong ? 20 : 12
  const count = Math.min(MAX_ENTRIES, list.readUInt32BE(4))
  let delay = 0
  const parts: { duration: number; speed: number }[] = []
  for (let index = 0; index < count; index += 1) {
    const at = 8 + index * entryBytes
    const duration = (isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at)) / timescale
    const from = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4)
    const speed = list.readInt32BE(at + entryBytes - 4)
    if (from !== -1) parts.push({ duration, speed })
    else if (parts.length === 0) delay += duration
  }
  const [part] = parts
  return {
    delay,
    // A fragmented film does not know its length yet.
    duration: part && part.duration > 0 ? part.duration : null,
    isComposed: parts.length > 1 || (part !== undefined && part.speed !== SPEED),
  }
}

/**
 * The edit lists of a film's tracks by the tracks' ids; tracks without one are left out.
 * @throws RangeError on a box that is too short
 */
export async function readEdits(file: FileWindow, moov: Box): Promise<Map<number, TrackEdit>> {
  const edits = new Map<number, TrackEdit>()
  let timescale = 1000
  for await (const box of boxesIn(file, moov)) {
    if (box.type === 'mvhd') timescale = readTimescale(await bytesOf(file, box))
    if (box.type !== 'trak') continue
    let id = 0
    for await (const part of boxesIn(file, box)) {
      if (part.type === 'tkhd') id = readTrackId(await bytesOf(file, part))
      if (part.type !== 'edts') continue
      for await (const list of boxesIn(file, part))
        if (list.type === 'elst') edits.set(id, readEdit(await bytesOf(file, list), timescale))
    }
  }
  return edits
}
