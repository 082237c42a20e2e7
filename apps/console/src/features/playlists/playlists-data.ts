import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { KindFilter, type Kind } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import {
  addPlaylist,
  changePlaylistState,
  clonePlaylist,
  editPlaylist,
  listPlaylists,
  PlaylistFilter,
  readPlaylist,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { listPublications, type PublicationRow } from '@floorcast/contract/publications.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useRenaming } from '../../platform/renaming.ts'
import { useChange } from '../../platform/use-change.ts'

type Filter = z.output<typeof PlaylistFilter>

export const playlistQueries = {
  list: (kind: KindFilter, query: Filter) =>
    queryOptions({
      queryKey: queryKeys.playlists.list(kind, query),
      queryFn: ({ signal }) => call(listPlaylists, { params: { x: kind }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  card: (uid: string) =>
    queryOptions({
      queryKey: queryKeys.playlists.card(uid),
      queryFn: ({ signal }) => call(readPlaylist, { params: { id: uid }, signal }),
    }),
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

/** The filter in a list's address; an invalid one filters nothing. */
export const readPlaylistFilter = (query: Record<string, unknown>): Filter =>
  PlaylistFilter.safeParse(query).data ?? PlaylistFilter.parse({})

/** The kind in a list's address; all kinds when it is invalid. */
export const readKind = (value: unknown): KindFilter => KindFilter.safeParse(value).data ?? 'all'

/** Makes an empty, paused playlist; resolves with its uid. @throws Refusal, CallError */
export const useAddPlaylist = () =>
  useChange('playlist', ({ kind, ...body }: BodyOf<typeof addPlaylist> & { kind: Kind }) =>
    change(addPlaylist, { params: { contentType: kind }, body }),
  )

/** Copies a playlist; a copy to edit may replace the original on the air. Resolves with the copy's uid. @throws Refusal, CallError */
export const useClonePlaylist = () =>
  useChange('playlist', ({ id, ...query }: { id: string; purpose: 'copy' | 'edit'; name?: string }) =>
    change(clonePlaylist, { params: { id }, query }),
  )

/** Changes a paused playlist. @throws Refusal, CallError */
export const useEditPlaylist = () =>
  useChange('playlist', (body: BodyOf<typeof editPlaylist>) => change(editPlaylist, { body }))

/** Renames a paused playlist. */
export const useRenamePlaylist = () =>
  useRenaming<PlaylistRow & { version?: number }>({
    edit: useEditPlaylist().mutateAsync,
    read: uid => call(readPlaylist, { params: { id: uid } }),
    mayRename: ({ state }) => state === 'paused',
  })

/** Switches between active and paused. @throws Refusal with 1 while a publication uses it; CallError 409 when `from` is stale */
export const useChangePlaylistState = () =>
  useChange('playlist', ({ uid, from }: { uid: string; from: EditState }) =>
    change(changePlaylistState, { params: { id: uid }, query: { from } }),
  )
