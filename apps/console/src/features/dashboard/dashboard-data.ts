import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'

export const metricsQuery = () =>
  queryOptions({
    queryKey: queryKeys.dashboard.metrics(),
    queryFn: ({ signal }) => call(readQuickMetrics, { signal }),
  })

export const limitsQuery = () =>
  queryOptions({
    queryKey: queryKeys.dashboard.limits(),
    queryFn: ({ signal }) => call(readLimits, { signal }),
  })

/** The number of playlists. */
export const playlistCountQuery = () =>
  queryOptions({
    queryKey: queryKeys.playlists.count(),
    queryFn: async ({ signal }) =>
      (await call(listPlaylists, { params: { x: 'all' }, query: { size: 1 }, signal })).total,
  })
