import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { readPlanLimits, makeMetricsCache } from './dashboard.ts'

export function registerDashboard(http: Http, { log }: Pick<Context, 'log'>): void {
  const quickMetrics = makeMetricsCache(log)
  http.forUsers(readQuickMetrics, call => quickMetrics(call))
  http.forUsers(readLimits, call => readPlanLimits(call))
}
