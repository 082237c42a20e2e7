/** What the four bytes of a layer III frame header say. Lengths in bytes, rates in Hz. */
export type MpegFrame = {
  version: 1 | 2 | 2.5
  sampleRate: number
  channels: 1 | 2
  length: number
  samples: 576 | 1152
  /** Where a Xing or Info header lies in this frame, after header and side information. */
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

/** Reads a layer III header; null for anything else, free format included (no player in shops takes it). */
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

/** True if both belong to one stream: a stray sync pattern inside other data hardly ever does. */
export function isSameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.version === b.version && a.sampleRate === b.sampleRate && a.channels === b.channels
}
