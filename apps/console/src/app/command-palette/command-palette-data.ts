import { listDevices } from '@floorcast/contract/devices.ts'
import { MediaType, listMedia } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { paths } from '../../platform/paths.ts'

export type FoundKind = 'device' | 'media' | 'playlist'

/** A thing that the search found, and where it lives. */
export interface Found {
  kind: FoundKind
  uid: string
  name: string
  path: string
}

const each = 5

async function find(search: string, signal: AbortSignal): Promise<Found[]> {
  const query = { search, size: each }
  const [devices, playlists, ...media] = await Promise.all([
    call(listDevices, { query, signal }),
    call(listPlaylists, { params: { x: 'all' }, query, signal }),
    ...MediaType.options.map(contentType => call(listMedia, { params: { contentType }, query, signal })),
  ])
  return [
    ...devices.items.map(({ uid, name }): Found => ({ kind: 'device', uid, name, path: paths.device(uid) })),
    ...media
      .flatMap(list => list.items)
      .slice(0, each)
      .map(({ uid, name, contentType }): Found => ({
        kind: 'media',
        uid,
        name,
        path: paths.mediaItem(contentType, uid),
      })),
    ...playlists.items.map(({ uid, name }): Found => ({
      kind: 'playlist',
      uid,
      name,
      path: paths.playlist(uid),
    })),
  ]
}

/** Devices, media and playlists that match; from two characters on. */
export const foundQuery = (search: string) =>
  queryOptions({
    queryKey: ['palette', search],
    queryFn: ({ signal }) => find(search, signal),
    enabled: search.length >= 2,
    placeholderData: keepPreviousData,
  })
