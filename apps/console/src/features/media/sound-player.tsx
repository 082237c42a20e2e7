import type { MediaCard } from '@floorcast/contract/media.ts'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMediaFile } from '../../platform/use-media-file.ts'
import { Panel } from '../../ui/panel.tsx'
import { CannotPlay } from './cannot-play.tsx'
import { MediaPreview } from './media-preview.tsx'
import styles from './media.module.css'
import { Wave } from './wave.tsx'

/** The state of a media element; times in seconds. */
export interface Playing {
  isPlaying: boolean
  atSeconds: number
}

/** Follows an audio or video element, and pauses it when the page is left. */
function usePlaying(element: RefObject<HTMLMediaElement | null>): Playing {
  const [playing, setPlaying] = useState<Playing>({ isPlaying: false, atSeconds: 0 })
  useEffect(() => {
    const media = element.current
    if (!media) return
    const read = () => setPlaying({ isPlaying: !media.paused && !media.ended, atSeconds: media.currentTime })
    const events = ['play', 'pause', 'ended', 'timeupdate', 'seeked']
    for (const event of events) media.addEventListener(event, read)
    return () => {
      for (const event of events) media.removeEventListener(event, read)
      media.pause()
    }
  }, [element])
  return playing
}

/** Plays a sound with its waveform. */
export function SoundPlayer({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const audio = useRef<HTMLAudioElement>(null)
  const { address, isBroken, isPlaying, atSeconds, toggle, seek, fail, recover } = useDeck(audio, media)
  return (
    <Panel>
      <div className={styles.player}>
        <MediaPreview media={media} />
        <div className={styles.deck} dir="ltr">
          <audio ref={audio} src={address} preload="metadata" onError={fail} onPlaying={recover} />
          <Group gap="sm" wrap="nowrap" align="center">
            <ActionIcon
              variant="filled"
              color="var(--mantine-primary-color-filled)"
              className={styles.playButton}
              size={48}
              disabled={!address}
              onClick={toggle}
              aria-label={isPlaying ? t('media:pause') : t('media:play')}
            >
              {isPlaying ? (
                <IconPlayerPauseFilled size={24} aria-hidden />
              ) : (
                <IconPlayerPlayFilled size={24} aria-hidden />
              )}
            </ActionIcon>
            <Wave media={media} audio={audio} address={address} atSeconds={atSeconds} seek={seek} />
          </Group>
          <Group justify="space-between" className={styles.times}>
            <Text size="sm">{format.duration(atSeconds)}</Text>
            <Text size="sm">{format.duration(media.durationSeconds)}</Text>
          </Group>
        </div>
      </div>
      {isBroken && <CannotPlay />}
    </Panel>
  )
}

/** The controls and the time of the sound. */
function useDeck(audio: RefObject<HTMLAudioElement | null>, media: MediaCard) {
  const [isBroken, setIsBroken] = useState(false)
  const { address, renew } = useMediaFile(media.uid)
  const toggle = () => {
    const element = audio.current
    if (!element) return
    if (element.paused) element.play().catch(() => setIsBroken(true))
    else element.pause()
  }
  const seek = (seconds: number) => {
    const element = audio.current
    if (element) element.currentTime = Math.max(0, Math.min(media.durationSeconds, seconds))
  }
  const fail = () => {
    if (audio.current && !renew(audio.current)) setIsBroken(true)
  }
  return { address, isBroken, ...usePlaying(audio), toggle, seek, fail, recover: () => setIsBroken(false) }
}
