import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconBroadcast, IconDeviceSpeaker, IconLock } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { endExpiredSession } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { Panel } from '../../ui/panel.tsx'
import { Answer } from './answer.tsx'
import { ListeningPage } from './listening-page.tsx'
import { PlayerFooter } from './player-footer.tsx'
import { Stage } from './stage.tsx'
import type { Streaming } from './streaming.ts'
import styles from './streaming.module.css'
import { useStreaming, useWakeLock } from './use-streaming.ts'

/** The page that plays as a streamer's linked device. Other users listen in on a device. */
export function StreamingPage() {
  const { t } = useTranslate()
  const { uid = '' } = useParams()
  const user = useSignedInUser()
  if (user.role !== 'streamer') return <ListeningPage deviceUid={uid} />
  if (user.linkedDeviceUid !== uid)
    return (
      <Answer
        icon={IconDeviceSpeaker}
        title={t('streaming:otherDevice.title')}
        text={t('streaming:otherDevice.text')}
      >
        {user.linkedDeviceUid !== null && (
          <Button component={Link} to={paths.streaming(user.linkedDeviceUid)}>
            {t('streaming:otherDevice.button')}
          </Button>
        )}
      </Answer>
    )
  return <OwnStream deviceUid={uid} />
}

function OwnStream({ deviceUid }: { deviceUid: string }) {
  const { t } = useTranslate()
  const { streaming, isUnsupported } = useStreaming(deviceUid)
  useWakeLock()
  if (isUnsupported)
    return (
      <Answer
        icon={IconLock}
        title={t('streaming:unsupported.title')}
        text={t('streaming:unsupported.text')}
      />
    )
  if (!streaming) return <Answer icon={IconBroadcast} title={t('streaming:connecting')} text="" />
  return (
    <div className={styles.page}>
      <Notices streaming={streaming} />
      <Panel>
        <Stage streaming={streaming} />
        <PlayerFooter streaming={streaming} />
      </Panel>
    </div>
  )
}

function Notices({ streaming }: { streaming: Streaming }) {
  const { t } = useTranslate()
  const { link, scene } = useStore(streaming.status)
  const reload = () => location.reload()
  if (link === 'replaced')
    return (
      <Alert color="red" title={t('streaming:replaced.title')} role="alert">
        <Stack gap="xs" align="start">
          <Text size="sm">{t('streaming:replaced.text')}</Text>
          <Button size="xs" color="red" onClick={reload}>
            {t('streaming:replaced.button')}
          </Button>
        </Stack>
      </Alert>
    )
  if (link === 'signed-out')
    return (
      <Alert color="red" title={t('streaming:signedOut.title')} role="alert">
        <Stack gap="xs" align="start">
          <Text size="sm">{t('streaming:signedOut.text')}</Text>
          <Button size="xs" color="red" onClick={endExpiredSession}>
            {t('streaming:signedOut.button')}
          </Button>
        </Stack>
      </Alert>
    )
  if (link === 'no-device')
    return (
      <Alert color="red" title={t('streaming:noDevice.title')}>
        {t('streaming:noDevice.text')}
      </Alert>
    )
  if (link === 'offline' && scene.kind !== 'connecting')
    return <Alert color="yellow">{t('streaming:offline')}</Alert>
  return null
}
