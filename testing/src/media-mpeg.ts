/** Pieces of MPEG audio files for the fixtures: tags, frames, and the Info tag that players trim by. */

/** One layer III frame of a fixture: where it lies and how many bytes it has. */
export type FixtureFrame = { offset: number; length: number }

const KBPS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44100, 48000, 32000]

/** Joins byte arrays into one. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

function frameLength(header: Uint8Array): number {
  const [, b1 = 0, b2 = 0] = header
  const version = (b1 >> 3) & 3 // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const rate = (RATES[(b2 >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const kbps = (version === 3 ? KBPS_MPEG1 : KBPS_MPEG2)[b2 >> 4] ?? 0
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbps) / rate) + ((b2 >> 1) & 1)
}

/** The frames of a fixture that consists of frames alone, after any ID3v2 tag (its Info frame included). */
export function framesOf(bytes: Uint8Array): FixtureFrame[] {
  const frames: FixtureFrame[] = []
  const tagged = String.fromCharCode(...bytes.subarray(0, 3)) === 'ID3'
  let offset = tagged ? 10 + bytes.subarray(6, 10).reduce((size, byte) => (size << 7) | byte, 0) : 0
  while (offset + 4 <= bytes.length && bytes[offset] === 0xff) {
    const length = frameLength(bytes.subarray(offset, offset + 4))
    frames.push({ offset, length })
    offset += length
  }
  return frames
}

/** The same sound without its first frame (Xing or Info), hence without delay and padding. */
export function withoutInfoFrame(bytes: Uint8Array): Uint8Array {
  const second = framesOf(bytes)[1]
  if (!second) throw new Error('A fixture needs more than one frame')
  return bytes.subarray(second.offset)
}

/** An ID3v2.3 tag of `size` bytes of padding that claims to have `claimed`. */
export function id3v2Tag(size: number, claimed = size): Uint8Array {
  const tag = Buffer.alloc(10 + size)
  tag.write('ID3\x03', 'latin1')
  for (let i = 0; i < 4; i++) tag[6 + i] = (claimed >> (21 - 7 * i)) & 0x7f
  return tag
}

/** An ID3v1 tag with a title. */
export function id3v1Tag(): Uint8Array {
  const tag = Buffer.alloc(128)
  tag.write('TAGA fixture', 'latin1')
  return tag
}

/** A first frame with Fraunhofer's VBRI header that counts the frames of `bare` (MPEG 1). */
export function vbriFrame(bare: Uint8Array): Uint8Array {
  const frames = framesOf(bare)
  const frame = Buffer.alloc(frames[0]?.length ?? 0)
  frame.set(bare.subarray(0, 4))
  frame.write('VBRI', 36, 'latin1')
  frame.writeUInt16BE(1, 40)
  frame.writeUInt32BE(bare.length + frame.length, 46)
  frame.writeUInt32BE(frames.length, 50)
  return frame
}
