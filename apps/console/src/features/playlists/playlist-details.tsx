import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EditedVersion } from './edited-version.tsx'
import { PlaylistActions } from './playlist-actions.tsx'
import { playlistFields } from './playlist-columns.tsx'
import { useRenamePlaylist } from './playlists-data.ts'
import { PlanStateBadge, PlaylistStateBadge } from './playlist-state-badge.tsx'
import { PlaylistStateBar } from './playlist-state-bar.tsx'

interface PlaylistDetailsProps {
  result: UseQueryResult<PlaylistWithTracks>
  /** Actions of simple or smart playlists alone; they stand before those of every playlist. */
  formActions: (playlist: PlaylistWithTracks) => ReactNode
  /** The content: items or planned day. */
  children: (playlist: PlaylistWithTracks) => ReactNode
}

/** The page of one playlist: state, actions and fields, then its content. */
export function PlaylistDetails({ result, formActions, children }: PlaylistDetailsProps) {
  const rename = useRenamePlaylist()
  return (
    <DetailPage
      result={result}
      name={playlist => playlist.name}
      rename={rename}
      status={playlist => (
        <>
          <PlaylistStateBadge state={playlist.state} />
          <PlanStateBadge planState={playlist.planState} />
        </>
      )}
      actions={playlist => (
        <>
          {formActions(playlist)}
          <PlaylistActions playlist={playlist} />
        </>
      )}
    >
      {playlist => (
        <>
          <PlaylistStateBar playlist={playlist} />
          <EditedVersion playlist={playlist} />
          <PlaylistSummary playlist={playlist} />
          {children(playlist)}
        </>
      )}
    </DetailPage>
  )
}

function PlaylistSummary({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={playlistFields(t, format)} card={playlist} />
    </Panel>
  )
}
