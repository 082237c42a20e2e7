import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Skeleton, Stack, Title, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useAfterFirstPaint } from '../../platform/first-paint.ts'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ChartsSection } from './charts-section.tsx'
import { PlanCards, StateCards } from './dashboard-cards.tsx'
import { metricsQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { DeviceMapPanel } from './device-map.tsx'
import { FirstSteps, hasBegun } from './first-steps.tsx'
import { FleetBar } from './fleet-bar.tsx'
import { InstallationPanel } from './installation-panel.tsx'
import { NeedsAttention } from './needs-attention.tsx'

/** The dashboard: problems first, then the fleet, figures over time, places and the plan; live. */
export function OverviewPage() {
  const metrics = useQuery(metricsQuery())
  const isWhole = useAfterFirstPaint()
  if (!metrics.data && metrics.isError)
    return <ErrorPanel error={metrics.error} retry={() => void metrics.refetch()} />
  if (!metrics.data) return <OverviewSkeleton />
  return (
    <Stack gap="md">
      <FirstSteps metrics={metrics.data} />
      {hasBegun(metrics.data) && <NeedsAttention metrics={metrics.data} />}
      <FleetBar metrics={metrics.data} />
      <div className={styles.cards} data-pair>
        <StateCards metrics={metrics.data} />
      </div>
      {isWhole ? (
        <>
          <ChartsSection />
          <DeviceMapPanel />
          <LatestPlays plays={metrics.data.latestPlays} />
          <div className={styles.cards}>
            <PlanCards metrics={metrics.data} />
          </div>
          {metrics.data.installation && <InstallationPanel installation={metrics.data.installation} />}
        </>
      ) : (
        <ChartsSkeleton />
      )}
    </Stack>
  )
}

OverviewPage.prefetch = () => queryClient.prefetchQuery(metricsQuery())

function OverviewSkeleton() {
  const { t } = useTranslate()
  return (
    <Stack gap="md" aria-busy>
      <Panel title={t('dashboard:attention.title')}>
        <Skeleton height={20} width="45%" my={12} />
        <Skeleton height={20} width="35%" my={12} />
      </Panel>
      <Panel title={t('dashboard:fleet.title')}>
        <Skeleton height={24} />
        <Skeleton height={20} mt={16} width="80%" />
      </Panel>
      <div className={styles.cards} data-pair>
        {[1, 2].map(card => (
          <div key={card} className={styles.card}>
            <Skeleton height={16} width="30%" />
            <Skeleton height={24} width="15%" />
          </div>
        ))}
      </div>
      <ChartsSkeleton />
    </Stack>
  )
}

function ChartsSkeleton() {
  const { t } = useTranslate()
  return (
    <section className={styles.section}>
      <Title order={2}>{t('dashboard:charts.title')}</Title>
      <div className={styles.charts}>
        <Panel title={t('dashboard:charts.plays')}>
          <Skeleton height={240} />
        </Panel>
        <Panel title={t('dashboard:charts.hours')}>
          <Skeleton height={240} />
        </Panel>
      </div>
    </section>
  )
}

type Play = QuickMetrics['latestPlays'][number]

/** The latest plays of all devices, newest first and live. */
function LatestPlays({ plays }: { plays: readonly Play[] }) {
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
