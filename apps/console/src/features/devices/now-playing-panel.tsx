import type { DeviceCard, NowPlaying } from '@floorcast/contract/devices.ts'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useNow } from '../../platform/use-now.ts'
import { Panel } from '../../ui/panel.tsx'

/** The current play by the device's last report, live. */
export function NowPlayingPanel({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const playing = device.nowPlaying
  return (
    <Panel title={t('devices:columns.nowPlaying')}>
      <div aria-live="polite">
        {playing ? (
          <Playing playing={playing} isLive={device.connectivity === 'online'} />
        ) : (
          <Group gap="xs" c="dimmed">
            <IconVolumeOff size={20} aria-hidden />
            <Text>
              {t(device.connectivity === 'neverup' ? 'devices:card.neverConnected' : 'devices:card.silent')}
            </Text>
          </Group>
        )}
      </div>
    </Panel>
  )
}

function Playing({ playing, isLive }: { playing: NowPlaying; isLive: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const nowMs = useNow(isLive ? 1000 : null)
  const { durationSeconds } = playing
  const elapsed = Math.max(0, (nowMs - Date.parse(playing.startedAt)) / 1000)
  const shown = durationSeconds === null ? elapsed : Math.min(elapsed, durationSeconds)
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <IconVolume size={20} aria-hidden />
        <Text fw={600} truncate>
          {playing.name}
        </Text>
      </Group>
      {!isLive && (
        <Text size="sm" c="dimmed">
          {t('devices:card.asOf', { time: format.dateTime(playing.startedAt) })}
        </Text>
      )}
      {isLive && durationSeconds !== null && (
        // Time runs from left to right in players of every language.
        <Group gap="sm" wrap="nowrap" aria-live="off" dir="ltr">
          <Text size="sm" className="fc-figures">
            {format.duration(shown)}
          </Text>
          <Progress
            flex={1}
            size={4}
            value={(shown / durationSeconds) * 100}
            aria-label={t('devices:card.progress')}
          />
          <Text size="sm" className="fc-figures">
            {format.duration(durationSeconds)}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
