/** What an M3U file says: its own name, if it has one, and the file names of its entries in order. */
export interface M3u {
  name: string | null
  fileNames: string[]
}

/** Most entries of one list. */
export const MAX_ENTRIES = 10_000

/** UTF-8, or what older players wrote; null for bytes that are no text. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const isUrl = (entry: string) => /^[a-z][a-z0-9+.-]+:\/\//i.test(entry)

function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last step of an absolute or relative path, Windows' or another's, or of an address without its query. */
function fileNameOf(entry: string): string {
  const path = isUrl(entry) ? unescape(entry.replace(/[?#].*$/, '')) : entry
  return (path.split(/[\\/]/).at(-1) ?? '').normalize('NFC').trim()
}

/** Reads a list; null when the file is none by its name or bytes. */
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
  return { name, fileNames: entries.map(fileNameOf).filter(entry => entry !== '') }
}

/** A path that leads back to this very file: a line that begins with # would be a comment. */
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
