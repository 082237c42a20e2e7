import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { isOtherLayer, isSameStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts'
import { parseMpegInfo, type MpegInfo } from './mpeg-info.ts'
import { findSound } from './mpeg-tags.ts'
import { refuse, type AcceptedSound, type Refused } from './verdict.ts'

const JUNK_SHARE = 0.01
const LEAST_FRAMES = 3

type Walk = { first: MpegFrame; info: MpegInfo | null; frames: number; junkBytes: number }
type Span = { start: number; end: number }

async function frameAt(file: FileWindow, offset: number, span: Span): Promise<MpegFrame | null> {
  if (offset + 4 > span.end) return null
  const frame = parseMpegFrame(file.peek(offset, 4) ?? (await file.bytes(offset, 4)))
  return frame && offset + frame.length <= span.end ? frame : null
}

/** The next place that holds a frame of the stream with another right behind it (or the end), at most `limit` on. */
async function findNextFrame(file: FileWindow, offset: number, span: Span, walk: Walk, limit: number) {
  for (let at = offset; at < span.end && at - offset <= limit; at++) {
    if (file.rest(at).length < 4) await file.load(at)
    const sync = file.rest(at).indexOf(0xff)
    if (sync !== 0) {
      at += (sync < 0 ? Math.max(1, file.rest(at).length) : sync) - 1
      continue
    }
    const frame = await frameAt(file, at, span)
    if (!frame || !isSameStream(frame, walk.first)) continue
    const behind = at + frame.length
    const next = await frameAt(file, behind, span)
    if (behind === span.end || (next && isSameStream(next, walk.first))) return at
  }
  return Math.min(span.end, offset + limit + 1)
}

/** Walks every frame; counts those with sound and the bytes that are none. Stops once there is too much junk. */
async function walkFrames(file: FileWindow, span: Span, first: MpegFrame, offset: number): Promise<Walk> {
  const info = parseMpegInfo(await file.bytes(offset, first.length), first)
  const walk: Walk = { first, info, frames: info ? 0 : 1, junkBytes: offset - span.start }
  const mostJunk = (span.end - span.start) * JUNK_SHARE
  let at = offset + first.length
  while (at < span.end && walk.junkBytes <= mostJunk) {
    const frame = await frameAt(file, at, span)
    if (frame && isSameStream(frame, first)) {
      walk.frames++
      at += frame.length
    } else {
      const next = await findNextFrame(file, at + 1, span, walk, mostJunk - walk.junkBytes)
      walk.junkBytes += next - at
      at = next
    }
  }
  return walk
}

function judgeWalk(walk: Walk, span: Span): AcceptedSound | Refused {
  const { first, info, frames } = walk
  const isTooJunky = walk.junkBytes > (span.end - span.start) * JUNK_SHARE
  if (frames < LEAST_FRAMES) return refuse(isTooJunky ? 'not-mp3' : 'too-short')
  if (isTooJunky) return refuse('junk')
  if (info?.frames != null && frames + (info.isExact ? 0 : 1) < info.frames) return refuse('truncated')
  const samples = frames * first.samples
  const trimmed = samples - (info?.gapless ? info.gapless.delaySamples + info.gapless.paddingSamples : 0)
  const isTrimSound = trimmed > 0
  return {
    accepted: true,
    contentType: 'audio/mpeg',
    durationSeconds: (isTrimSound ? trimmed : samples) / first.sampleRate,
    sampleRate: first.sampleRate,
    channels: first.channels,
    gapless: isTrimSound ? (info?.gapless ?? null) : null,
  }
}

async function skipZeros(file: FileWindow, span: Span): Promise<number> {
  let at = span.start
  const most = span.start + (span.end - span.start) * JUNK_SHARE
  while (at < span.end && at <= most && (await file.bytes(at, 1))[0] === 0) at++
  return at
}

async function judgeSound(file: FileWindow): Promise<AcceptedSound | Refused> {
  if (file.size === 0) return refuse('empty')
  const span = await findSound(file)
  if (!span) return refuse('broken-tag')
  // Some taggers leave zeros between the tag and the sound; anything else there is no MP3.
  const offset = await skipZeros(file, span)
  const first = await frameAt(file, offset, span)
  if (first) return judgeWalk(await walkFrames(file, span, first, offset), span)
  return refuse(isOtherLayer(await file.bytes(offset, 4)) ? 'not-layer-3' : 'not-mp3')
}

/** Judges a file on disk as MPEG 1, 2 or 2.5 layer III by walking its frames; the length is exact. Reads 256 KiB at a time. */
export async function judgeMp3(path: string): Promise<AcceptedSound | Refused> {
  const handle = await open(path)
  try {
    return await judgeSound(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}
