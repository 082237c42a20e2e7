import { listMedia, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { readAllPages } from '../../platform/read-all-pages.ts'

export const libraryPageSize = 25
/** The server's limit. */
const maxPageSize = 200

/** One page of the library that matches a search. */
export const libraryPage = (contentType: MediaType, search: string, page: number) =>
  listQuery(queryKeys.media.libraryPage(contentType, search, page), listMedia, {
    params: { contentType },
    query: { page, size: libraryPageSize, search, sort: 'name' },
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
    readPage: page =>
      call(listMedia, {
        params: { contentType },
        query: { page, size: maxPageSize, search, sort: 'name' },
        signal,
      }),
    size: maxPageSize,
    onProgress,
  })
  return rows.map(toSmartTrack)
}
