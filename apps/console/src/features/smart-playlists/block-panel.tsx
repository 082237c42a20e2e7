import type { SmartDay, SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlayerStopFilled, IconVolume } from '@tabler/icons-react'
import { useState, type Dispatch, type SetStateAction } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMediaFile } from '../../platform/use-media-file.ts'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { describeBlock, wallSeconds, type SmartBlock } from './smart-blocks.ts'
import styles from './smart-playlists.module.css'
import { formatWallTime } from './wall-time.ts'

const pageSize = 12

interface BlockPanelProps {
  day: SmartDay
  block: SmartBlock
  isVideo: boolean
  /** Index in the block of the play that is playing; null while none is. */
  playing: number | null
  setPlaying: Dispatch<SetStateAction<number | null>>
}

/** The plays of a block and their times, with a player. */
export function BlockPanel({ day, block, isVideo, playing, setPlaying }: BlockPanelProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const current = playing === null ? undefined : block.plays[playing]
  return (
    <Panel
      title={t('wizard:block.title', { place: format.number(block.index + 1) })}
      end={
        <Button
          variant={playing === null ? 'filled' : 'default'}
          leftSection={
            playing === null ? (
              <IconPlayerPlayFilled size={16} aria-hidden />
            ) : (
              <IconPlayerStopFilled size={16} aria-hidden />
            )
          }
          onClick={() => setPlaying(playing === null ? 0 : null)}
        >
          {playing === null ? t('wizard:block.play') : t('wizard:block.stop')}
        </Button>
      }
    >
      <Text c="dimmed" size="sm" mb="xs" className="fc-figures">
        {describeBlock({ t, format }, day, block)}
      </Text>
      {current && playing !== null && (
        <TrackPlayer
          key={`${block.index} ${playing}`}
          track={current.track}
          isVideo={isVideo}
          onEnded={() => setPlaying(playing + 1 < block.plays.length ? playing + 1 : null)}
        />
      )}
      <Plays key={block.index} day={day} block={block} playing={playing} setPlaying={setPlaying} />
    </Panel>
  )
}

/** The plays page by page; a click plays one. */
function Plays({ day, block, playing, setPlaying }: Omit<BlockPanelProps, 'isVideo'>) {
  const { t } = useTranslate()
  const format = useFormat()
  const [wantedPage, setWantedPage] = useState(1)
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(block.plays.length / pageSize)))
  const first = (page - 1) * pageSize
  return (
    <>
      <ol className={styles.plays} start={first + 1}>
        {block.plays.slice(first, first + pageSize).map(({ track, start }, index) => (
          <li key={first + index} data-playing={playing === first + index || undefined}>
            <button type="button" className={styles.play} onClick={() => setPlaying(first + index)}>
              <span className={styles.time}>{formatWallTime(wallSeconds(day, start))}</span>
              <span className={styles.name}>
                <bdi>{track.name}</bdi>
              </span>
              {playing === first + index && (
                <IconVolume
                  size={16}
                  role="img"
                  aria-label={t('wizard:block.playing')}
                  className={styles.playing}
                />
              )}
              <span className={styles.time}>{format.duration(track.duration)}</span>
            </button>
          </li>
        ))}
      </ol>
      <Pager
        label={t('wizard:block.pages')}
        page={page}
        size={pageSize}
        total={block.plays.length}
        onChange={setWantedPage}
      />
    </>
  )
}

interface TrackPlayerProps {
  track: SmartTrack
  isVideo: boolean
  onEnded: () => void
}

/** Plays the media file of a track. */
function TrackPlayer({ track, isVideo, onEnded }: TrackPlayerProps) {
  const { t } = useTranslate()
  const { address, renew } = useMediaFile(track.uid)
  const [isBroken, setIsBroken] = useState(false)
  const shared = {
    src: address,
    controls: true,
    autoPlay: true,
    'aria-label': t('wizard:block.player', { name: track.name }),
    onEnded,
    onPlaying: () => setIsBroken(false),
    onError: (event: { currentTarget: HTMLMediaElement }) => {
      if (event.currentTarget.src !== '' && !renew(event.currentTarget)) setIsBroken(true)
    },
  }
  return (
    <Group mb="sm" dir="ltr">
      {isVideo ? (
        <video {...shared} className={styles.video} playsInline />
      ) : (
        <audio {...shared} className={styles.audio} />
      )}
      {isBroken && (
        <Alert color="red" role="alert">
          {t('wizard:block.cannotPlay', { name: track.name })}
        </Alert>
      )}
    </Group>
  )
}
