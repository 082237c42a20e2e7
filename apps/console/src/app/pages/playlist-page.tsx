import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { playlistWithTracks } from '../../features/playlist-editor/playlist-editor-data.ts'
import { PlaylistEditor } from '../../features/playlist-editor/playlist-editor.tsx'
import { PlaylistDetails } from '../../features/playlists/playlist-details.tsx'
import { PlanAgainButton } from '../../features/smart-playlists/plan-again-button.tsx'
import { loadWords } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { queryClient } from '../../platform/query-client.ts'
import { onDemand } from '../../ui/overlay/on-demand.tsx'

const SmartPlaylist = onDemand(async () => {
  const part = import('../../features/smart-playlists/smart-playlist.tsx')
  const [{ SmartPlaylist }] = await Promise.all([part, loadWords('wizard')])
  return SmartPlaylist
})

/**
 * /media/playlistsOne/{id}. No feature imports another, so the page joins three: the details of a playlist hold the
 * editor of a simple one, or the planned day of a smart one.
 */
export function PlaylistPage() {
  const { uid = '' } = useParams()
  const result = useQuery(playlistWithTracks(uid))
  return (
    <PlaylistDetails result={result} formActions={playlist => <PlanAgainButton playlist={playlist} />}>
      {playlist =>
        playlist.form === 'smart' ? (
          <SmartPlaylist key={playlist.uid} playlist={playlist} />
        ) : (
          <PlaylistEditor key={playlist.uid} playlist={playlist} />
        )
      }
    </PlaylistDetails>
  )
}

PlaylistPage.prefetch = ({ uid }: PageAddress) => queryClient.prefetchQuery(playlistWithTracks(uid))
