import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { listMedia, type MediaType } from '@floorcast/contract/media.ts'
import { addTracks } from '@floorcast/contract/playlist-tracks.ts'
import {
  addTrack,
  editPlaylist,
  moveTrack,
  readPlaylistWithTracks,
  removeTrack,
  type PlaylistItem,
} from '@floorcast/contract/playlists.ts'
import {
  infiniteQueryOptions,
  keepPreviousData,
  useMutation,
  useMutationState,
  useQueryClient,
  type Mutation,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { callQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { readAllPages } from '../../platform/read-all-pages.ts'
import { useChange, useMarkStale } from '../../platform/use-change.ts'
import { moveTarget, planMoves, applyChange, type ItemChange } from './playlist-moves.ts'

const libraryPageSize = 50

/** A playlist with its items. */
export const playlistWithTracks = (uid: string) =>
  callQuery(queryKeys.playlists.withTracks(uid), readPlaylistWithTracks, { params: { id: uid } })

/** Media of one content type for the library, page by page. */
export const playlistLibrary = (contentType: MediaType, search: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.media.library(contentType, search),
    queryFn: ({ signal, pageParam }) =>
      call(listMedia, {
        params: { contentType },
        query: { page: pageParam, size: libraryPageSize, search, sort: 'name' },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

/** The server's limit. */
const maxPageSize = 200

/** The uids of all media of one content type that match a search, by name. @throws CallError; AbortError */
export async function listAllMedia(
  contentType: MediaType,
  search: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: number) => void },
): Promise<string[]> {
  const media = await readAllPages({
    readPage: page =>
      call(listMedia, {
        params: { contentType },
        query: { page, size: maxPageSize, search, sort: 'name' },
        signal,
      }),
    size: maxPageSize,
    onProgress,
  })
  return media.map(({ uid }) => uid)
}

/** Adds media items at the end of a paused playlist, by a thousand. @throws Refusal, CallError */
export const useAddTracks = (playlist: string) =>
  useChange(
    'playlist',
    async (tracks: readonly string[]) => {
      for (let at = 0; at < tracks.length; at += MAX_BULK_ITEMS) {
        const body = { tracks: tracks.slice(at, at + MAX_BULK_ITEMS) }
        await change(addTracks, { params: { playlist }, body })
      }
    },
    { scope: scopeOf(playlist) },
  )

/** Changes the settings of a paused playlist's items. @throws Refusal, CallError */
export const useItemSettingsChange = () =>
  useChange('playlist', (body: Pick<BodyOf<typeof editPlaylist>, 'uid' | 'items'>) =>
    change(editPlaylist, { body }),
  )

/*
 * Buttons, keys and dragging all become one change: 'this item to that position', or out. The page shows the list with
 * all pending changes applied. Each change is sent, one after the other, as the fewest of the six moves that lead there
 * from the item's position at that time; a drag over 250 places is up to 25 calls of about 10 ms. A change that names its
 * target position can be applied twice without harm, so a list that arrives in between does not flicker, and a refused
 * change needs no undo: it disappears, and the list shows the server's state.
 */

/** Mutations of one scope run one after the other. */
const scopeOf = (playlist: string) => ({ id: `playlist-${playlist}` })
const changeKey = (playlist: string) => ['playlist-change', playlist]

/** Adds a media item to a paused playlist, at the end or at a position. @throws Refusal, CallError */
export function useAddTrack(playlist: string) {
  const queries = useQueryClient()
  const { mutateAsync: changeItem } = useItemChange(playlist)
  const { mutateAsync: changeSettings } = useItemSettingsChange()
  const { mutateAsync, isPending } = useChange(
    'playlist',
    (track: string) => change(addTrack, { params: { track, playlist } }),
    { scope: scopeOf(playlist) },
  )
  const add = useCallback(
    async (track: string, to?: number) => {
      await mutateAsync(track)
      if (to === undefined) return
      const { items } = await queries.fetchQuery({
        ...playlistWithTracks(playlist),
        staleTime: 0,
        // The next step is a change: it does not wait for the line.
        networkMode: 'always',
      })
      const added = items.findLast(({ mediaUid }) => mediaUid === track)
      if (added && added.position > to) await changeItem({ uid: added.uid, to })
      return added
    },
    [queries, playlist, mutateAsync, changeItem],
  )
  /** Puts a removed item back at its position, with its settings. */
  const putBack = useCallback(
    async ({ mediaUid, position, repeatCount, replaySeconds, startTime }: PlaylistItem) => {
      const added = await add(mediaUid, position)
      if (!added || (repeatCount === 1 && startTime === null)) return
      const item = { uid: added.uid, repeatCount, replaySeconds, startTime }
      await changeSettings({ uid: playlist, items: [item] })
    },
    [playlist, add, changeSettings],
  )
  return { add, putBack, isAdding: isPending }
}

/**
 * Moves and removes items. `useOptimisticItems` shows a change at once and drops it when the server refuses.
 * @throws Refusal with 400 'position-changed' when another user has changed the list; CallError
 */
export function useItemChange(playlist: string) {
  const queries = useQueryClient()
  const markStale = useMarkStale('playlist')
  const { queryKey } = playlistWithTracks(playlist)
  return useMutation({
    mutationKey: changeKey(playlist),
    scope: scopeOf(playlist),
    mutationFn: async (wanted: ItemChange) => {
      const items = queries.getQueryData(queryKey)?.items ?? []
      await sendChange(playlist, items, wanted)
      queries.setQueryData(queryKey, now => now && { ...now, items: applyChange(now.items, wanted) })
    },
    onSettled: async () => {
      if (queries.isMutating({ mutationKey: changeKey(playlist) }) === 1) await markStale()
    },
  })
}

const pendingChanges = (playlist: string) => ({
  mutationKey: changeKey(playlist),
  status: 'pending' as const,
})
const changeOf = (mutation: Mutation) => mutation.state.variables as ItemChange | undefined
const applyAll = (items: readonly PlaylistItem[], changes: readonly (ItemChange | undefined)[]) =>
  changes.reduce((now, wanted) => (wanted ? applyChange(now, wanted) : now), items)

/** The items of a playlist with all pending changes applied. */
export function useOptimisticItems(
  playlist: string,
  items: readonly PlaylistItem[],
): readonly PlaylistItem[] {
  const changes = useMutationState({ filters: pendingChanges(playlist), select: changeOf })
  return useMemo(() => applyAll(items, changes), [changes, items])
}

/**
 * Reads the same at the time of the call. Of two keys pressed before the next render, the second starts from the position
 * that the first has led to.
 */
export function useReadItems(playlist: string): () => readonly PlaylistItem[] {
  const queries = useQueryClient()
  return () => {
    const { items = [] } = queries.getQueryData(playlistWithTracks(playlist).queryKey) ?? {}
    return applyAll(items, queries.getMutationCache().findAll(pendingChanges(playlist)).map(changeOf))
  }
}

/** Sends a change as moves from the item's present position. */
async function sendChange(
  playlist: string,
  items: readonly PlaylistItem[],
  { uid, to }: ItemChange,
): Promise<void> {
  const item = items.find(known => known.uid === uid)
  if (!item) return
  const track = item.mediaUid
  let { position } = item
  if (to === null) {
    await change(removeTrack, { params: { track, playlist, position } })
    return
  }
  for (const mode of planMoves(position, to, items.length)) {
    await change(moveTrack, { params: { track, playlist, position, mode } })
    position = moveTarget(position, mode, items.length)
  }
}
