import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react'
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { useTranslate } from '../platform/i18n.ts'
import { createStore } from '../platform/store.ts'
import { toast } from '../platform/toasts.ts'
import { useMediaFile } from '../platform/use-media-file.ts'
import styles from './listen-button.module.css'
import { AnchoredPopover } from './overlay/overlays.tsx'

/** The button whose file plays: one at a time on a page. */
const playingStore = createStore<string | null>(null)

/** Stops a button's play, if it is still the one that plays. */
function stop(id: string): void {
  if (playingStore.get() === id) playingStore.set(null)
}

interface ListenButtonProps {
  uid: string
  name: string
  isVideo: boolean
  /** Default: a stop of the Tab key. */
  tabIndex?: number
}

/**
 * Plays a media item in place, a video in a small window; another press or Escape stops it. A plain button, because lists have
 * thousands.
 */
export function ListenButton({ uid, name, isVideo, tabIndex = 0 }: ListenButtonProps) {
  const { t } = useTranslate()
  const id = useId()
  const isPlaying = useSyncExternalStore(playingStore.subscribe, () => playingStore.get() === id)
  useEffect(() => () => stop(id), [id])
  const place = useRef<HTMLButtonElement>(null)
  const button = (
    <button
      ref={place}
      id={id}
      type="button"
      className={styles.button}
      data-listen
      tabIndex={tabIndex}
      aria-label={t(isPlaying ? 'shell:listen.stop' : 'shell:listen.play', { name })}
      onClick={() => playingStore.set(isPlaying ? null : id)}
      onKeyDown={event => event.key === 'Escape' && stop(id)}
    >
      {isPlaying ? <IconPlayerStopFilled size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
    </button>
  )
  const player = isPlaying && <Player uid={uid} name={name} isVideo={isVideo} onEnded={() => stop(id)} />
  if (!isVideo)
    return (
      <>
        {button}
        {player}
      </>
    )
  const anchor = { id, button: place, isOpen: isPlaying, setIsOpen: () => stop(id) }
  return (
    <>
      {button}
      {isPlaying && (
        <AnchoredPopover anchor={anchor} position="right" withinPortal>
          {player}
        </AnchoredPopover>
      )}
    </>
  )
}

interface PlayerProps extends Omit<ListenButtonProps, 'tabIndex'> {
  onEnded: () => void
}

function Player({ uid, name, isVideo, onEnded }: PlayerProps) {
  const { t } = useTranslate()
  const { address, renew } = useMediaFile(uid)
  const shared = {
    src: address,
    autoPlay: true,
    'aria-label': t('shell:listen.player', { name }),
    onEnded,
    onError: (event: { currentTarget: HTMLMediaElement }) => {
      if (event.currentTarget.src === '' || renew(event.currentTarget)) return
      void toast('danger', t('shell:listen.failed', { name }))
      onEnded()
    },
  }
  return isVideo ? <video {...shared} className={styles.video} controls playsInline /> : <audio {...shared} />
}
