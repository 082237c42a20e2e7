import { listDevices } from '@floorcast/contract/devices.ts'
import { listGroups, type EditState } from '@floorcast/contract/groups.ts'
import { MediaType, listMedia } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { isSearchable } from '../../platform/spaceless.ts'

export type FoundKind = 'device' | 'group' | 'media' | 'playlist' | 'publication'

/** An item that matches the search, and the path of its page. */
export interface Found {
  kind: FoundKind
  uid: string
  name: string
  path: string
  /** The state of a group or playlist. */
  state: EditState | null
}

const maxResults = 5

async function searchAll(search: string, signal: AbortSignal): Promise<Found[]> {
  const query = { search, size: maxResults }
  const params = { x: 'all' } as const
  const [devices, groups, playlists, publications, ...media] = await Promise.all([
    call(listDevices, { query, signal }),
    call(listGroups, { params, query, signal }),
    call(listPlaylists, { params, query, signal }),
    call(listPublications, { params, query, signal }),
    ...MediaType.options.map(contentType => call(listMedia, { params: { contentType }, query, signal })),
  ])
  const named = ({ uid, name }: { uid: string; name: string }) => ({ uid, name, state: null })
  return [
    ...devices.items.map((row): Found => ({ ...named(row), kind: 'device', path: paths.device(row.uid) })),
    ...media
      .flatMap(list => list.items)
      .slice(0, maxResults)
      .map((row): Found => ({
        ...named(row),
        kind: 'media',
        path: paths.mediaItem(row.contentType, row.uid),
      })),
    ...playlists.items.map((row): Found => ({
      ...named(row),
      kind: 'playlist',
      path: paths.playlist(row.uid),
      state: row.state,
    })),
    ...groups.items.map((row): Found => ({
      ...named(row),
      kind: 'group',
      path: paths.group(row.uid),
      state: row.state,
    })),
    ...publications.items.map((row): Found => ({
      ...named(row),
      kind: 'publication',
      path: paths.publication(row.uid),
    })),
  ]
}

/** Items that match a text that is long enough. */
export const foundQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.search(search),
    // Several entities are searched; no change marks the result as stale.
    staleTime: 0,
    queryFn: ({ signal }) => searchAll(search, signal),
    enabled: isSearchable(search),
    placeholderData: keepPreviousData,
  })
