import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import {
  isOtherLayer,
  isSameStream,
  parseMpegFrame,
  parseMpegInfo,
  type MpegFrame,
  type MpegInfo,
} from './mpeg-frame.ts'
import { averageBitRate, refuse, type MediaProbeResult, type ProbedAudio } from './probe-result.ts'

/*
 * MP3 by its bytes: the tags around the sound, the frame headers, the Xing, Info or VBRI header of the first frame, and a walk
 * over every frame.
 */

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

/** The byte range of the sound: after ID3v2 and APE tags, before ID3v1, APE and Lyrics3. Null if a tag is longer than the file. */
async function locateSound(file: FileWindow): Promise<{ start: number; end: number } | null> {
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

const MAX_JUNK_SHARE = 0.01
const MIN_FRAMES = 3
/** Players look so far for the first frame: past zeros, the rest of a cut frame, another format's header. */
const MAX_LEADING_BYTES = 64 * 1024
/** This number of frames in a row proves that they are frames. */
const CHAIN_FRAMES = 4

/** `junkBytes`: those between frames that belong to no tag; the first of them is at `junkAt`. */
type FrameWalk = {
  first: MpegFrame
  info: MpegInfo | null
  frames: number
  junkBytes: number
  junkAt: number | null
}
/** A file and the byte range of its sound, between the tags. */
type Sound = { file: FileWindow; start: number; end: number }

const maxJunkBytes = (sound: Sound) => (sound.end - sound.start) * MAX_JUNK_SHARE

const wholeFrame = (header: Uint8Array, offset: number, end: number): MpegFrame | null => {
  const frame = offset + 4 <= end ? parseMpegFrame(header) : null
  return frame && offset + frame.length <= end ? frame : null
}

async function frameAt({ file, end }: Sound, offset: number): Promise<MpegFrame | null> {
  return wholeFrame(await file.bytes(offset, 4), offset, end)
}

/** True if a frame of the stream starts at `at` and is followed by another one or by the end. */
async function isFrameOf(first: MpegFrame, sound: Sound, at: number): Promise<boolean> {
  const frame = await frameAt(sound, at)
  if (!frame || !isSameStream(frame, first)) return false
  const behind = at + frame.length
  const next = await frameAt(sound, behind)
  return behind === sound.end || (next !== null && isSameStream(next, first))
}

/** The offset of the next frame of the stream, at most `limit` bytes after `from`. */
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

/** The bytes from `at` on that are neither sound nor damage: a tag between joined files or at the end, zeros up to the end. */
async function tagLengthAt({ file, end }: Sound, at: number): Promise<number> {
  const tag = await leadingTagLength(file, at)
  if (tag > 0 && at + tag <= end) return tag
  if ((await file.bytes(at, 3)).toString('latin1') === 'TAG' && at + ID3V1_BYTES <= end) return ID3V1_BYTES
  let zeros = at
  while (zeros < end) {
    if (file.rest(zeros).length === 0) await file.load(zeros)
    const held = file.rest(zeros).subarray(0, end - zeros)
    if (held.some(byte => byte !== 0)) return 0
    zeros += Math.max(1, held.length)
  }
  return end - at
}

/** True if frames of one stream follow each other from `at` on. */
async function isChain(sound: Sound, at: number): Promise<boolean> {
  const first = await frameAt(sound, at)
  let frame = first
  let next = at
  for (let count = 1; first && frame && count < CHAIN_FRAMES; count += 1) {
    next += frame.length
    if (next === sound.end) return true
    frame = await frameAt(sound, next)
    if (frame && !isSameStream(frame, first)) return false
  }
  return frame !== null
}

/** Walks every frame; counts those with sound, and the bytes that belong to no frame. Stops when there is too much junk. */
async function walkFrames(first: MpegFrame, sound: Sound, offset: number): Promise<FrameWalk> {
  const found = parseMpegInfo(await sound.file.bytes(offset, first.length), first)
  // Players take a header behind other bytes for a silent frame, and trim nothing.
  const info = found && offset > sound.start ? { ...found, gapless: null } : found
  const walk: FrameWalk = { first, info, frames: info ? 0 : 1, junkBytes: 0, junkAt: null }
  const maxJunk = maxJunkBytes(sound)
  let at = offset + first.length
  while (at < sound.end && walk.junkBytes <= maxJunk) {
    // Awaiting for each of a million frames would take longer than reading them.
    const frame = wholeFrame(sound.file.peek(at, 4) ?? (await sound.file.bytes(at, 4)), at, sound.end)
    if (frame && isSameStream(frame, first)) {
      walk.frames++
      at += frame.length
    } else {
      const tag = await tagLengthAt(sound, at)
      if (tag > 0) {
        at += tag
        continue
      }
      walk.junkAt ??= at
      const next = await findNextFrame(first, sound, { from: at + 1, limit: maxJunk - walk.junkBytes })
      walk.junkBytes += next - at
      at = next
    }
  }
  return walk
}

/** True if frames of another stream follow: of another number of channels, or another rate. */
async function changesSound({ first, junkAt }: FrameWalk, sound: Sound): Promise<boolean> {
  if (junkAt === null) return false
  const at = await findChain(sound, junkAt, Math.min(sound.end, junkAt + MAX_LEADING_BYTES))
  const other = at === null ? null : await frameAt(sound, at)
  return other !== null && !isSameStream(other, first)
}

async function toResult(walk: FrameWalk, sound: Sound): Promise<MediaProbeResult<ProbedAudio>> {
  const { first, info, frames } = walk
  const isTooJunky = walk.junkBytes > maxJunkBytes(sound)
  if (isTooJunky && (await changesSound(walk, sound))) return refuse('sound-changes')
  if (frames < MIN_FRAMES) return refuse(isTooJunky ? 'not-mp3' : 'sound-too-short')
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
    bitRate: averageBitRate(sound.end - sound.start, durationSeconds),
    sampleRate: first.sampleRate,
    channels: first.channels,
    gapless: isTrimSound ? (info?.gapless ?? null) : null,
  }
}

/** Files of other formats may have MPEG frames in them. */
const OTHER_FORMAT = /^(?:....ftyp|OggS|fLaC|.E\xdf\xa3)/s

/** The first offset in a range from which on frames of one stream follow each other. */
async function findChain(sound: Sound, from: number, to: number): Promise<number | null> {
  // A copy: looking for frames moves the window of the file.
  const bytes = Buffer.from(await sound.file.bytes(from, to - from))
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (await isChain(sound, from + at)) return from + at
  return null
}

/** The offset of the first frame; null if other bytes are most of what is before the next frames. */
async function findFirstFrame(sound: Sound): Promise<number | null> {
  const { file, start, end } = sound
  if (await frameAt(sound, start)) return start
  if (OTHER_FORMAT.test((await file.bytes(start, 12)).toString('latin1'))) return null
  return findChain(sound, start, start + Math.min(MAX_LEADING_BYTES, (end - start) / 2))
}

async function probeWindow(file: FileWindow): Promise<MediaProbeResult<ProbedAudio>> {
  if (file.size === 0) return refuse('file-empty')
  const span = await locateSound(file)
  if (!span) return refuse('file-damaged')
  const sound: Sound = { file, ...span }
  const offset = await findFirstFrame(sound)
  const first = offset === null ? null : await frameAt(sound, offset)
  if (offset !== null && first) return toResult(await walkFrames(first, sound, offset), sound)
  return refuse(isOtherLayer(await file.bytes(sound.start, 4)) ? 'not-layer-3' : 'not-mp3')
}

/**
 * For a worker: probes a file on disk as MPEG 1, 2 or 2.5 layer III by walking its frames; the length is exact. Reads
 * 256 KiB at a time.
 */
export async function probeMp3(path: string): Promise<MediaProbeResult<ProbedAudio>> {
  const handle = await open(path)
  try {
    return await probeWindow(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}
