import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Anchor, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Panel } from '../../ui/panel.tsx'
import styles from './dashboard.module.css'

/** What has just been played anywhere, newest first; new plays appear by themselves. */
export function LatestPlays({ plays }: { plays: QuickMetrics['latestPlays'] }) {
  const { t } = useWords()
  const format = useFormat()
  return (
    <Panel title={t('dashboard:latest.title')}>
      {plays.length === 0 ? (
        <Text c="dimmed">{t('dashboard:latest.none')}</Text>
      ) : (
        <div className={styles.scroll}>
          <Table className={styles.plays} aria-label={t('dashboard:latest.title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('dashboard:latest.time')}</Table.Th>
                <Table.Th>{t('dashboard:latest.track')}</Table.Th>
                <Table.Th>{t('dashboard:latest.device')}</Table.Th>
                <Table.Th>{t('dashboard:latest.playlist')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {plays.map(play => (
                <Table.Tr key={play.uid}>
                  <Table.Td className={styles.time}>
                    <time dateTime={play.eventTime}>{format.dateTime(play.eventTime)}</time>
                  </Table.Td>
                  <Table.Td>{play.track ?? '–'}</Table.Td>
                  <Table.Td>
                    <Anchor component={Link} to={paths.device(play.deviceUid)} size="sm">
                      {play.deviceName}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{play.playlist ?? '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Panel>
  )
}
