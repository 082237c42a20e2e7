import * as contract from '@floorcast/contract/dashboard.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { makeMetricsCache, readLimits } from './dashboard.ts'

export function registerDashboard(http: Http, context: Context): void {
  const quickMetrics = makeMetricsCache(context)
  http.forUsers(contract.readQuickMetrics, call => quickMetrics(call))
  http.forUsers(contract.readLimits, call => readLimits(call))
}
