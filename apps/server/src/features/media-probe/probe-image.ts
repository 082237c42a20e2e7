import { readFile, stat } from 'node:fs/promises'
import { refuse, type MediaProbeResult, type ProbedImage } from './probe-result.ts'

export const MAX_PREVIEW_BYTES = 5 * 1024 * 1024

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_TAIL = Buffer.from('0000000049454e44ae426082', 'hex')
const JPEG_HEAD = Buffer.from('ffd8ff', 'hex')
const JPEG_TAIL = Buffer.from('ffd9', 'hex')

const startsWith = (bytes: Buffer, head: Buffer) => bytes.subarray(0, head.length).equals(head)
const endsWith = (bytes: Buffer, tail: Buffer) => bytes.subarray(-tail.length).equals(tail)

function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
  const isWhole = bytes.readUInt32LE(4) + 8 === bytes.length
  return isWhole && /^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))
}

/** Probes a preview image on disk: a PNG, JPEG or WebP of at most 5 MB, with both its head and its end. */
export async function probeImage(path: string): Promise<MediaProbeResult<ProbedImage>> {
  const { size } = await stat(path)
  if (size === 0) return refuse('file-empty')
  if (size > MAX_PREVIEW_BYTES) return refuse('not-an-image')
  const bytes = await readFile(path)
  if (startsWith(bytes, PNG_HEAD) && endsWith(bytes, PNG_TAIL))
    return { accepted: true, contentType: 'image/png' }
  if (startsWith(bytes, JPEG_HEAD) && endsWith(bytes, JPEG_TAIL))
    return { accepted: true, contentType: 'image/jpeg' }
  return isWebp(bytes) ? { accepted: true, contentType: 'image/webp' } : refuse('not-an-image')
}
