import { cleanCredit, Isrc, type MediaCredits } from '@floorcast/contract/media-credits.ts'
import { parseBuffer, type ITag } from 'music-metadata'
import { readTagBytes } from './tag-bytes.ts'

/** The credits that a file names. `invalidIsrc` is the text that it has in place of a valid ISRC. */
export type TagCredits = MediaCredits & { invalidIsrc: string }

/** The names of a credit in ID3v2.2, ID3v2.3 and 2.4, and MP4, the first one that a file has counts. */
const tagNames: Record<keyof MediaCredits, readonly string[]> = {
  artist: ['TPE1', 'TP1', '©ART', 'TPE2', 'TP2', 'aART'],
  title: ['TIT2', 'TT2', '©nam'],
  isrc: ['TSRC', 'TRC', 'TXXX:ISRC', '----:com.apple.iTunes:ISRC', '©isr'],
  composer: ['TCOM', 'TCM', '©wrt', '©com'],
  publisher: [
    'TPUB',
    'TPB',
    'TXXX:PUBLISHER',
    '©pub',
    '----:com.apple.iTunes:PUBLISHER',
    '----:com.apple.iTunes:LABEL',
  ],
}

interface Tags {
  all: readonly ITag[]
  /** Between several values of one tag. Until ID3v2.3 a tag has one text, which the library splits at each slash. */
  separator: '/' | '; '
}

/** The values of the first tag that says something. */
function valuesOf(tags: readonly ITag[], names: readonly string[]): string[] {
  for (const name of names) {
    const values = tags
      .filter(({ id }) => id.toLowerCase() === name.toLowerCase())
      .flatMap(({ value }) => (typeof value === 'string' ? value.split('\0').map(cleanCredit) : []))
      .filter(Boolean)
    if (values.length > 0) return values
  }
  return []
}

function toCredits({ all, separator }: Tags): TagCredits {
  const text = (field: keyof MediaCredits) => cleanCredit(valuesOf(all, tagNames[field]).join(separator))
  const isrcs = valuesOf(all, tagNames.isrc)
  const isrc = isrcs.map(value => Isrc.safeParse(value).data ?? '').find(Boolean) ?? ''
  return {
    artist: text('artist'),
    title: text('title'),
    isrc,
    composer: text('composer'),
    publisher: text('publisher'),
    invalidIsrc: isrc === '' ? (isrcs[0] ?? '') : '',
  }
}

const mimeTypes = { mp3: 'audio/mpeg', mp4: 'video/mp4' }

/** For a worker: the credits in a file's tags; null if it has no tags. Wrong bytes may take any time and memory. */
export async function parseTags(path: string, format: 'mp3' | 'mp4'): Promise<TagCredits | null> {
  const bytes = await readTagBytes(path, format)
  if (!bytes) return null
  const options = { skipCovers: true, skipPostHeaders: true, duration: false }
  const { native } = await parseBuffer(bytes, { mimeType: mimeTypes[format] }, options)
  const isOneText = 'ID3v2.2' in native || 'ID3v2.3' in native
  return toCredits({ all: Object.values(native).flat(), separator: isOneText ? '/' : '; ' })
}
