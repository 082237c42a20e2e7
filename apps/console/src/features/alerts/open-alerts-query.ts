import { listOpenAlerts } from '@floorcast/contract/alerts.ts'
import { callQuery } from '../../platform/call-query.ts'
import { queryKeys } from '../../platform/query-keys.ts'

/** The open alerts, for every page: one call when the console starts, and one when the change feed names an alert. */
export const openAlertsQuery = () => callQuery(queryKeys.alerts.open(), listOpenAlerts, {})
