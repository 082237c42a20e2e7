import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Skeleton, Stack } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ChartsSection } from './charts-section.tsx'
import { PlanCards, StateCards } from './dashboard-cards.tsx'
import { limitsQuery, metricsQuery, playlistCountQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { DeviceMapPanel } from './device-map.tsx'
import { FleetBar } from './fleet-bar.tsx'
import { InstallationPanel } from './installation-panel.tsx'
import { LatestPlays } from './latest-plays.tsx'
import { NeedsAttention } from './needs-attention.tsx'

/** The first steps of a new client, with those already done. */
function FirstSteps({ metrics, limits }: { metrics: QuickMetrics; limits: Limits }) {
  const { t } = useTranslate()
  const playlists = useQuery(playlistCountQuery())
  const steps = [
    { key: 'device', to: paths.devices, isDone: limits.devices.used > 0 },
    { key: 'media', to: paths.media('melodies'), isDone: metrics.media.items > 0 },
    { key: 'playlist', to: paths.playlists, isDone: (playlists.data ?? 0) > 0 },
    { key: 'publication', to: paths.publications, isDone: metrics.publications.active > 0 },
  ] as const
  return (
    <Panel title={t('dashboard:first.title')}>
      <ol className={styles.steps}>
        {steps.map(step => (
          <li key={step.key}>
            <Link to={step.to} className={styles.step} data-done={step.isDone || undefined}>
              {step.isDone ? (
                <IconCircleCheckFilled size={20} aria-hidden />
              ) : (
                <IconCircleDashed size={20} aria-hidden />
              )}
              {t(`dashboard:first.${step.key}`)}
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The dashboard: problems first, then the fleet, figures over time, places and the plan; live. */
export function OverviewPage() {
  const metrics = useQuery(metricsQuery())
  const limits = useQuery(limitsQuery())
  const failed = [metrics, limits].find(result => result.isError && !result.data)
  if (failed) return <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />
  if (!metrics.data || !limits.data) return <OverviewSkeleton />
  return (
    <Stack gap="md">
      {isNew(metrics.data) ? (
        <FirstSteps metrics={metrics.data} limits={limits.data} />
      ) : (
        <NeedsAttention metrics={metrics.data} limits={limits.data} />
      )}
      <FleetBar metrics={metrics.data} />
      <div className={styles.cards} data-pair>
        <StateCards metrics={metrics.data} />
      </div>
      <ChartsSection />
      <DeviceMapPanel />
      <LatestPlays plays={metrics.data.latestPlays} />
      <div className={styles.cards}>
        <PlanCards metrics={metrics.data} limits={limits.data} />
      </div>
      {metrics.data.installation && <InstallationPanel installation={metrics.data.installation} />}
    </Stack>
  )
}

/** True when nothing has been played, nothing is scheduled and no known device is down. */
const isNew = ({ latestPlays, publications, down }: QuickMetrics) =>
  latestPlays.length + publications.active + publications.delayed + down.length === 0

function OverviewSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={120} />
      <Skeleton height={160} />
      <div className={styles.cards} data-pair>
        {[1, 2].map(card => (
          <Skeleton key={card} height={112} />
        ))}
      </div>
      <Skeleton height={360} />
    </Stack>
  )
}
