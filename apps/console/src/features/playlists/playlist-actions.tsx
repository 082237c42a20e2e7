import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBroadcast, IconCopy, IconDots, IconEdit, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { DeletePlaylists } from './delete-playlists.tsx'
import { usePlaylistClone } from './playlist-data.ts'
import { PlaylistForm } from './playlist-form.tsx'

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
      {mayChange && <PublishLink playlist={playlist} />}
      {playlist.permissions.mayEdit && isPaused && (
        <Button
          variant="default"
          leftSection={<IconEdit size={16} aria-hidden />}
          onClick={() => setIsEditing(true)}
        >
          {t('playlists:settings')}
        </Button>
      )}
      {playlist.permissions.mayDelete && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('playlists:more')}>
              <IconDots size={20} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayChange && (
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
                {t('playlists:makeCopy')}
              </Menu.Item>
            )}
            <Menu.Item
              c="var(--fc-down)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setIsDeleting(true)}
            >
              {t('moveToBin')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isEditing && <PlaylistForm playlist={playlist} onClose={() => setIsEditing(false)} />}
      {isDeleting && (
        <DeletePlaylists
          selection={{ kind: 'some', uids: [playlist.uid], count: 1 }}
          item={playlist}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => void navigate(paths.playlists)}
        />
      )}
    </>
  )
}

/** Links an active playlist to the form that publishes it to a group. */
function PublishLink({ playlist: { uid, state } }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  if (state !== 'active') return null
  return (
    <Button
      component={Link}
      to={paths.publish(uid)}
      variant="default"
      leftSection={<IconBroadcast size={16} aria-hidden />}
    >
      {t('playlists:publish')}
    </Button>
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
