import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { IconDownload } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { DuplicateItem } from '../../ui/duplicate/duplicate-action.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { EditedVersion } from './edited-version.tsx'
import { playlistFields } from './playlist-columns.tsx'
import { BulkPlaylists, DuplicatePlaylist, PlaylistForm } from './playlist-dialogs.ts'
import { exportPlaylist } from './playlist-files.ts'
import { PlanStateBadge, PlaylistStateBadge } from './playlist-state-badge.tsx'
import { PlaylistStateBar } from './playlist-state-bar.tsx'
import { useRenamePlaylist } from './playlists-data.ts'

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

/** Actions of every playlist, for the header of its page. */
function PlaylistActions({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const isPaused = playlist.state === 'paused'
  const mayChange = useMayChange()
  const [isCopying, setIsCopying] = useState(false)
  return (
    <>
      <PublishButton start={{ playlist: playlist.uid }} />
      {playlist.permissions.mayEdit && isPaused && (
        <EditButton label={t('playlists:settings')} onClick={() => setIsEditing(true)} />
      )}
      <MoreMenu
        label={t('moreActions')}
        onDelete={playlist.permissions.mayDelete ? () => setIsDeleting(true) : null}
      >
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void exportPlaylist(playlist.uid).catch((error: unknown) => toastFailure(error))}
        >
          {t('playlists:export', { format: playlist.form === 'smart' ? 'JSON' : 'M3U8' })}
        </Menu.Item>
        {mayChange && <DuplicateItem t={t} onClick={() => setIsCopying(true)} />}
      </MoreMenu>
      {isEditing && <PlaylistForm playlist={playlist} onClose={() => setIsEditing(false)} />}
      {isCopying && <DuplicatePlaylist playlist={playlist} onClose={() => setIsCopying(false)} />}
      {isDeleting && (
        <BulkPlaylists
          action="delete"
          selection={{ kind: 'some', uids: [playlist.uid], count: 1 }}
          item={playlist}
          onClose={() => setIsDeleting(false)}
          onDone={() => void navigate(paths.playlists)}
        />
      )}
    </>
  )
}
