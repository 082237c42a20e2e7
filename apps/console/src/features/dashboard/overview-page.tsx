import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DeviceCards } from './device-cards.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestPlays } from './latest-plays.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { PlanCards } from './plan-cards.tsx'
import styles from './dashboard.module.css'
import { limitsQuery, metricsQuery } from './dashboard-data.ts'

/** What needs a person first, then how everything is; kept true by the live stream. */
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
      <div className={styles.cards}>
        <DeviceCards metrics={metrics.data} limits={limits.data} />
        <PlanCards metrics={metrics.data} limits={limits.data} />
      </div>
      <LatestPlays plays={metrics.data.latestPlays} />
    </Stack>
  )
}

/** Nothing was ever played, nothing waits to be, and no device that was there is gone. */
const isNew = ({ latestPlays, publications, down }: QuickMetrics) =>
  latestPlays.length + publications.active + publications.delayed + down.length === 0

function OverviewSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={120} />
      <div className={styles.cards}>
        {[1, 2, 3, 4, 5, 6, 7, 8].map(card => (
          <Skeleton key={card} height={112} />
        ))}
      </div>
      <Skeleton height={360} />
    </Stack>
  )
}
