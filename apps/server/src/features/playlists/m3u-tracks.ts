import type { Kind } from '@floorcast/contract/fields.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type CodePageReading, decodePercent, type M3u, type M3uEntry } from './m3u.ts'
import { findFileNames, holdFiles, holdFilesNamed, type NamedFile } from './playlist-copy-queries.ts'

/* Finds the media of an M3U list in the library. */

/** An entry's name as it stands, then as other programs percent-encode it. */
const spellingsOf = (name: string) => [...new Set([name, decodePercent(name)])]

/** Regardless of case, by capitals: ς and σ, ß and SS, and the Turkish i with and without its dot are alike. */
const foldCase = (name: string) => name.normalize('NFC').toUpperCase().replaceAll('İ', 'I')

/** The code page under which most names are in the library; null if none finds one. */
export async function findCodePage(
  reads: Reads,
  readings: readonly CodePageReading[],
): Promise<string | null> {
  const asked = [...new Set(readings.flatMap(({ fileNames }) => fileNames.flatMap(spellingsOf)))]
  if (asked.length === 0) return null
  const known = new Set((await findFileNames(reads, asked)).map(foldCase))
  const countFound = ({ fileNames }: CodePageReading) =>
    fileNames.filter(name => spellingsOf(name).some(spelling => known.has(foldCase(spelling)))).length
  const [best] = readings
    .map(reading => ({ codePage: reading.codePage, found: countFound(reading) }))
    .toSorted((a, b) => b.found - a.found)
  return best && best.found > 0 ? best.codePage : null
}

/** The media of one kind by their names: as they stand, regardless of case, and by uid. */
class Library {
  readonly #byUid = new Map<string, NamedFile>()
  readonly #byName = new Map<string, NamedFile[]>()
  readonly #byFoldedName = new Map<string, NamedFile[]>()

  constructor(kind: Kind, files: readonly NamedFile[]) {
    for (const file of files) {
      if (kindOfMedia(file.contentType) !== kind) continue
      this.#byUid.set(file.uid, file)
      const add = (map: Map<string, NamedFile[]>, name: string) => {
        const files = map.get(name)
        if (files) files.push(file)
        else map.set(name, [file])
      }
      add(this.#byName, file.originalName)
      add(this.#byFoldedName, foldCase(file.originalName))
    }
  }

  /** Those with exactly the entry's name, else regardless of case, else by its decoded name. */
  #named(fileName: string): readonly NamedFile[] {
    for (const spelling of spellingsOf(fileName)) {
      const files = this.#byName.get(spelling) ?? this.#byFoldedName.get(foldCase(spelling))
      if (files) return files
    }
    return []
  }

  /** An entry's items: the one that it marks, also where the item's file was replaced, else those of its name. */
  find({ fileName, mediaUid, contentType }: M3uEntry): readonly NamedFile[] {
    const named = this.#named(fileName)
    const marked = mediaUid === undefined ? undefined : this.#byUid.get(mediaUid)
    // An entry that was changed by hand may still have the former mark.
    if (marked && (named.length === 0 || named.includes(marked))) return [marked]
    const alike = named.filter(file => file.contentType === contentType)
    return alike.length > 0 ? alike : named
  }
}

export interface TrackMatch {
  kind: Kind
  mediaUids: string[]
  /** File names that no item has, and those that several have. */
  missing: string[]
  ambiguous: string[]
}

function match(kind: Kind, entries: readonly M3uEntry[], files: readonly NamedFile[]): TrackMatch {
  const library = new Library(kind, files)
  const found = entries.map(entry => ({ name: entry.fileName, fit: library.find(entry) }))
  const namesWhere = (isSo: (count: number) => boolean) => [
    ...new Set(found.filter(({ fit }) => isSo(fit.length)).map(({ name }) => name)),
  ]
  return {
    kind,
    mediaUids: found.flatMap(({ fit }) => fit[0]?.uid ?? []),
    missing: namesWhere(count => count === 0),
    ambiguous: namesWhere(count => count > 1),
  }
}

/** Finds a list's items of the given kind, or of the kind with the fewest missing files, and locks them. */
export async function matchTracks(writes: Writes, { entries }: M3u, kind?: Kind): Promise<TrackMatch> {
  const named = await holdFilesNamed(writes, [
    ...new Set(entries.flatMap(({ fileName }) => spellingsOf(fileName))),
  ])
  const uids = new Set(named.map(({ uid }) => uid))
  const others = new Set(entries.flatMap(({ mediaUid }) => mediaUid ?? []).filter(uid => !uids.has(uid)))
  const files = [...named, ...(await holdFiles(writes, [...others]))]
  const [audio, video] = [match('audio', entries, files), match('video', entries, files)]
  if (kind !== undefined) return kind === 'audio' ? audio : video
  return video.missing.length < audio.missing.length ? video : audio
}
