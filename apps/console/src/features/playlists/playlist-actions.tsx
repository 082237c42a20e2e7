import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { DuplicateItem } from '../../ui/duplicate/duplicate-action.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { BulkPlaylists, DuplicatePlaylist, PlaylistForm } from './playlist-dialogs.ts'
import { exportPlaylist } from './playlist-files.ts'

/** Actions of every playlist, for the header of its page. */
export function PlaylistActions({ playlist }: { playlist: PlaylistWithTracks }) {
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
