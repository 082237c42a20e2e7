import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import {
  averageBitRate,
  refuse,
  type GaplessTrim,
  type MediaProbeResult,
  type ProbedAudio,
} from './probe-result.ts'

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

/** The fields of a layer III frame header, its first four bytes. Lengths in bytes, rates in Hz. */
type MpegFrame = {
  version: 1 | 2 | 2.5
  sampleRate: number
  channels: 1 | 2
  length: number
  samples: 576 | 1152
  /** Offset of a Xing or Info header in this frame, after the header and the side information. */
  infoOffset: number
}

const KBPS_MPEG1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44100, 48000, 32000]
const LAYER_3 = 1

/** True if the bytes begin an MPEG audio frame of layer I or II. */
function isOtherLayer(header: Uint8Array): boolean {
  const [b0 = 0, b1 = 0] = header
  const layer = (b1 >> 1) & 3
  return b0 === 0xff && b1 >> 5 === 7 && (layer === 2 || layer === 3) && ((b1 >> 3) & 3) !== 1
}

/** Parses a layer III header; null for anything else. Free format is refused too: no player in shops plays it. */
function parseMpegFrame(header: Uint8Array): MpegFrame | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = header
  const versionBits = (b1 >> 3) & 3
  if (b0 !== 0xff || b1 >> 5 !== 7 || versionBits === 1 || ((b1 >> 1) & 3) !== LAYER_3) return null
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5
  const kbps = (version === 1 ? KBPS_MPEG1 : KBPS_MPEG2)[(b2 >> 4) - 1]
  const baseRate = SAMPLE_RATES[(b2 >> 2) & 3]
  if (kbps === undefined || baseRate === undefined) return null
  const sampleRate = version === 1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const samples = version === 1 ? 1152 : 576
  const channels = b3 >> 6 === 3 ? 1 : 2
  const sideBytes = version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17
  const length = Math.floor(((samples / 8) * kbps * 1000) / sampleRate) + ((b2 >> 1) & 1)
  return { version, sampleRate, channels, length, samples, infoOffset: 4 + sideBytes }
}

/** True if both frames belong to one stream. A sync pattern inside other data almost never passes this test. */
function isSameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.version === b.version && a.sampleRate === b.sampleRate && a.channels === b.channels
}

/** The frame count that a file states (Xing, Info or VBRI), and the trim that LAME and ffmpeg write beside it. */
type MpegInfo = {
  frames: number | null
  /** False where some encoders also count the frame of the header itself. */
  isExact: boolean
  gapless: GaplessTrim | null
}

const FLAG_FRAMES = 1
const FLAG_BYTES = 2
const FLAG_TOC = 4
const FLAG_QUALITY = 8
const VBRI_OFFSET = 36

function parseXing(frame: Buffer, at: number): MpegInfo {
  const flags = frame.readUInt32BE(at + 4)
  const frames = flags & FLAG_FRAMES ? frame.readUInt32BE(at + 8) : null
  const skip = (flag: number, bytes: number) => (flags & flag ? bytes : 0)
  const encoder =
    at + 8 + skip(FLAG_FRAMES, 4) + skip(FLAG_BYTES, 4) + skip(FLAG_TOC, 100) + skip(FLAG_QUALITY, 4)
  if (
    encoder + 24 > frame.length ||
    !/^(LAME|Lavf|Lavc)/.test(frame.toString('latin1', encoder, encoder + 4))
  )
    return { frames, isExact: false, gapless: null }
  const trim = frame.readUIntBE(encoder + 21, 3)
  // Every encoder has a delay: zero means that the program which wrote the header did not know it.
  const gapless = trim >> 12 === 0 ? null : { delaySamples: trim >> 12, paddingSamples: trim & 0xfff }
  return { frames, isExact: true, gapless }
}

/** Parses the header that a first frame may carry instead of sound; null if the frame is sound. */
function parseMpegInfo(frame: Buffer, header: MpegFrame): MpegInfo | null {
  // A checksum lies between the header and the side information; some encoders leave room for it, some do not.
  for (const at of [header.infoOffset, header.infoOffset + 2]) {
    const tag = frame.toString('latin1', at, at + 4)
    if ((tag === 'Xing' || tag === 'Info') && at + 12 <= frame.length) return parseXing(frame, at)
  }
  const isVbri =
    frame.toString('latin1', VBRI_OFFSET, VBRI_OFFSET + 4) === 'VBRI' && frame.length >= VBRI_OFFSET + 18
  return isVbri ? { frames: frame.readUInt32BE(VBRI_OFFSET + 14), isExact: false, gapless: null } : null
}

const MAX_JUNK_SHARE = 0.01
const MIN_FRAMES = 3

type FrameWalk = { first: MpegFrame; info: MpegInfo | null; frames: number; junkBytes: number }
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

/** Walks every frame; counts those with sound, and the bytes that belong to no frame. Stops when there is too much junk. */
async function walkFrames(first: MpegFrame, sound: Sound, offset: number): Promise<FrameWalk> {
  const info = parseMpegInfo(await sound.file.bytes(offset, first.length), first)
  const walk: FrameWalk = { first, info, frames: info ? 0 : 1, junkBytes: offset - sound.start }
  const maxJunk = maxJunkBytes(sound)
  let at = offset + first.length
  while (at < sound.end && walk.junkBytes <= maxJunk) {
    // Awaiting for each of a million frames would take longer than reading them.
    const frame = wholeFrame(sound.file.peek(at, 4) ?? (await sound.file.bytes(at, 4)), at, sound.end)
    if (frame && isSameStream(frame, first)) {
      walk.frames++
      at += frame.length
    } else {
      const next = await findNextFrame(first, sound, { from: at + 1, limit: maxJunk - walk.junkBytes })
      walk.junkBytes += next - at
      at = next
    }
  }
  return walk
}

function toResult(walk: FrameWalk, sound: Sound): MediaProbeResult<ProbedAudio> {
  const { first, info, frames } = walk
  const isTooJunky = walk.junkBytes > maxJunkBytes(sound)
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

async function skipZeros(sound: Sound): Promise<number> {
  let at = sound.start
  const end = Math.min(sound.end, sound.start + maxJunkBytes(sound))
  while (at < end && (sound.file.peek(at, 1) ?? (await sound.file.bytes(at, 1)))[0] === 0) at++
  return at
}

async function probeWindow(file: FileWindow): Promise<MediaProbeResult<ProbedAudio>> {
  if (file.size === 0) return refuse('file-empty')
  const span = await locateSound(file)
  if (!span) return refuse('file-damaged')
  const sound: Sound = { file, ...span }
  // Some taggers leave zeros between the tag and the sound; any other bytes there mean that the file is no MP3.
  const offset = await skipZeros(sound)
  const first = await frameAt(sound, offset)
  if (first) return toResult(await walkFrames(first, sound, offset), sound)
  return refuse(isOtherLayer(await file.bytes(offset, 4)) ? 'not-layer-3' : 'not-mp3')
}

/**
 * For a worker thread: probes a file on disk as MPEG 1, 2 or 2.5 layer III by walking its frames; the length is exact. Reads
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
