import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconPlayerPause, IconBroadcast } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure, toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { playlistQueries, usePlaylistToggle } from './playlist-data.ts'
import styles from './playlists.module.css'

/** What a playlist's state means for whoever wants to change it, and the way to the other state. */
export function PlaylistStateBar({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
  const { mutate, isPending, error } = usePlaylistToggle()
  const mayChange = useMayChange()
  const { uid, state, isInForce } = playlist
  const isPaused = state === 'paused'
  const Glyph = isPaused ? IconPencil : IconBroadcast
  const toggle = () =>
    mutate(
      { uid, from: state },
      {
        onSuccess: () => void toast('success', isPaused ? t('outcomes:active') : t('outcomes:paused')),
        onError: failure => toastFailure(failure, 'playlist'),
      },
    )
  return (
    <section className={styles.stateBar} data-state={state} aria-label={t('playlists:state')}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" className={styles.stateText}>
          <Glyph size={20} aria-hidden className={styles.stateIcon} />
          <div>
            <Text>{isPaused ? t('playlists:pausedText') : t('playlists:activeText')}</Text>
            {isInForce && <InForce playlist={playlist} />}
          </div>
        </Group>
        {mayChange && (
          <Button
            variant={isPaused ? 'filled' : 'default'}
            loading={isPending}
            onClick={toggle}
            leftSection={
              isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
            }
          >
            {isPaused ? t('states.activate') : t('states.pause')}
          </Button>
        )}
      </Group>
      {error && (
        <Alert color="red" role="alert" mt="sm">
          {describeFailure(t, error, 'playlist')}
        </Alert>
      )}
    </section>
  )
}

/** Which publications have to be turned off before it can be paused. */
function InForce({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
  const { data = [] } = useQuery(playlistQueries.publications(playlist))
  const inForce = data.filter(({ state }) => state !== 'disabled')
  return (
    <Text c="dimmed" size="sm">
      {t('playlists:inForceText')}{' '}
      {inForce.map(({ uid, name }) => (
        <Anchor key={uid} component={Link} to={paths.publication(uid)} size="sm" me="xs" td="underline">
          <bdi>{name}</bdi>
        </Anchor>
      ))}
    </Text>
  )
}
