import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Panel } from '../../ui/panel.tsx'

type Play = QuickMetrics['latestPlays'][number]

/** The latest plays of all devices, newest first and live. */
export function LatestPlays({ plays }: { plays: readonly Play[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const title = t('dashboard:latest.title')
  return (
    <Panel title={title}>
      {plays.length === 0 ? (
        <Text c="dimmed">{t('dashboard:latest.none')}</Text>
      ) : (
        <PlainTable label={title} columns={playColumns(t, format)} rows={plays} rowKey={play => play.uid} />
      )}
    </Panel>
  )
}

function playColumns(t: Translate, format: Format): ListColumn<Play>[] {
  return [
    { id: 'track', header: t('dashboard:latest.track'), cell: play => play.track ?? '–' },
    {
      id: 'device',
      header: t('dashboard:latest.device'),
      cell: play => (
        <Anchor component={Link} to={paths.device(play.deviceUid)} size="sm">
          <bdi>{play.deviceName}</bdi>
        </Anchor>
      ),
    },
    { id: 'playlist', header: t('dashboard:latest.playlist'), cell: play => play.playlist ?? '–' },
    {
      id: 'time',
      header: t('dashboard:latest.time'),
      cell: play => <time dateTime={play.eventTime}>{format.moment(play.eventTime)}</time>,
    },
  ]
}
