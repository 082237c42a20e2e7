/** Tags of media files for tests, good and hostile ones. */
import { id3v2Tag } from './media-mpeg.ts'

/** A frame of an ID3v2 tag with its content; `size` is what it claims to have. */
export interface Id3Frame {
  id: string
  content: Uint8Array
  size?: number
}

/** The content of a text frame: the number of an encoding, then the bytes of the text. */
export function id3Text(text: string, encoding: 'latin1' | 'utf16le' | 'utf8' = 'utf8'): Uint8Array {
  if (encoding === 'utf16le')
    return Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  return Buffer.concat([Buffer.from([encoding === 'latin1' ? 0 : 3]), Buffer.from(text, encoding)])
}

/** An ID3v2 tag of these frames and zeros. An unsynchronized one has a zero after each 0xFF, as ID3v2.3 wants it. */
export function id3FrameTag(
  frames: readonly Id3Frame[],
  {
    major = 3,
    isUnsynchronized = false,
    padding = 0,
  }: { major?: 3 | 4; isUnsynchronized?: boolean; padding?: number } = {},
): Uint8Array {
  const parts = frames.map(({ id, content, size = content.length }) => {
    const header = Buffer.alloc(10)
    header.write(id, 'latin1')
    if (major === 3) header.writeUInt32BE(size, 4)
    else for (let i = 0; i < 4; i++) header[4 + i] = (size >> (21 - 7 * i)) & 0x7f
    return Buffer.concat([header, content])
  })
  const plain = Buffer.concat([...parts, Buffer.alloc(padding)])
  const body = isUnsynchronized
    ? Buffer.from(plain.toString('hex').replaceAll(/((?:..)*?)ff/g, '$1ff00'), 'hex')
    : plain
  const tag = Buffer.from(id3v2Tag(body.length))
  tag[3] = major
  tag[5] = isUnsynchronized ? 0x80 : 0
  body.copy(tag, 10)
  return tag
}

function mp4Box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(content.reduce((sum, part) => sum + part.length, 8))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}

const nothing = Buffer.alloc(4)
const mp4Text = (text: string) => mp4Box('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(text))

/** An MP4 whose `moov` is its last box, with iTunes tags: `©ART`, or `----:ISRC` for a free one. */
export function withMp4Tags(bytes: Uint8Array, tags: Readonly<Record<string, string>>): Uint8Array {
  const file = Buffer.from(bytes)
  const moov = file.indexOf('moov', 0, 'latin1') - 4
  const items = Object.entries(tags).map(([name, text]) => {
    if (!name.startsWith('----:')) return mp4Box(name, mp4Text(text))
    const mean = mp4Box('mean', nothing, Buffer.from('com.apple.iTunes'))
    return mp4Box('----', mean, mp4Box('name', nothing, Buffer.from(name.slice(5))), mp4Text(text))
  })
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9)])
  const meta = mp4Box('meta', nothing, mp4Box('hdlr', handler), mp4Box('ilst', ...items))
  const tagged = Buffer.concat([file, mp4Box('udta', meta)])
  tagged.writeUInt32BE(tagged.length - moov, moov)
  return tagged
}
