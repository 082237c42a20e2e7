import type { GaplessTrim } from './probe-result.ts'

/* The headers of MPEG audio frames, and the Xing, Info or VBRI header that the first frame may have instead of sound. */

/** The fields of a layer III frame header, its first four bytes. Lengths in bytes, rates in Hz. */
export type MpegFrame = {
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
export function isOtherLayer(header: Uint8Array): boolean {
  const [b0 = 0, b1 = 0] = header
  const layer = (b1 >> 1) & 3
  return b0 === 0xff && b1 >> 5 === 7 && (layer === 2 || layer === 3) && ((b1 >> 3) & 3) !== 1
}

/** Parses a layer III header; null for anything else. Free format is refused too: no player in shops plays it. */
export function parseMpegFrame(header: Uint8Array): MpegFrame | null {
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
export function isSameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.version === b.version && a.sampleRate === b.sampleRate && a.channels === b.channels
}

/** The frame count that a file states (Xing, Info or VBRI), and the trim that LAME and ffmpeg write beside it. */
export type MpegInfo = {
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
export function parseMpegInfo(frame: Buffer, header: MpegFrame): MpegInfo | null {
  // A checksum lies between the header and the side information; some encoders leave room for it, some do not.
  for (const at of [header.infoOffset, header.infoOffset + 2]) {
    const tag = frame.toString('latin1', at, at + 4)
    if ((tag === 'Xing' || tag === 'Info') && at + 12 <= frame.length) return parseXing(frame, at)
  }
  const isVbri =
    frame.toString('latin1', VBRI_OFFSET, VBRI_OFFSET + 4) === 'VBRI' && frame.length >= VBRI_OFFSET + 18
  return isVbri ? { frames: frame.readUInt32BE(VBRI_OFFSET + 14), isExact: false, gapless: null } : null
}
