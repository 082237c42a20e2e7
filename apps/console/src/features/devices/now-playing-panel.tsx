import type { DeviceCard, NowPlaying } from '@floorcast/contract/devices.ts'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangleFilled, IconClockExclamation, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useNow } from '../../platform/use-now.ts'
import { describeSilence } from '../../ui/device-state.ts'
import { Panel } from '../../ui/panel.tsx'

/** The current track of the device, by its last report and for as long as that can be true; or why it plays nothing. */
export function NowPlayingPanel({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { activity, nowPlaying, silentReason, connectionLostAt } = device
  return (
    <Panel title={t('devices:columns.nowPlaying')}>
      <Stack gap="xs" aria-live="polite">
        {nowPlaying && connectionLostAt === null && (
          <Playing playing={nowPlaying} isMuted={silentReason === 'muted'} />
        )}
        {!(nowPlaying && activity === 'playing') && <NotPlaying device={device} />}
        {nowPlaying && connectionLostAt !== null && (
          <Group gap="xs" c="dimmed" wrap="nowrap">
            <IconClockExclamation size={20} aria-hidden />
            <Text>
              {t('devices:card.connectionLost', {
                time: format.time(connectionLostAt),
                track: t('common:quoted', { name: nowPlaying.name }),
              })}
            </Text>
          </Group>
        )}
      </Stack>
    </Panel>
  )
}

function NotPlaying({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { silentReason, silentSince } = device
  const isToMend = silentReason !== null && describeSilence(t, silentReason).tone === 'late'
  const CalmSign = silentReason === null ? IconClockExclamation : IconVolumeOff
  const Sign = isToMend ? IconAlertTriangleFilled : CalmSign
  return (
    <>
      <Group gap="xs" c={isToMend ? 'var(--fc-late)' : 'dimmed'} wrap="nowrap">
        <Sign size={20} aria-hidden />
        <Text>{describe(t, format, device)}</Text>
      </Group>
      {silentReason !== null && silentSince !== null && (
        <Text size="sm" c="dimmed">
          {t('devices:card.since', { time: format.dateTime(silentSince) })}
        </Text>
      )}
    </>
  )
}

function describe(t: Translate, format: Format, { silentReason, lastContactAt }: DeviceCard): string {
  if (lastContactAt === null) return t('devices:card.neverConnected')
  if (silentReason === null) return t('devices:card.late', { time: format.dateTime(lastContactAt) })
  return t('devices:card.silentBecause', { reason: describeSilence(t, silentReason).word })
}

function Playing({ playing, isMuted }: { playing: NowPlaying; isMuted: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const nowMs = useNow(1000)
  const { startedAt, offsetSeconds, durationSeconds } = playing
  const elapsed = Math.max(0, (nowMs - Date.parse(startedAt)) / 1000) + offsetSeconds
  const shown = durationSeconds === null ? elapsed : Math.min(elapsed, durationSeconds)
  const Sign = isMuted ? IconVolumeOff : IconVolume
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Sign size={20} aria-hidden />
        <Text fw={600} truncate>
          {playing.name}
        </Text>
      </Group>
      {durationSeconds !== null && (
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
    </>
  )
}
