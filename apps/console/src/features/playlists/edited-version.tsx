import type { PlaylistCard } from '@floorcast/contract/playlists.ts'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconEdit, IconReplace } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { splitAtSlot } from '../../platform/sentences.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { useClonePlaylist } from './playlists-data.ts'
import { ReplaceDialog } from './playlist-dialogs.ts'
import styles from './playlists.module.css'

/** Edits a copy of a playlist that is on the air: a simple one in the editor, a smart one in the wizard. */
export function EditOnAirButton({ playlist: { uid, name, form } }: { playlist: PlaylistCard }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { mutate, isPending } = useClonePlaylist()
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
        onSuccess: ({ uid: copyUid }, isShown) => {
          void toast('success', t('playlists:edited.created', { name }))
          if (copyUid && isShown) void navigate(paths.playlist(copyUid))
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

/** Offers to replace the original of an edited copy while the original is on the air. */
export function EditedVersion({ playlist }: { playlist: PlaylistCard }) {
  const [isAsked, setIsAsked] = useState(false)
  const { editOf } = playlist
  if (!editOf) return null
  return (
    <>
      {editOf.isInForce && (
        <EditedVersionBar playlist={playlist} editOf={editOf} onReplace={() => setIsAsked(true)} />
      )}
      {/* Outside the bar: the dialog tells what another user changed, also when nothing is left to replace. */}
      {isAsked && <ReplaceDialog playlist={playlist} former={editOf} onClose={() => setIsAsked(false)} />}
    </>
  )
}

interface EditedVersionBarProps {
  playlist: PlaylistCard
  editOf: { uid: string; name: string }
  onReplace: () => void
}

function EditedVersionBar({ playlist: { itemCount }, editOf, onReplace }: EditedVersionBarProps) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const [before, after] = splitAtSlot(name => t('playlists:edited.ofName', { name }))
  return (
    <section className={styles.stateBar} aria-label={t('playlists:edited.label')}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" className={styles.stateText}>
          <IconReplace size={20} aria-hidden className={styles.stateIcon} />
          <div>
            <Text>
              {before}
              <Anchor component={Link} to={paths.playlist(editOf.uid)} td="underline">
                <bdi>{editOf.name}</bdi>
              </Anchor>
              {after}
            </Text>
            <Text c="dimmed" size="sm">
              {itemCount === 0 ? t('playlists:edited.empty') : t('playlists:edited.whenDone')}
            </Text>
          </div>
        </Group>
        {mayChange && itemCount > 0 && (
          <Button leftSection={<IconReplace size={16} aria-hidden />} onClick={onReplace}>
            {t('playlists:edited.replace')}
          </Button>
        )}
      </Group>
    </section>
  )
}
