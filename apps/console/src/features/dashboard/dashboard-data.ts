import {
  readActiveDevicesChart,
  readAvailabilityChart,
  readDeviceMap,
  readFreeSpaceChart,
  readLoadChart1,
  readLoadChart15,
  readLoadChart5,
  readPlaysByHour,
  readPlaysChart,
  type ChartRange,
} from '@floorcast/contract/charts.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { queryOptions } from '@tanstack/react-query'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { queryKeys } from '../../platform/query-keys.ts'

/** Charts sum up minutes to days: a change of one device moves them little, so they follow the clock, not the change feed. */
const refetchInterval = 60_000

/** An answer from the server's cache lacks the latest changes, which the change feed has named already: ask again. */
const askAgainMs = 5_000

export const metricsQuery = () =>
  callQuery(queryKeys.dashboard.metrics(), readQuickMetrics, {
    refetchInterval: ({ state: { data } }) =>
      data?.isCached ? askAgainMs : nextChangeMs(data && [data], askAgainMs) || refetchInterval,
  })

/** The number of playlists. */
export const playlistCountQuery = () =>
  queryOptions({
    queryKey: queryKeys.playlists.count(),
    queryFn: async ({ signal }) =>
      (await call(listPlaylists, { params: { x: 'all' }, query: { size: 1 }, signal })).total,
  })

/** The uid of the first device of the list; null: there is none. */
export const firstDeviceQuery = () =>
  queryOptions({
    queryKey: queryKeys.devices.first(),
    queryFn: async ({ signal }) =>
      (await call(listDevices, { query: { size: 1 }, signal })).items[0]?.uid ?? null,
  })

const chartCalls = {
  plays: readPlaysChart,
  devices: readActiveDevicesChart,
  load1: readLoadChart1,
  load5: readLoadChart5,
  load15: readLoadChart15,
  freeSpace: readFreeSpaceChart,
} as const
export type ChartName = keyof typeof chartCalls

export const chartQuery = (name: ChartName, range: ChartRange) =>
  callQuery(queryKeys.charts(name, range), chartCalls[name], { query: { range }, refetchInterval })

export const availabilityQuery = (range: '7d' | '45d') =>
  callQuery(queryKeys.charts('availability', range), readAvailabilityChart, {
    query: { range },
    refetchInterval,
  })

export const playsByHourQuery = (range: '24h' | '7d' | '45d', zone: string) =>
  callQuery(queryKeys.charts('by-hour', range, zone), readPlaysByHour, {
    query: { range, zone },
    refetchInterval,
  })

export const deviceMapQuery = (zoom: number) =>
  listQuery(queryKeys.charts('map', zoom), readDeviceMap, { query: { zoom }, refetchInterval: 15_000 })
