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
} from '@floorcast/contract/playlists.ts'
import { listPublications, type PublicationRow } from '@floorcast/contract/publications.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, change } from '../../platform/client.ts'

type Filter = z.output<typeof PlaylistFilter>
export type KindWord = Kind | 'all'

const everything = ['playlist'] as const

/** What is read about playlists. Every key begins with its noun, so that the live stream finds it. */
export const playlistQueries = {
  everything: () => ({ queryKey: everything }),
  list: (kind: KindWord, query: Filter) =>
    queryOptions({
      queryKey: [...everything, 'list', kind, query],
      queryFn: ({ signal }) => call(listPlaylists, { params: { x: kind }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  card: (uid: string) =>
    queryOptions({
      queryKey: [...everything, 'card', uid],
      queryFn: ({ signal }) => call(readPlaylist, { params: { id: uid }, signal }),
    }),
  /** The publications that name a playlist, all of them: what is changed or stands in the way when it is. */
  publications: (playlistUid: string) =>
    queryOptions({
      queryKey: ['publication', 'of-playlist', playlistUid],
      queryFn: ({ signal }) => gatherPublications(playlistUid, signal),
    }),
}

const publicationPage = 200

async function gatherPublications(playlistUid: string, signal: AbortSignal): Promise<PublicationRow[]> {
  const found: PublicationRow[] = []
  for (let page = 1; ; page += 1) {
    const query = { playlistUid, page, size: publicationPage, sort: 'name' }
    const { items, total } = await call(listPublications, { params: { x: 'all' }, query, signal })
    found.push(...items)
    if (items.length === 0 || page * publicationPage >= total) return found
  }
}

/** What a list's address asks for; what makes no sense there filters nothing. */
export const readPlaylistFilter = (query: Record<string, unknown>): Filter =>
  PlaylistFilter.safeParse(query).data ?? PlaylistFilter.parse({})

/** The kind that an address asks for; all when it makes no sense. */
export const readKind = (word: unknown): KindWord => KindFilter.safeParse(word).data ?? 'all'

/** Reads everything about playlists again. */
function usePlaylistRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries(playlistQueries.everything())
}

/** Makes an empty, paused playlist; answers its uid. @throws Refusal, CallError */
export function usePlaylistAdd() {
  return useMutation({
    mutationFn: ({ kind, ...body }: BodyOf<typeof addPlaylist> & { kind: Kind }) =>
      change(addPlaylist, { params: { contentType: kind }, body }),
    onSuccess: usePlaylistRefresh(),
  })
}

/** Copies a playlist, for itself or to take its place on the air; answers the copy's uid. @throws Refusal, CallError */
export function usePlaylistClone() {
  return useMutation({
    mutationFn: ({ id, purpose }: { id: string; purpose: 'copy' | 'edit' }) =>
      change(clonePlaylist, { params: { id }, query: { purpose } }),
    onSuccess: usePlaylistRefresh(),
  })
}

/** Changes a paused playlist. @throws Refusal, CallError */
export function usePlaylistEdit() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof editPlaylist>) => change(editPlaylist, { body }),
    onSettled: usePlaylistRefresh(),
  })
}

/** Active to paused and back. @throws Refusal with 1 while a publication uses it; CallError 409 when `from` is stale */
export function usePlaylistToggle() {
  return useMutation({
    mutationFn: ({ uid, from }: { uid: string; from: EditState }) =>
      change(changePlaylistState, { params: { id: uid }, query: { from } }),
    onSettled: usePlaylistRefresh(),
  })
}
