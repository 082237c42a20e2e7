import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { type Box, HEADER_BYTES, MAX_BOXES, readBox } from './mp4-boxes.ts'
import { readEdits, type TrackEdit } from './mp4-edits.ts'
import { probeMp4Tracks } from './probe-mp4-tracks.ts'
import { refuse, type MediaProbeResult, type ProbedVideo, type ProbeRefusalReason } from './probe-result.ts'

/** The sample tables of a day of video stay below this. */
const MAX_MOOV_BYTES = 64 * 1024 * 1024

/** Reads the top-level boxes; null unless they fill the file to its last byte. */
async function readTopBoxes(file: FileWindow): Promise<Box[] | null> {
  const boxes: Box[] = []
  let at = 0
  while (at < file.size) {
    const box = await readBox(file, at)
    if (!box || at + box.size > file.size || boxes.length === MAX_BOXES) return null
    boxes.push(box)
    at += box.size
  }
  return boxes
}

type Edits = ReadonlyMap<number, TrackEdit>

/**
 * Checks the top-level boxes: `ftyp` first and not QuickTime's, no gap, nothing cut off, one `moov`, and media data. Returns the edit lists
 * of the tracks.
 */
async function checkMp4Boxes(file: FileWindow): Promise<ProbeRefusalReason | Edits> {
  if (file.size === 0) return 'file-empty'
  const head = await file.bytes(0, HEADER_BYTES + 4)
  if (head.length < HEADER_BYTES + 4 || head.toString('latin1', 4, 8) !== 'ftyp') return 'not-mp4'
  if (head.toString('latin1', 8, 12) === 'qt  ') return 'quicktime'
  const boxes = await readTopBoxes(file)
  const [moov, ...others] = boxes?.filter(box => box.type === 'moov') ?? []
  const isWhole = boxes?.some(box => box.type === 'mdat') && others.length === 0
  if (!isWhole || !moov || moov.size > MAX_MOOV_BYTES) return 'file-damaged'
  return readEdits(file, moov).catch(() => 'file-damaged')
}

async function checkBoxes(path: string): Promise<ProbeRefusalReason | Edits> {
  const handle = await open(path)
  try {
    return await checkMp4Boxes(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

/**
 * For a worker: probes a file on disk as an MP4 of H.264 with AAC or no sound. HEVC and MPEG-4 part 2 are refused
 * because Chromium plays them as sound with a black picture and reports no error.
 */
export async function probeMp4(path: string): Promise<MediaProbeResult<ProbedVideo>> {
  const edits = await checkBoxes(path)
  return typeof edits === 'string' ? refuse(edits) : probeMp4Tracks(path, edits)
}
