import { changePlaylistState, type PlaylistCard } from '@floorcast/contract/playlists.ts'
import {
  type PublicationRow,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
} from '@floorcast/contract/publications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../platform/client.ts'
import { markStale } from '../../platform/query-keys.ts'

export interface FailedReplacement {
  publication: PublicationRow
  error: unknown
}

export interface ReplaceResult {
  done: PublicationRow[]
  failed: FailedReplacement[]
}

/** Changes one publication after the other; a failure does not stop the next. */
async function changeEach(
  publications: readonly PublicationRow[],
  run: (publication: PublicationRow) => Promise<unknown>,
): Promise<ReplaceResult> {
  const result: ReplaceResult = { done: [], failed: [] }
  for (const publication of publications) {
    try {
      await run(publication)
      result.done.push(publication)
    } catch (error) {
      result.failed.push({ publication, error })
    }
  }
  return result
}

/** Replaces the playlist of publications and undoes it. The server refuses publications that another user has changed meanwhile. */
export function useReplacement() {
  const queries = useQueryClient()
  const refresh = () => markStale(queries, ['playlist', 'publication'])
  return {
    /** Activates the playlist first. @throws Refusal, CallError when that fails; then nothing is replaced */
    async replace(
      { uid: playlistUid, state }: Pick<PlaylistCard, 'uid' | 'state'>,
      publications: readonly PublicationRow[],
    ): Promise<ReplaceResult> {
      try {
        if (state === 'paused')
          await change(changePlaylistState, { params: { id: playlistUid }, query: { from: state } })
        return await changeEach(publications, ({ uid, playlist }) =>
          change(replacePublicationPlaylist, {
            params: { uid },
            query: { from: playlist.uid },
            body: { playlistUid },
          }),
        )
      } finally {
        await refresh()
      }
    },
    /** Returns the publications that still play the playlist `from` to the one before. */
    async undoReplace(from: string, publications: readonly PublicationRow[]): Promise<ReplaceResult> {
      const result = await changeEach(publications, ({ uid }) =>
        change(returnPublicationPlaylist, { params: { uid }, query: { from } }),
      )
      await refresh()
      return result
    },
  }
}
