import { ProblemError } from '../../platform/lib/errors.ts'

/**
 * The content of an M3U file: its name, if any, and the file names of its entries in order. Those of paths are as they stand:
 * only the library tells whether `%20` is a space or a part of the name.
 */
export interface M3u {
  name: string | null
  fileNames: string[]
}

const MAX_ENTRIES = 10_000

/** The text in the encoding that a list names, where it is one that is known. */
function decodeAsNamed(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1000))
  const label = /^#EXTENC:\s*(\S+)/im.exec(head)?.[1]
  try {
    return label === undefined ? null : new TextDecoder(label).decode(bytes)
  } catch {
    return null
  }
}

/** Decodes UTF-16 by its mark, what `#EXTENC` names, UTF-8, or the encoding of older players; null for bytes that are no text. */
function decode(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.includes(0)) return null
  const named = decodeAsNamed(bytes)
  if (named !== null) return named
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const isUrl = (entry: string) => /^[a-z][a-z0-9+.-]+:\/\//i.test(entry)

/** Decodes what is percent-encoded and keeps what does not decode to text: `50% off%20now` is `50% off now`. */
export const decodePercent = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, encoded => {
    try {
      const decoded = decodeURIComponent(encoded).normalize('NFC')
      return decoded.includes('\0') ? encoded : decoded
    } catch {
      return encoded
    }
  })

/** The file name of a path (of Windows or others) or of an address without its query. */
function fileNameOf(entry: string): string {
  const path = isUrl(entry) ? decodePercent(entry.replace(/[?#].*$/, '')) : entry
  return (path.split(/[\\/]/).at(-1) ?? '').normalize('NFC').trim()
}

/** Parses a list; null if the file is no list by its name or bytes. @throws ProblemError 413 for more than 10,000 entries */
export function readM3u(fileName: string, bytes: Uint8Array): M3u | null {
  if (!/\.m3u8?$/i.test(fileName)) return null
  const text = decode(bytes)
  if (text === null) return null
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map(line => line.trim())
  const name = lines.flatMap(line => /^#PLAYLIST:(.+)$/i.exec(line)?.[1]?.trim() ?? [])[0] ?? null
  const entries = lines.filter(line => line !== '' && !line.startsWith('#'))
  const fileNames = entries.map(fileNameOf).filter(entry => entry !== '')
  if (fileNames.length > MAX_ENTRIES)
    throw new ProblemError(413, 'too-large', {
      detail: `An M3U file has at most ${MAX_ENTRIES} entries; this one has ${fileNames.length}.`,
    })
  return { name, fileNames }
}

/** A line that begins with # would be a comment, so such a file name gets a `./`. */
const pathOf = (fileName: string) => (fileName.startsWith('#') ? `./${fileName}` : fileName)

const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ')

/** A simple playlist's entries as M3U8 text. */
export function writeM3u(
  name: string,
  items: readonly { name: string; originalName: string; durationSeconds: number }[],
): string {
  const entries = items.map(
    item =>
      `#EXTINF:${Math.round(item.durationSeconds)},${oneLine(item.name)}\n${pathOf(item.originalName)}\n`,
  )
  return `#EXTM3U\n#PLAYLIST:${oneLine(name)}\n${entries.join('')}`
}
