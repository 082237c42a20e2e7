import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { mediaCacheName } from '../../platform/browser-data.ts'

/** The path of pictures in the cache. */
const PICTURES = '/player-pictures/'

/** Fetches the picture of a file's media item; null if it has none. Throws without an answer. */
export type FetchPicture = (file: ManifestFile) => Promise<Blob | null>

/** The pictures of tracks, each fetched once for each load of the page. */
export class Pictures {
  readonly #fetch: FetchPicture
  readonly #read = new Map<string, Promise<Blob | null>>()

  constructor(fetchPicture: FetchPicture) {
    this.#fetch = fetchPicture
  }

  /** Null without one. */
  read(file: ManifestFile): Promise<Blob | null> {
    const { mediaUid } = file
    const known = this.#read.get(mediaUid)
    if (known) return known
    const read = this.#fetch(file).catch(() => {
      this.#read.delete(mediaUid)
      return null
    })
    this.#read.set(mediaUid, read)
    return read
  }
}

/** Keeps what is fetched for a time without a network. */
export function keepPictures(fetchPicture: FetchPicture): FetchPicture {
  return async file => {
    const cache = await caches.open(mediaCacheName)
    const key = PICTURES + file.mediaUid
    try {
      const picture = await fetchPicture(file)
      if (picture) await cache.put(key, new Response(picture)).catch(() => undefined)
      else await cache.delete(key)
      return picture
    } catch (error) {
      const kept = await cache.match(key)
      if (kept) return kept.blob()
      throw error
    }
  }
}
