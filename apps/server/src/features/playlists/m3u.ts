import { Uid } from '@floorcast/contract/fields.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import { ProblemError } from '../../platform/lib/errors.ts'

/** An entry: its file name as it stands, since only the library tells whether `%20` is a space or a part of the name. */
export interface M3uEntry {
  fileName: string
  /** The item itself; only an export of ours names it. */
  mediaUid?: string
  contentType?: MediaType
}

/** Names of a list in an unnamed code page, as one code page reads them. */
export interface CodePageReading {
  codePage: string
  fileNames: string[]
}

/** The content of an M3U file: its name, if any, and its entries in order. */
export interface M3u {
  name: string | null
  entries: M3uEntry[]
  /** The possible names of a list that is neither Unicode nor names its code page. */
  readings?: CodePageReading[]
}

const MAX_ENTRIES = 10_000

/** Those of Windows, DOS, Macs and Linux, the most usual first. A multi-byte one refuses bytes that it cannot have. */
const CODE_PAGES = [
  'windows-1252 windows-1251 windows-1250 gb18030 shift_jis windows-1253 windows-1254 windows-1255 windows-1256',
  'windows-1257 windows-1258 windows-874 big5 euc-kr euc-jp koi8-r koi8-u ibm866 iso-8859-2 iso-8859-3 iso-8859-4',
  'iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16',
  'macintosh x-mac-cyrillic',
].flatMap(line => line.split(' '))
/** The number of names that decide the code page of a list that does not name it. */
const SAMPLE_NAMES = 50

function decodeFully(codePage: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(codePage, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

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

/** Decodes UTF-16 by its mark, what `#EXTENC` names, or UTF-8; null for any other code page. */
function decode(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeAsNamed(bytes) ?? decodeFully('utf-8', bytes)
}

const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

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

const linesOf = (text: string) => text.split(/\r\n|\n|\r/).map(line => line.trim())
const isEntry = (line: string) => line !== '' && !line.startsWith('#')

/** The names that are not ASCII, as each code page reads them that can. All of them have ASCII's line ends. */
function readNames(bytes: Uint8Array): CodePageReading[] {
  const lines = linesOf(Buffer.from(bytes).toString('latin1')).filter(isEntry)
  const samples = [...new Set(lines.filter(line => /[\u0080-\u00FF]/.test(line)))].slice(0, SAMPLE_NAMES)
  const sampled = samples.map(line => Buffer.from(line, 'latin1'))
  return CODE_PAGES.flatMap(codePage => {
    const names = sampled.map(line => decodeFully(codePage, line))
    return names.every(name => name !== null) ? [{ codePage, fileNames: names.map(fileNameOf) }] : []
  })
}

const MARK = /^#FLOORCAST:\s*(\w+)\s+(\S+)$/i

/** What an export says about the next entry. */
function readMark(line: string): Omit<M3uEntry, 'fileName'> | null {
  const [, type, uid] = MARK.exec(line) ?? []
  const [contentType, mediaUid] = [MediaType.safeParse(type).data, Uid.safeParse(uid).data]
  return mediaUid && contentType ? { mediaUid, contentType } : null
}

function readEntries(lines: readonly string[]): M3uEntry[] {
  let mark: Omit<M3uEntry, 'fileName'> | null = null
  const entries: M3uEntry[] = []
  for (const line of lines) {
    mark = readMark(line) ?? mark
    if (!isEntry(line)) continue
    const fileName = fileNameOf(line)
    if (fileName !== '') entries.push({ fileName, ...mark })
    mark = null
  }
  return entries
}

/**
 * Parses a list; null if the file is not a list by its name or bytes.
 * @param codePage of a list that is not Unicode @throws ProblemError 413 for more than 10,000 entries
 */
export function readM3u(fileName: string, bytes: Uint8Array, codePage?: string): M3u | null {
  if (!/\.m3u8?$/i.test(fileName) || (bytes.includes(0) && !isUtf16(bytes))) return null
  const unicode = codePage === undefined ? decode(bytes) : null
  const text = unicode ?? new TextDecoder(codePage ?? 'windows-1252').decode(bytes)
  const lines = linesOf(text.replace(/^\uFEFF/, ''))
  const name = lines.flatMap(line => /^#PLAYLIST:(.+)$/i.exec(line)?.[1]?.trim() ?? [])[0] ?? null
  const entries = readEntries(lines)
  if (entries.length > MAX_ENTRIES)
    throw new ProblemError('too-large', {
      detail: `An M3U file has at most ${MAX_ENTRIES} entries; this one has ${entries.length}.`,
    })
  const isGuess = unicode === null && codePage === undefined
  return { name, entries, ...(isGuess ? { readings: readNames(bytes) } : {}) }
}

/** A line that begins with # would be a comment, so such a file name gets a `./`. */
const pathOf = (fileName: string) => (fileName.startsWith('#') ? `./${fileName}` : fileName)

const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ')

/** What an entry of an export says. */
export interface WrittenEntry {
  mediaUid: string
  contentType: MediaType
  name: string
  originalName: string
  durationSeconds: number
}

/** A simple playlist's entries as M3U8 text. Other programs take our mark of an item for a comment. */
export function writeM3u(name: string, items: readonly WrittenEntry[]): string {
  const entries = items.map(item =>
    [
      `#EXTINF:${Math.round(item.durationSeconds)},${oneLine(item.name)}`,
      `#FLOORCAST:${item.contentType} ${item.mediaUid}`,
      `${pathOf(item.originalName)}\n`,
    ].join('\n'),
  )
  return `#EXTM3U\n#PLAYLIST:${oneLine(name)}\n${entries.join('')}`
}
