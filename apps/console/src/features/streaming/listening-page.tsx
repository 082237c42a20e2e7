import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import {
  IconBroadcast,
  IconCircleCheck,
  IconDeviceSpeaker,
  IconHeadphones,
  IconLock,
  IconPlugConnectedX,
  IconVolumeOff,
  type Icon,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { type Format, useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { joinSentences, splitAtSlot } from '../../platform/sentences.ts'
import { useStore } from '../../platform/store.ts'
import { Panel } from '../../ui/panel.tsx'
import { Answer } from './answer.tsx'
import type { DeviceActivity } from './device-activity.ts'
import type { Listening, ListeningStatus } from './listening.ts'
import { PageVolume } from './player-footer.tsx'
import { Stage } from './stage.tsx'
import styles from './streaming.module.css'
import { useListening } from './use-listening.ts'

/** The page on which a user hears what a device plays. The device does not notice it. */
export function ListeningPage({ deviceUid }: { deviceUid: string }) {
  const { t } = useTranslate()
  const listening = useListening(deviceUid)
  if (!listening) return <Answer icon={IconBroadcast} title={t('streaming:connecting')} text="" />
  return <ListeningPlayer listening={listening} deviceUid={deviceUid} />
}

function ListeningPlayer({ listening, deviceUid }: { listening: Listening; deviceUid: string }) {
  const { t } = useTranslate()
  const status = useStore(listening.status)
  const name = listening.deviceName
  if (status.end === 'no-device')
    return (
      <Answer
        icon={IconDeviceSpeaker}
        title={t('streaming:listening.noDevice.title')}
        text={t('streaming:listening.noDevice.text')}
      >
        <Button component={Link} to={paths.devices}>
          {t('streaming:listening.noDevice.button')}
        </Button>
      </Answer>
    )
  if (status.end === 'not-allowed')
    return (
      <Answer
        icon={IconLock}
        title={t('streaming:listening.notAllowed.title')}
        text={t('streaming:listening.notAllowed.text')}
      />
    )
  return (
    <div className={styles.page}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" wrap="nowrap" className={styles.facts}>
          <IconHeadphones size={20} aria-hidden className={styles.glyph} />
          <Text>{t('streaming:listening.text')}</Text>
        </Group>
        <Anchor component={Link} to={paths.device(deviceUid)} size="sm">
          {t('streaming:listening.back')}
        </Anchor>
      </Group>
      <ActivityNotice status={status} />
      <Panel {...(name === undefined ? {} : { title: name })}>
        <Stage streaming={listening} />
        <Group className={styles.footer} justify="space-between" gap="md">
          {status.activity && <ActivityLine activity={status.activity} />}
          <PageVolume streaming={listening} />
        </Group>
      </Panel>
    </div>
  )
}

function describeFault(t: Translate, format: Format, activity: DeviceActivity): string | null {
  switch (activity.kind) {
    case 'silent':
      return t('streaming:listening.silent', { reason: t(`activity:silentReasons.${activity.because}`) })
    case 'away':
      return t('streaming:listening.away', { time: format.dateTime(activity.since) })
    case 'never':
      return t('streaming:listening.never')
    case 'playing':
      return null
    default:
      return activity satisfies never
  }
}

/** Says that the device does not play what is heard here. */
function ActivityNotice({ status: { activity, isOffline, scene } }: { status: ListeningStatus }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (isOffline) return <Alert color="yellow">{t('streaming:listening.offline')}</Alert>
  const fault = activity && describeFault(t, format, activity)
  // The stage says why a shop is to be silent. An alert is not a track.
  const isExpected = scene.kind === 'alert' || (scene.kind === 'silent' && activity?.kind === 'silent')
  if (fault === null || isExpected) return null
  return (
    <Alert color="yellow" role="status">
      {joinSentences(fault, scene.kind === 'playing' ? t('streaming:listening.should') : null)}
    </Alert>
  )
}

const activities: Record<DeviceActivity['kind'], { icon: Icon; color: string }> = {
  playing: { icon: IconCircleCheck, color: 'green' },
  silent: { icon: IconVolumeOff, color: 'yellow' },
  away: { icon: IconPlugConnectedX, color: 'red' },
  never: { icon: IconPlugConnectedX, color: 'dimmed' },
}

function ActivityLine({ activity }: { activity: DeviceActivity }) {
  const { t } = useTranslate()
  const { icon: Glyph, color } = activities[activity.kind]
  const [before, after] = splitAtSlot(name => t('streaming:listening.playsTrack', { name }))
  return (
    <Group gap={6} wrap="nowrap" className={styles.facts}>
      <Glyph size={16} aria-hidden className={styles.linkIcon} data-color={color} />
      <Text size="sm" truncate data-activity={activity.kind}>
        {activity.kind === 'playing' ? (
          <>
            {before}
            <bdi>{activity.name}</bdi>
            {after}
          </>
        ) : (
          t(`streaming:listening.state.${activity.kind}`)
        )}
      </Text>
    </Group>
  )
}
