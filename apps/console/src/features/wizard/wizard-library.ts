import { listMedia, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { readAllPages } from '../../platform/read-all-pages.ts'

export const libraryPageSize = 25
/** The server's limit. */
const maxPageSize = 200

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
  const rows = await readAllPages({
    readPage: page => readPage(contentType, search, { page, size: maxPageSize, signal }),
    size: maxPageSize,
    onProgress,
  })
  return rows.map(toSmartTrack)
}
