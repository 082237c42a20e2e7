import type { SmartDay, SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlayerStopFilled, IconVolume } from '@tabler/icons-react'
import { useState, type Dispatch, type SetStateAction } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { useMediaFile } from '../../platform/use-media-file.ts'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { describeBlock, wallSeconds, type SmartBlock } from './smart-blocks.ts'
import styles from './smart-playlists.module.css'
import { sayWallTime } from './wall-time.ts'

const pageSize = 12

interface BlockPanelProps {
  day: SmartDay
  block: SmartBlock
  isVideo: boolean
  /** The play that is heard, by its place in the block; null while nothing is. */
  at: number | null
  listen: Dispatch<SetStateAction<number | null>>
}

/** What a block plays and when, and the block itself to listen to. */
export function BlockPanel({ day, block, isVideo, at, listen }: BlockPanelProps) {
  const { t } = useWords()
  const format = useFormat()
  const heard = at === null ? undefined : block.plays[at]
  return (
    <Panel
      title={t('wizard:block.title', { place: format.number(block.index + 1) })}
      end={
        <Button
          variant={at === null ? 'filled' : 'default'}
          leftSection={
            at === null ? (
              <IconPlayerPlayFilled size={16} aria-hidden />
            ) : (
              <IconPlayerStopFilled size={16} aria-hidden />
            )
          }
          onClick={() => listen(at === null ? 0 : null)}
        >
          {at === null ? t('wizard:block.listen') : t('wizard:block.stop')}
        </Button>
      }
    >
      <Text c="dimmed" size="sm" mb="xs" className="fc-figures">
        {describeBlock({ t, format }, day, block)}
      </Text>
      {heard && at !== null && (
        <Listener
          key={`${block.index} ${at}`}
          track={heard.track}
          isVideo={isVideo}
          onEnded={() => listen(at + 1 < block.plays.length ? at + 1 : null)}
        />
      )}
      <Plays key={block.index} day={day} block={block} at={at} listen={listen} />
    </Panel>
  )
}

/** The block's plays, a page at a time; each begins to play at a click. */
function Plays({ day, block, at, listen }: Omit<BlockPanelProps, 'isVideo'>) {
  const { t } = useWords()
  const format = useFormat()
  const [wanted, turn] = useState(1)
  const page = Math.max(1, Math.min(wanted, Math.ceil(block.plays.length / pageSize)))
  const first = (page - 1) * pageSize
  return (
    <>
      <ol className={styles.plays} start={first + 1}>
        {block.plays.slice(first, first + pageSize).map(({ track, start }, index) => (
          <li key={first + index} data-heard={at === first + index || undefined}>
            <button type="button" className={styles.play} onClick={() => listen(first + index)}>
              <span className={styles.time}>{sayWallTime(wallSeconds(day, start))}</span>
              <span className={styles.name}>
                <bdi>{track.name}</bdi>
              </span>
              {at === first + index && (
                <IconVolume
                  size={16}
                  role="img"
                  aria-label={t('wizard:block.heard')}
                  className={styles.heard}
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
        turn={turn}
      />
    </>
  )
}

interface ListenerProps {
  track: SmartTrack
  isVideo: boolean
  onEnded: () => void
}

/** Plays one track of the real media; the next comes when it ends. */
function Listener({ track, isVideo, onEnded }: ListenerProps) {
  const { t } = useWords()
  const { address, renew } = useMediaFile(track.uid)
  const [isBroken, setBroken] = useState(false)
  const shared = {
    src: address,
    controls: true,
    autoPlay: true,
    'aria-label': t('wizard:block.player', { name: track.name }),
    onEnded,
    onPlaying: () => setBroken(false),
    onError: (event: { currentTarget: HTMLMediaElement }) => {
      if (event.currentTarget.src !== '' && !renew(event.currentTarget)) setBroken(true)
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
