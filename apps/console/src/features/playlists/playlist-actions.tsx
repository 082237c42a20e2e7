import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBroadcast, IconCopy, IconDots, IconEdit, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { DeletePlaylists } from './delete-playlists.tsx'
import { usePlaylistClone } from './playlist-data.ts'
import { PlaylistForm } from './playlist-form.tsx'

/** What one may do with a playlist, in its header. */
export function PlaylistActions({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
  const navigate = useNavigate()
  const [isEditing, edit] = useState(false)
  const [isDeleting, askDelete] = useState(false)
  const isPaused = playlist.state === 'paused'
  const mayChange = useMayChange()
  // Here and not in the menu, which is gone when the answer comes.
  const copy = useCopy(playlist)
  return (
    <>
      {mayChange && <PublishLink playlist={playlist} />}
      {playlist.permissions.mayEdit && isPaused && (
        <Button variant="default" leftSection={<IconEdit size={16} aria-hidden />} onClick={() => edit(true)}>
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
              onClick={() => askDelete(true)}
            >
              {t('moveToBin')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isEditing && <PlaylistForm playlist={playlist} onClose={() => edit(false)} />}
      {isDeleting && (
        <DeletePlaylists
          selection={{ kind: 'some', uids: [playlist.uid], count: 1 }}
          only={playlist}
          onClose={() => askDelete(false)}
          onDeleted={() => void navigate(paths.playlists)}
        />
      )}
    </>
  )
}

/** An active playlist may go on the air: the way to the form that binds it to a group. */
function PublishLink({ playlist: { uid, state } }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
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

/** Makes a copy and leads to it; a smart one's day is planned anew. */
function useCopy({ uid, name }: PlaylistWithTracks): () => void {
  const { t } = useWords()
  const navigate = useNavigate()
  const { mutate } = usePlaylistClone()
  return () =>
    mutate(
      { id: uid, purpose: 'copy' },
      {
        onSuccess: ({ uid: made }) => {
          void toast('success', t('playlists:copied', { name }))
          if (made) void navigate(paths.playlist(made))
        },
        onError: failure => toastFailure(failure, 'playlist'),
      },
    )
}
