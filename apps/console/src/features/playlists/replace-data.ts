import { changePlaylistState, type PlaylistCard } from '@floorcast/contract/playlists.ts'
import {
  type PublicationRow,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
} from '@floorcast/contract/publications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../platform/client.ts'

/** A publication that could not be changed, and why. */
export interface Unchanged {
  publication: PublicationRow
  error: unknown
}

export interface Changed {
  done: PublicationRow[]
  failed: Unchanged[]
}

/** Lists and cards that show what is on the air. */
const isShown = (noun: unknown) =>
  ['playlist', 'publication', 'group', 'device', 'dashboard'].includes(String(noun))

/** One after the other, each by itself: what fails keeps nothing else back. */
async function changeEach(
  publications: readonly PublicationRow[],
  run: (publication: PublicationRow) => Promise<unknown>,
): Promise<Changed> {
  const changed: Changed = { done: [], failed: [] }
  for (const publication of publications) {
    try {
      await run(publication)
      changed.done.push(publication)
    } catch (error) {
      changed.failed.push({ publication, error })
    }
  }
  return changed
}

/** Puts a playlist in the place of another, and takes that back; what somebody else changed meanwhile stays. */
export function useReplace() {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ predicate: ({ queryKey }) => isShown(queryKey[0]) })
  return {
    /** Sets the playlist active first. @throws Refusal, CallError when it cannot be; then nothing is replaced */
    async replace(
      { uid: playlistUid, state }: Pick<PlaylistCard, 'uid' | 'state'>,
      publications: readonly PublicationRow[],
    ): Promise<Changed> {
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
    /** Lets publications play again what they did, those that still play the playlist `from`. */
    async goBack(from: string, publications: readonly PublicationRow[]): Promise<Changed> {
      const changed = await changeEach(publications, ({ uid }) =>
        change(returnPublicationPlaylist, { params: { uid }, query: { from } }),
      )
      await refresh()
      return changed
    },
  }
}
