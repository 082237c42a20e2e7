import type { MpegFrame } from './mpeg-frame.ts'
import type { GaplessTrim } from './verdict.ts'

/** A file's own count of its frames (Xing, Info or VBRI), and the trim that LAME and ffmpeg write beside it. */
export type MpegInfo = {
  frames: number | null
  /** False where encoders are known to count the header's own frame too. */
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
  // Every encoder has a delay: none means that the one who wrote the header did not know it.
  const gapless = trim >> 12 === 0 ? null : { delaySamples: trim >> 12, paddingSamples: trim & 0xfff }
  return { frames, isExact: true, gapless }
}

/** Reads the header that a first frame may carry in place of sound; null if the frame is sound. */
export function parseMpegInfo(frame: Buffer, header: MpegFrame): MpegInfo | null {
  // A frame with a checksum has it between header and side information; some encoders leave room for it, some do not.
  for (const at of [header.infoOffset, header.infoOffset + 2]) {
    const tag = frame.toString('latin1', at, at + 4)
    if ((tag === 'Xing' || tag === 'Info') && at + 12 <= frame.length) return parseXing(frame, at)
  }
  const isVbri =
    frame.toString('latin1', VBRI_OFFSET, VBRI_OFFSET + 4) === 'VBRI' && frame.length >= VBRI_OFFSET + 18
  return isVbri ? { frames: frame.readUInt32BE(VBRI_OFFSET + 14), isExact: false, gapless: null } : null
}
