import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import {
  addPlaylist,
  changePlaylistState,
  clonePlaylist,
  editPlaylist,
  listPlaylists,
  readPlaylist,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { listPublications, type PublicationRow } from '@floorcast/contract/publications.ts'
import { queryOptions } from '@tanstack/react-query'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { changeHook, stateHook } from '../../platform/use-change.ts'

export const playlistQueries = {
  list: (kind: KindFilter, query: QueryOf<typeof listPlaylists>) =>
    listQuery(queryKeys.playlists.list(kind, query), listPlaylists, { params: { x: kind }, query }),
  card: (uid: string) => callQuery(queryKeys.playlists.card(uid), readPlaylist, { params: { id: uid } }),
  /** All publications that use a playlist. */
  publications: (playlistUid: string) =>
    queryOptions({
      queryKey: queryKeys.publications.ofPlaylist(playlistUid),
      queryFn: ({ signal }) => listAllPublications(playlistUid, signal),
    }),
}

const publicationPageSize = 200

async function listAllPublications(playlistUid: string, signal: AbortSignal): Promise<PublicationRow[]> {
  const publications: PublicationRow[] = []
  for (let page = 1; ; page += 1) {
    const query = { playlistUid, page, size: publicationPageSize, sort: 'name' }
    const { items, total } = await call(listPublications, { params: { x: 'all' }, query, signal })
    publications.push(...items)
    if (items.length === 0 || page * publicationPageSize >= total) return publications
  }
}

/** Makes an empty, paused playlist; resolves with its uid. @throws Refusal, CallError */
export const useAddPlaylist = changeHook('playlist', addPlaylist)
/** Copies a playlist; a copy to edit may replace the original on the air. Resolves with the copy's uid. @throws Refusal, CallError */
export const useClonePlaylist = changeHook('playlist', clonePlaylist)
/** Changes a paused playlist. @throws Refusal, CallError */
export const useEditPlaylist = changeHook('playlist', editPlaylist)
/** Switches between active and paused. @throws Refusal with 1 while a publication uses it; CallError 409 when `from` is stale */
export const useChangePlaylistState = stateHook('playlist', changePlaylistState)

/** Renames a paused playlist. */
export const useRenamePlaylist = () =>
  useRenaming<PlaylistRow & { version?: number }>({
    edit: useEditPlaylist().mutateAsync,
    read: uid => call(readPlaylist, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })
