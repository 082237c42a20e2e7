import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../platform/query-client.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ChartsSection } from './charts-section.tsx'
import { PlanCards, StateCards } from './dashboard-cards.tsx'
import { metricsQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { DeviceMapPanel } from './device-map.tsx'
import { FirstSteps, hasBegun } from './first-steps.tsx'
import { FleetBar } from './fleet-bar.tsx'
import { InstallationPanel } from './installation-panel.tsx'
import { LatestPlays } from './latest-plays.tsx'
import { NeedsAttention } from './needs-attention.tsx'

/** The dashboard: problems first, then the fleet, figures over time, places and the plan; live. */
export function OverviewPage() {
  const metrics = useQuery(metricsQuery())
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
      <ChartsSection />
      <DeviceMapPanel />
      <LatestPlays plays={metrics.data.latestPlays} />
      <div className={styles.cards}>
        <PlanCards metrics={metrics.data} />
      </div>
      {metrics.data.installation && <InstallationPanel installation={metrics.data.installation} />}
    </Stack>
  )
}

OverviewPage.prefetch = () => queryClient.prefetchQuery(metricsQuery())

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
