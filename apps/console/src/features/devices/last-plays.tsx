import type { LogEntry } from '@floorcast/contract/logs.ts'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { lastPlaysQuery } from './devices-data.ts'
import styles from './devices.module.css'

/** The last six plays, newest first; a new one appears by itself. */
export function LastPlays({ uid }: { uid: string }) {
  const { t } = useWords()
  const result = useQuery(lastPlaysQuery(uid))
  return (
    <Panel title={t('devices:card.lastPlays')}>
      {result.isPending && (
        <Stack gap="md">
          {[1, 2, 3, 4, 5, 6].map(line => (
            <Skeleton key={line} height={24} />
          ))}
        </Stack>
      )}
      {result.isError && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
      {result.data?.length === 0 && <Text c="dimmed">{t('devices:card.nothingYet')}</Text>}
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

function Play({ play }: { play: LogEntry }) {
  const format = useFormat()
  return (
    <li className={styles.play}>
      <Text truncate>{play.track ?? '–'}</Text>
      <Text size="xs" c="dimmed" truncate>
        {play.playlist}
      </Text>
      <Text component="time" dateTime={play.eventTime} size="sm" c="dimmed" className={styles.time}>
        {format.time(play.eventTime)}
      </Text>
    </li>
  )
}
