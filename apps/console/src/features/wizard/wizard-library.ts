import { listMedia, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'

/** Rows of the library that are drawn at once. */
export const libraryPageSize = 25
/** The most that the server gives at once. */
const gatherSize = 200
const gatheredAtOnce = 4

const readPage = (
  contentType: MediaType,
  search: string,
  page: { page: number; size: number; signal: AbortSignal },
) =>
  call(listMedia, {
    params: { contentType },
    query: { page: page.page, size: page.size, search, sort: 'name' },
    signal: page.signal,
  })

/** One page of the library that matches a search. */
export const libraryPage = (contentType: MediaType, search: string, page: number) =>
  queryOptions({
    queryKey: ['media', 'wizard', contentType, search, page],
    queryFn: ({ signal }) => readPage(contentType, search, { page, size: libraryPageSize, signal }),
    placeholderData: keepPreviousData,
  })

export const trackOf = ({ uid, name, durationSeconds }: MediaRow): SmartTrack => ({
  uid,
  name,
  duration: durationSeconds,
  weight: 1,
})

/**
 * Every track that matches a search, in the library's order; some pages at a time.
 * @throws CallError; AbortError when the signal says stop
 */
export async function gatherTracks(
  contentType: MediaType,
  search: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (count: number) => void },
): Promise<SmartTrack[]> {
  const tracks: SmartTrack[] = []
  for (let first = 1; ; first += gatheredAtOnce) {
    const pages = await Promise.all(
      Array.from({ length: gatheredAtOnce }, (_, n) =>
        readPage(contentType, search, { page: first + n, size: gatherSize, signal }),
      ),
    )
    tracks.push(...pages.flatMap(({ items }) => items.map(trackOf)))
    onProgress?.(tracks.length)
    // A search stops counting at 10,000: only a page that is not full says that it is the last.
    if (pages.some(({ items }) => items.length < gatherSize)) break
  }
  // A page may have moved while they were read.
  return [...new Map(tracks.map(track => [track.uid, track])).values()]
}
