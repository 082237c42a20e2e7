import { listMedia, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'

export const libraryPageSize = 25
/** The server's limit. */
const maxPageSize = 200
const concurrentPages = 4

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
    queryKey: queryKeys.media.libraryPage(contentType, search, page),
    queryFn: ({ signal }) => readPage(contentType, search, { page, size: libraryPageSize, signal }),
    placeholderData: keepPreviousData,
  })

export const toSmartTrack = ({ uid, name, durationSeconds }: MediaRow): SmartTrack => ({
  uid,
  name,
  duration: durationSeconds,
  weight: 1,
})

/**
 * All tracks that match a search, in the order of the library.
 * @throws CallError; AbortError when the signal aborts
 */
export async function listAllTracks(
  contentType: MediaType,
  search: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (count: number) => void },
): Promise<SmartTrack[]> {
  const tracks: SmartTrack[] = []
  for (let first = 1; ; first += concurrentPages) {
    const pages = await Promise.all(
      Array.from({ length: concurrentPages }, (_, n) =>
        readPage(contentType, search, { page: first + n, size: maxPageSize, signal }),
      ),
    )
    tracks.push(...pages.flatMap(({ items }) => items.map(toSmartTrack)))
    onProgress?.(tracks.length)
    // The total of a search stops at 10,000: only a page that is not full is known to be the last.
    if (pages.some(({ items }) => items.length < maxPageSize)) break
  }
  // Pages may shift while they are read.
  return [...new Map(tracks.map(track => [track.uid, track])).values()]
}
