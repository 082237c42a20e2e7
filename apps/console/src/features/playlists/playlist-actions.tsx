import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { usePlaylistClone } from './playlist-data.ts'
import { BulkPlaylists, PlaylistForm } from './playlist-dialogs.ts'
import { exportPlaylist } from './playlist-files.ts'

/** Actions of every playlist, for the header of its page. */
export function PlaylistActions({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const isPaused = playlist.state === 'paused'
  const mayChange = useMayChange()
  // Not in the menu: it is unmounted before the answer arrives.
  const copy = useCopy(playlist)
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
        {mayChange && (
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
            {t('playlists:makeCopy')}
          </Menu.Item>
        )}
      </MoreMenu>
      {isEditing && <PlaylistForm playlist={playlist} onClose={() => setIsEditing(false)} />}
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

/** Makes a copy and opens it; the day of a smart one is planned again. */
function useCopy({ uid, name }: PlaylistWithTracks): () => void {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { mutate } = usePlaylistClone()
  return () =>
    mutate(
      { id: uid, purpose: 'copy' },
      {
        onSuccess: ({ uid: copyUid }) => {
          void toast('success', t('playlists:copied', { name }))
          if (copyUid) void navigate(paths.playlist(copyUid))
        },
        onError: failure => toastFailure(failure, 'playlist'),
      },
    )
}
