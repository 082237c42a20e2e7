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
import { zoneClock } from './day-text.ts'
import { deviceDayQuery, lastPlaysQuery } from './devices-data.ts'
import styles from './devices.module.css'

/** The last six plays, newest first and live, by the clock of the shop, as the day beside them. */
export function LastPlays({ uid, hasPlayed }: { uid: string; hasPlayed: boolean }) {
  const { t } = useTranslate()
  const { role } = useSignedInUser()
  const result = useQuery(lastPlaysQuery(uid))
  const day = useQuery(deviceDayQuery(uid, undefined))
  const zone = day.data?.timeZone ?? browserZone()
  const hasFailed = result.isError && !result.data
  // A device that has played nothing has no plays to wait for.
  const isEmpty = result.data ? result.data.length === 0 : !hasPlayed && !hasFailed
  const isPending = !isEmpty && !hasFailed && (result.isPending || day.isPending)
  return (
    <Panel title={t('devices:card.lastPlays')} end={role === 'admin' && <WholeLog uid={uid} />}>
      {isPending && (
        <Stack gap="md">
          {[1, 2, 3, 4, 5, 6].map(line => (
            <Skeleton key={line} height={42} />
          ))}
        </Stack>
      )}
      {hasFailed && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
      {isEmpty && <Text c="dimmed">{t('devices:card.noPlays')}</Text>}
      {!isPending && !isEmpty && result.data && (
        <>
          {zone !== browserZone() && (
            <Text size="sm" c="dimmed">
              {t('devices:card.playsZone', { zone })}
            </Text>
          )}
          <ol className={styles.plays}>
            {result.data.map(play => (
              <Play key={play.uid} play={play} zone={zone} />
            ))}
          </ol>
        </>
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

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Plays of a device that is down may be days old. */
const isToday = (instant: string, zone: string) =>
  zoneClock(zone).dayAt(Date.parse(instant)) === zoneClock(zone).dayAt(Date.now())

function Play({ play, zone }: { play: LogEntry; zone: string }) {
  const format = useFormat().inZone(zone)
  return (
    <li className={styles.play}>
      <Text truncate>{play.track ?? '–'}</Text>
      <Text size="xs" c="dimmed" truncate>
        {play.playlist}
      </Text>
      <Text component="time" dateTime={play.eventTime} size="sm" c="dimmed" className={styles.time}>
        {isToday(play.eventTime, zone) ? format.time(play.eventTime) : format.dateTime(play.eventTime)}
      </Text>
    </li>
  )
}
