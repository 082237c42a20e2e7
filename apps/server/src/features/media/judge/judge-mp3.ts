import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { isOtherLayer, isSameStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts'
import { parseMpegInfo, type MpegInfo } from './mpeg-info.ts'
import { findSound } from './mpeg-tags.ts'
import { bitRateOf, refuse, type AcceptedSound, type Refused } from './verdict.ts'

const JUNK_SHARE = 0.01
const LEAST_FRAMES = 3

type Walk = { first: MpegFrame; info: MpegInfo | null; frames: number; junkBytes: number }
/** A file, and where its sound lies between the tags. */
type Sound = { file: FileWindow; start: number; end: number }

const mostJunkBytes = (sound: Sound) => (sound.end - sound.start) * JUNK_SHARE

const wholeFrame = (header: Uint8Array, offset: number, end: number): MpegFrame | null => {
  const frame = offset + 4 <= end ? parseMpegFrame(header) : null
  return frame && offset + frame.length <= end ? frame : null
}

async function frameAt({ file, end }: Sound, offset: number): Promise<MpegFrame | null> {
  return wholeFrame(await file.bytes(offset, 4), offset, end)
}

/** True where a frame of the stream lies with another right behind it, or the end. */
async function isFrameOf(first: MpegFrame, sound: Sound, at: number): Promise<boolean> {
  const frame = await frameAt(sound, at)
  if (!frame || !isSameStream(frame, first)) return false
  const behind = at + frame.length
  const next = await frameAt(sound, behind)
  return behind === sound.end || (next !== null && isSameStream(next, first))
}

/** The next place with a frame of the stream, `limit` bytes after `from` at most. */
async function findNextFrame(
  first: MpegFrame,
  sound: Sound,
  { from, limit }: { from: number; limit: number },
) {
  const { file, end } = sound
  let at = from
  while (at < end && at - from <= limit) {
    if (file.rest(at).length < 4) await file.load(at)
    const held = file.rest(at)
    const sync = held.indexOf(0xff)
    if (sync === 0 && (await isFrameOf(first, sound, at))) return at
    at += sync > 0 ? sync : sync === 0 ? 1 : Math.max(1, held.length)
  }
  return Math.min(end, at)
}

/** Walks every frame; counts those with sound and the bytes that are none. Stops once there is too much junk. */
async function walkFrames(first: MpegFrame, sound: Sound, offset: number): Promise<Walk> {
  const info = parseMpegInfo(await sound.file.bytes(offset, first.length), first)
  const walk: Walk = { first, info, frames: info ? 0 : 1, junkBytes: offset - sound.start }
  const mostJunk = mostJunkBytes(sound)
  let at = offset + first.length
  while (at < sound.end && walk.junkBytes <= mostJunk) {
    // Awaiting each of a million frames would take longer than reading them.
    const frame = wholeFrame(sound.file.peek(at, 4) ?? (await sound.file.bytes(at, 4)), at, sound.end)
    if (frame && isSameStream(frame, first)) {
      walk.frames++
      at += frame.length
    } else {
      const next = await findNextFrame(first, sound, { from: at + 1, limit: mostJunk - walk.junkBytes })
      walk.junkBytes += next - at
      at = next
    }
  }
  return walk
}

function judgeWalk(walk: Walk, sound: Sound): AcceptedSound | Refused {
  const { first, info, frames } = walk
  const isTooJunky = walk.junkBytes > mostJunkBytes(sound)
  if (frames < LEAST_FRAMES) return refuse(isTooJunky ? 'not-mp3' : 'sound-too-short')
  if (isTooJunky) return refuse('file-damaged')
  if (info?.frames != null && frames + (info.isExact ? 0 : 1) < info.frames) return refuse('file-truncated')
  const samples = frames * first.samples
  const trimmed = samples - (info?.gapless ? info.gapless.delaySamples + info.gapless.paddingSamples : 0)
  const isTrimSound = trimmed > 0
  const durationSeconds = (isTrimSound ? trimmed : samples) / first.sampleRate
  return {
    accepted: true,
    contentType: 'audio/mpeg',
    durationSeconds,
    bitRate: bitRateOf(sound.end - sound.start, durationSeconds),
    sampleRate: first.sampleRate,
    channels: first.channels,
    gapless: isTrimSound ? (info?.gapless ?? null) : null,
  }
}

async function skipZeros(sound: Sound): Promise<number> {
  let at = sound.start
  const most = Math.min(sound.end, sound.start + mostJunkBytes(sound))
  while (at < most && (sound.file.peek(at, 1) ?? (await sound.file.bytes(at, 1)))[0] === 0) at++
  return at
}

async function judgeSound(file: FileWindow): Promise<AcceptedSound | Refused> {
  if (file.size === 0) return refuse('file-empty')
  const span = await findSound(file)
  if (!span) return refuse('file-damaged')
  const sound: Sound = { file, ...span }
  // Some taggers leave zeros between the tag and the sound; anything else there is no MP3.
  const offset = await skipZeros(sound)
  const first = await frameAt(sound, offset)
  if (first) return judgeWalk(await walkFrames(first, sound, offset), sound)
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
