import { listOpenAlerts } from '@floorcast/contract/alerts.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'

/** The open alerts, for every page: one call when the console starts, and one when the change feed names an alert. */
export const openAlertsQuery = () =>
  queryOptions({
    queryKey: queryKeys.alerts.open(),
    queryFn: ({ signal }) => call(listOpenAlerts, { signal }),
  })
