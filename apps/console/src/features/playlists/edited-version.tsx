import type { PlaylistCard } from '@floorcast/contract/playlists.ts'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconEdit, IconReplace } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { usePlaylistClone } from './playlist-data.ts'
import styles from './playlists.module.css'
import { ReplaceDialog } from './replace-dialog.tsx'

/** Edits what is on the air: a simple playlist as a copy in its editor, a smart one's content in the wizard. */
export function EditLive({ playlist: { uid, name, form } }: { playlist: PlaylistCard }) {
  const { t } = useWords()
  const navigate = useNavigate()
  const { mutate, isPending } = usePlaylistClone()
  const icon = <IconEdit size={16} aria-hidden />
  if (form === 'smart')
    return (
      <Button component={Link} to={paths.editSmart(uid)} leftSection={icon}>
        {t('edit')}
      </Button>
    )
  const copy = () =>
    mutate(
      { id: uid, purpose: 'edit' },
      {
        onSuccess: ({ uid: made }) => {
          void toast('success', t('playlists:edited.begun', { name }))
          if (made) void navigate(paths.playlist(made))
        },
        onError: failure => toastFailure(failure, 'playlist'),
      },
    )
  return (
    <Button leftSection={icon} loading={isPending} onClick={copy}>
      {t('edit')}
    </Button>
  )
}

/** Says whose place a playlist is to take while that is on the air, and does it. */
export function EditedVersion({ playlist }: { playlist: PlaylistCard }) {
  const [isAsked, ask] = useState(false)
  const { editOf } = playlist
  if (!editOf) return null
  return (
    <>
      {editOf.isInForce && <EditedVersionBar playlist={playlist} editOf={editOf} ask={() => ask(true)} />}
      {/* It says what somebody else was quicker with, also when nothing is left to replace. */}
      {isAsked && <ReplaceDialog playlist={playlist} former={editOf} onClose={() => ask(false)} />}
    </>
  )
}

interface EditedVersionBarProps {
  playlist: PlaylistCard
  editOf: { uid: string; name: string }
  ask: () => void
}

function EditedVersionBar({ playlist: { itemCount }, editOf, ask }: EditedVersionBarProps) {
  const { t } = useWords()
  const mayChange = useMayChange()
  return (
    <section className={styles.stateBar} aria-label={t('playlists:edited.label')}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" className={styles.stateText}>
          <IconReplace size={20} aria-hidden className={styles.stateIcon} />
          <div>
            <Text>
              {t('playlists:edited.of')}{' '}
              <Anchor component={Link} to={paths.playlist(editOf.uid)} td="underline">
                <bdi>{editOf.name}</bdi>
              </Anchor>
            </Text>
            <Text c="dimmed" size="sm">
              {itemCount === 0 ? t('playlists:edited.empty') : t('playlists:edited.whenDone')}
            </Text>
          </div>
        </Group>
        {mayChange && itemCount > 0 && (
          <Button leftSection={<IconReplace size={16} aria-hidden />} onClick={ask}>
            {t('playlists:edited.replace')}
          </Button>
        )}
      </Group>
    </section>
  )
}
