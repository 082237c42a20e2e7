import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'

export const metricsQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'metrics'],
    queryFn: ({ signal }) => call(readQuickMetrics, { signal }),
  })

export const limitsQuery = () =>
  queryOptions({ queryKey: ['dashboard', 'limits'], queryFn: ({ signal }) => call(readLimits, { signal }) })
