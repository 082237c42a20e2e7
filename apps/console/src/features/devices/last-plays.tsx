import type { LogEntry } from '@floorcast/contract/logs.ts'
import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { lastPlaysQuery } from './devices-data.ts'
import styles from './devices.module.css'

/** The last six plays, newest first and live. */
export function LastPlays({ uid }: { uid: string }) {
  const { t } = useTranslate()
  const { role } = useSignedInUser()
  const result = useQuery(lastPlaysQuery(uid))
  return (
    <Panel title={t('devices:card.lastPlays')} end={role === 'admin' && <WholeLog uid={uid} />}>
      {result.isPending && (
        <Stack gap="md">
          {[1, 2, 3, 4, 5, 6].map(line => (
            <Skeleton key={line} height={24} />
          ))}
        </Stack>
      )}
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.data?.length === 0 && <Text c="dimmed">{t('devices:card.noPlays')}</Text>}
      {result.data && result.data.length > 0 && (
        <ol className={styles.plays}>
          {result.data.map(play => (
            <Play key={play.uid} play={play} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function WholeLog({ uid }: { uid: string }) {
  const { t } = useTranslate()
  return (
    <Anchor component={Link} to={paths.deviceLog('playtrack', uid)} size="sm">
      {t('devices:card.allPlays')}
    </Anchor>
  )
}

/** Plays of a device that is down may be days old. */
const isToday = (instant: string) => new Date(instant).toDateString() === new Date().toDateString()

function Play({ play }: { play: LogEntry }) {
  const format = useFormat()
  return (
    <li className={styles.play}>
      <Text truncate>{play.track ?? '–'}</Text>
      <Text size="xs" c="dimmed" truncate>
        {play.playlist}
      </Text>
      <Text component="time" dateTime={play.eventTime} size="sm" c="dimmed" className={styles.time}>
        {isToday(play.eventTime) ? format.time(play.eventTime) : format.dateTime(play.eventTime)}
      </Text>
    </li>
  )
}
