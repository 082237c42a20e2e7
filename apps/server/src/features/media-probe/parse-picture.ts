import { parseBuffer, type IPicture } from 'music-metadata'
import { probePicture } from './probe-image.ts'
import type { ProbedImage } from './probe-result.ts'
import { readTagBytes } from './tag-bytes.ts'

/** A picture in the tags of a file. */
export interface TagPicture {
  bytes: Uint8Array
  facts: ProbedImage
}

const mimeTypes = { mp3: 'audio/mpeg', mp4: 'video/mp4' }

const isFront = ({ type }: IPicture) => type === 'Cover (front)'

/**
 * For a worker: the picture in a file's tags (ID3 APIC and PIC, MP4 covr) that a preview may be, the front cover before
 * others; null if there is none. Its type comes from its bytes. Wrong bytes may take any time and memory.
 */
export async function parsePicture(path: string, format: 'mp3' | 'mp4'): Promise<TagPicture | null> {
  const tag = await readTagBytes(path, format)
  if (!tag) return null
  const options = { skipPostHeaders: true, duration: false }
  const { common } = await parseBuffer(tag, { mimeType: mimeTypes[format] }, options)
  const pictures = common.picture ?? []
  for (const { data } of [...pictures.filter(isFront), ...pictures.filter(picture => !isFront(picture))]) {
    const facts = probePicture(Buffer.from(data))
    // Its own bytes: the worker would send the whole tag.
    if (facts.accepted) return { bytes: new Uint8Array(data), facts }
  }
  return null
}
