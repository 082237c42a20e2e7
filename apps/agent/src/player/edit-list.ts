import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Less is the delay of an encoder, which mpv takes care of. */
const MIN_TRIM_SECONDS = 0.2
const MAX_BOXES = 10_000
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'edts'])

interface Box {
  type: string
  /** The beginning of its content; its end follows. */
  from: number
  until: number
}

/** The part of a track that the edit list plays, in the clocks of the film and of the track. */
interface Track {
  trackScale: number
  trackDuration: number
  edit: { duration: number; from: number } | null
}

function* boxesIn(file: number, { from, until }: Pick<Box, 'from' | 'until'>): Generator<Box> {
  const header = Buffer.alloc(16)
  for (let at = from, count = 0; at + 8 <= until && count < MAX_BOXES; count += 1) {
    readSync(file, header, 0, 16, at)
    const short = header.readUInt32BE(0)
    const isLong = short === 1
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? until - at : short
    if (size < 8) return
    yield { type: header.toString('latin1', 4, 8), from: at + (isLong ? 16 : 8), until: at + size }
    at += size
  }
}

function contentOf(file: number, { from, until }: Box): Buffer {
  const content = Buffer.alloc(Math.min(64, until - from))
  readSync(file, content, 0, content.length, from)
  return content
}

/** The clock and the duration of a film or a track. */
function readClock(content: Buffer): { scale: number; duration: number } {
  return content[0] === 1
    ? { scale: content.readUInt32BE(20), duration: Number(content.readBigUInt64BE(24)) }
    : { scale: content.readUInt32BE(12), duration: content.readUInt32BE(16) }
}

function readEdit(content: Buffer): Track['edit'] {
  if (content.readUInt32BE(4) !== 1) return null
  return content[0] === 1
    ? { duration: Number(content.readBigUInt64BE(8)), from: Number(content.readBigInt64BE(16)) }
    : { duration: content.readUInt32BE(8), from: content.readInt32BE(12) }
}

function leavesOut({ trackScale, trackDuration, edit }: Track, filmScale: number): boolean {
  if (!edit || edit.from < 0 || trackScale === 0 || filmScale === 0) return false
  const left = trackDuration / trackScale - edit.from / trackScale - edit.duration / filmScale
  const isCutOff = edit.duration > 0 && left > MIN_TRIM_SECONDS
  return edit.from / trackScale > MIN_TRIM_SECONDS || isCutOff
}

function readTrims(file: number): boolean {
  let filmScale = 0
  const tracks: Track[] = []
  const walk = (within: Pick<Box, 'from' | 'until'>): void => {
    for (const box of boxesIn(file, within)) {
      if (box.type === 'mvhd') filmScale = readClock(contentOf(file, box)).scale
      if (box.type === 'trak') tracks.push({ trackScale: 0, trackDuration: 0, edit: null })
      const track = tracks.at(-1)
      if (track && box.type === 'elst') track.edit = readEdit(contentOf(file, box))
      if (track && box.type === 'mdhd') {
        const { scale, duration } = readClock(contentOf(file, box))
        track.trackScale = scale
        track.trackDuration = duration
      }
      if (CONTAINERS.has(box.type)) walk(box)
    }
  }
  walk({ from: 0, until: fstatSync(file).size })
  return tracks.some(track => leavesOut(track, filmScale))
}

/** Whether the edit list of a film leaves out a part of its beginning or its end. A file that cannot be read has none. */
export function isTrimmed(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      return readTrims(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
