import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconPlayerPause, IconBroadcast } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure, toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import { EditOnAirButton } from './edited-version.tsx'
import { playlistQueries, useChangePlaylistState } from './playlists-data.ts'
import styles from './playlists.module.css'

/** Explains the state of a playlist and switches it. */
export function PlaylistStateBar({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const { mutate, isPending, error } = useChangePlaylistState()
  const mayChange = useMayChange()
  const { uid, state, isInForce, editOf } = playlist
  const isPaused = state === 'paused'
  const StateIcon = isPaused ? IconPencil : IconBroadcast
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
          <StateIcon size={20} aria-hidden className={styles.stateIcon} />
          <div>
            <Text>{t(isInForce ? 'playlists:inForceText' : `playlists:${state}Text`)}</Text>
            {isInForce && <OnAirLinks playlist={playlist} />}
          </div>
        </Group>
        {mayChange && isInForce && <EditOnAirButton playlist={playlist} />}
        {mayChange && !isInForce && (
          <ToggleButton
            playlist={playlist}
            isMain={isPaused && !editOf?.isInForce}
            isBusy={isPending}
            onToggle={toggle}
          />
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

interface ToggleButtonProps {
  playlist: PlaylistWithTracks
  isMain: boolean
  isBusy: boolean
  onToggle: () => void
}

/** Activates or pauses. An empty playlist is not activated: it could not be published. */
function ToggleButton({ playlist: { state, itemCount }, isMain, isBusy, onToggle }: ToggleButtonProps) {
  const { t } = useTranslate()
  const isPaused = state === 'paused'
  const isEmpty = isPaused && itemCount === 0
  const Glyph = isPaused ? IconPlayerPlay : IconPlayerPause
  return (
    <Tooltip label={t('reasons:playlist-empty')} disabled={!isEmpty}>
      <Button
        variant={isMain ? 'filled' : 'default'}
        loading={isBusy}
        data-disabled={isEmpty}
        aria-disabled={isEmpty}
        onClick={() => !isEmpty && onToggle()}
        leftSection={<Glyph size={16} aria-hidden />}
      >
        {isPaused ? t('states.activate') : t('states.pause')}
      </Button>
    </Tooltip>
  )
}

/** Links to the publications that play it or will, and to its edited copies. */
function OnAirLinks({ playlist: { uid, edits } }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const { data = [] } = useQuery(playlistQueries.publications(uid))
  const inForce = data.filter(({ state }) => state !== 'disabled')
  return (
    <>
      <Links label={t('playlists:inForceIn')} items={inForce} pathOf={paths.publication} />
      {edits.length > 0 && (
        <Links label={t('playlists:edited.copies')} items={edits} pathOf={paths.playlist} />
      )}
    </>
  )
}

interface LinksProps {
  label: string
  items: readonly { uid: string; name: string }[]
  pathOf: (uid: string) => string
}

function Links({ label, items, pathOf }: LinksProps) {
  return (
    <Text c="dimmed" size="sm">
      {label}
      {sentenceGap()}
      {items.map(({ uid, name }) => (
        <Anchor key={uid} component={Link} to={pathOf(uid)} size="sm" me="xs" td="underline">
          <bdi>{name}</bdi>
        </Anchor>
      ))}
    </Text>
  )
}
