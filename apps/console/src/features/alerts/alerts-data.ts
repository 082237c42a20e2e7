import { listAlertDevices, readAlert } from '@floorcast/contract/alert-devices.ts'
import {
  beginAlert,
  endAlert,
  listAlerts,
  readAlertReach,
  type AlertRow,
} from '@floorcast/contract/alerts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import type { ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

type AlertsQuery = QueryOf<typeof listAlerts>
type AlertDevicesQuery = QueryOf<typeof listAlertDevices>

/** Receipts come a second after an alert; the change feed does not name them: ten thousand would be too many. */
const progressMs = 1_000
/** The list costs the server more than the counts. */
const devicesMs = 3_000
/** An alert's page follows the last receipts for this time after the alert's end. */
const followMs = 60_000

/** How often the page of an alert asks; false: it does not. */
const intervalOf = (alert: Pick<AlertRow, 'endedAt'> | undefined, ms: number): number | false => {
  if (!alert) return false
  return alert.endedAt === null || Date.now() - Date.parse(alert.endedAt) < followMs ? ms : false
}

export const alertQueries = {
  list: (query: AlertsQuery) => listQuery(queryKeys.alerts.list(query), listAlerts, { query }),
  card: (uid: string) =>
    callQuery(queryKeys.alerts.card(uid), readAlert, {
      params: { uid },
      refetchInterval: ({ state }) => intervalOf(state.data, progressMs),
    }),
  devices: (alert: AlertRow, query: AlertDevicesQuery) =>
    listQuery(queryKeys.alerts.devices(alert.uid, query), listAlertDevices, {
      params: { uid: alert.uid },
      query,
      refetchInterval: () => intervalOf(alert, devicesMs),
    }),
  /** How many devices an alert would reach: asked each time the dialog opens. */
  reach: (uid: string) =>
    callQuery(queryKeys.alerts.reach(uid), readAlertReach, { params: { uid }, staleTime: 0 }),
}

export const findDevices = (search: string, signal: AbortSignal) =>
  call(listDevices, { query: { search, size: 30, sort: 'name' }, signal })

export const findGroups = (search: string, signal: AbortSignal) =>
  call(listGroups, { params: { x: 'all' }, query: { search, size: 30, sort: 'name' }, signal })

export const useBeginAlert = () =>
  useChange('alert', ({ isDrill, ...params }: ParamsOf<typeof beginAlert> & { isDrill: boolean }) =>
    change(beginAlert, { params, query: { drill: isDrill ? '1' : '0' } }),
  )

/** Ends this alert, and not another one of its kind that somebody has begun since. */
export const useEndAlert = () =>
  useChange('alert', ({ uid, kind, target }: Pick<AlertRow, 'uid' | 'kind' | 'target'>) =>
    change(endAlert, { params: { uid: target.uid ?? 'all', alerttype: kind }, query: { alert: uid } }),
  )
