import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Http } from '../../platform/http/http.ts'
import { readPlanLimits } from './dashboard.ts'
import { makeMetricsCache } from './metrics-cache.ts'

export function registerDashboard(http: Http): void {
  const quickMetrics = makeMetricsCache()
  http.forUsers(readQuickMetrics, call => quickMetrics(call))
  http.forUsers(readLimits, call => readPlanLimits(call))
}
