import { Button, Group, Loader, Progress, Stack, Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClockPause,
  IconMovie,
  IconMusic,
  IconPlayerPlayFilled,
  IconSpeakerphone,
  IconVolumeOff,
  type Icon,
} from '@tabler/icons-react'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useStore } from '../../platform/store.ts'
import { useNow } from '../../platform/use-now.ts'
import type { Scene } from './player.ts'
import { SoundLevel } from './sound-level.tsx'
import type { PagePlayer } from './page-player.ts'
import styles from './streaming.module.css'
import { VideoScreen } from './video-screen.tsx'

const glyphs: Record<MediaType, Icon> = {
  melodies: IconMusic,
  ads: IconSpeakerphone,
  videos: IconMovie,
  videosAds: IconMovie,
}

/** The current track, with its picture, the time left and the next one; or why nothing plays. */
export function Stage({ streaming }: { streaming: PagePlayer }) {
  const { scene } = useStore(streaming.status)
  const isVideo = streaming.player.manifest?.device.kind === 'video'
  return (
    <>
      {isVideo && <VideoScreen streaming={streaming} isShown={scene.kind === 'playing'} />}
      <SceneView streaming={streaming} scene={scene} isVideo={isVideo} />
    </>
  )
}

function SceneView({ streaming, scene, isVideo }: { streaming: PagePlayer; scene: Scene; isVideo: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const timeOf = (instant: number) => format.time(new Date(instant).toISOString())
  switch (scene.kind) {
    case 'playing':
      return <NowPlaying streaming={streaming} play={scene.play} isVideo={isVideo} />
    case 'blocked':
      return (
        <Message
          icon={IconPlayerPlayFilled}
          title={t('streaming:start.title')}
          text={t('streaming:start.text')}
        >
          <StartButton streaming={streaming} />
        </Message>
      )
    case 'connecting':
      return (
        <Message title={t('streaming:connecting')} text="">
          <Loader size="sm" />
        </Message>
      )
    case 'waiting': {
      const time = timeOf(scene.cue.until)
      return (
        <Message
          icon={IconClockPause}
          title={t('streaming:waiting.title')}
          text={t('streaming:waiting.text', { time })}
        />
      )
    }
    case 'silent':
      return <Silence streaming={streaming} scene={scene} />
    case 'alert':
      return (
        <div className={styles.alert} role="alert">
          <IconAlertTriangle size={40} aria-hidden />
          <Title order={2}>{t('streaming:alert.title')}</Title>
          {scene.cue.alert.isDrill && <Text>{t('streaming:alert.drill')}</Text>}
        </div>
      )
    default:
      return scene satisfies never
  }
}

interface MessageProps {
  icon?: Icon
  title: string
  text: string
  children?: ReactNode
}

function Message({ icon: Glyph, title, text, children }: MessageProps) {
  return (
    <Stack className={styles.message} align="center" gap="xs" aria-live="polite">
      {Glyph && <Glyph size={40} stroke={1.25} aria-hidden className={styles.glyph} />}
      <Title order={2}>{title}</Title>
      {text !== '' && <Text c="dimmed">{text}</Text>}
      {children}
    </Stack>
  )
}

function StartButton({ streaming }: { streaming: PagePlayer }) {
  const { t } = useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <Button
      ref={button}
      size="md"
      mt="xs"
      leftSection={<IconPlayerPlayFilled size={20} aria-hidden />}
      onClick={() => streaming.allow()}
    >
      {t('streaming:start.button')}
    </Button>
  )
}

function Silence({ streaming, scene }: { streaming: PagePlayer; scene: Extract<Scene, { kind: 'silent' }> }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { because } = scene.cue
  const next = streaming.player.nextPlay(streaming.clock.now())
  if (because === 'not-downloaded')
    return (
      <Message title={t('streaming:connecting')} text={t('streaming:firstDownload')}>
        <Loader size="sm" />
      </Message>
    )
  const startsAt = next && new Date(Math.max(next.startsAt, scene.cue.until)).toISOString()
  return (
    <Message
      icon={IconVolumeOff}
      title={t('streaming:silent.title')}
      text={t('streaming:silent.text', { reason: t(`activity:silentReasons.${because}`) })}
    >
      <Text>
        {next && startsAt !== null
          ? t('streaming:silent.next', { name: next.file.name, time: format.dateTime(startsAt) })
          : t('streaming:silent.nothing')}
      </Text>
    </Message>
  )
}

function NowPlaying({
  streaming,
  play,
  isVideo,
}: {
  streaming: PagePlayer
  play: Extract<Scene, { kind: 'playing' }>['play']
  isVideo: boolean
}) {
  const { t } = useTranslate()
  const { file, publication, until } = play.cue
  const Glyph = glyphs[file.contentType]
  const next = streaming.player.nextPlay(until)
  return (
    <Group gap="lg" wrap="nowrap" align="center" className={styles.now} data-video={isVideo || undefined}>
      {!isVideo && (
        <div className={styles.cover}>
          <Glyph size={48} stroke={1.25} aria-hidden />
          <Cover key={file.mediaUid} streaming={streaming} file={file} />
          <SoundLevel sound={streaming.sound} />
        </div>
      )}
      <Stack gap={4} className={styles.words}>
        <Text size="sm" c="dimmed" truncate>
          <bdi>{publication.playlist.name}</bdi>
        </Text>
        <Title order={2} className={styles.title}>
          {/* In an Arabic page a Latin title stands at the same side as the rest. */}
          <bdi data-track>{file.name}</bdi>
        </Title>
        <TimeLeft play={play} />
        {next && (
          <Text size="sm" c="dimmed" truncate>
            {t('streaming:next', { name: next.file.name })}
          </Text>
        )}
      </Stack>
    </Group>
  )
}

/** The picture of a track, over the sign of its kind. */
function Cover({ streaming, file }: { streaming: PagePlayer; file: ManifestFile }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    let address = ''
    let isGone = false
    void streaming.pictures.read(file).then(picture => {
      if (isGone || !picture || !image.current) return
      address = URL.createObjectURL(picture)
      image.current.src = address
      image.current.hidden = false
    })
    return () => {
      isGone = true
      URL.revokeObjectURL(address)
    }
  }, [streaming, file])
  return <img ref={image} className={styles.picture} alt={''} hidden />
}

function TimeLeft({ play }: { play: Extract<Scene, { kind: 'playing' }>['play'] }) {
  const { t } = useTranslate()
  const format = useFormat()
  // The media clock says how far the sound is; the second hand only asks for it.
  useNow(250)
  const { durationSeconds } = play.cue.file
  const elapsed = Math.min(play.deck.position, durationSeconds)
  return (
    // Time runs from left to right in players of every language.
    <Group gap="sm" wrap="nowrap" dir="ltr" className="fc-figures">
      <Text size="sm" data-elapsed={elapsed.toFixed(2)}>
        {format.duration(elapsed)}
      </Text>
      <Progress
        flex={1}
        size={4}
        value={(elapsed / durationSeconds) * 100}
        aria-label={t('streaming:progress')}
      />
      <Text size="sm" dir="auto">
        {t('streaming:left', { time: format.duration(Math.max(0, durationSeconds - elapsed)) })}
      </Text>
    </Group>
  )
}
