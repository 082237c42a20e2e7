import * as contract from '@floorcast/contract/charts.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Http } from '../../platform/http/http.ts'
import {
  ChartCache,
  measureActiveDevices,
  measureAvailability,
  measurePlays,
  readPlaysByHour,
  measureServers,
} from './charts.ts'
import type { ServerChart } from './charts-queries.ts'
import { readDeviceMap } from './device-map.ts'

export function registerCharts(http: Http): void {
  registerClientCharts(http)
  const servers = new ChartCache<contract.Chart>()
  const ofServers = (ctx: RequestContext & { query: { range: contract.ChartRange } }, name: ServerChart) =>
    servers.read(ctx, { owner: '', name, query: ctx.query }, () => measureServers(ctx, name, ctx.query.range))
  http.forUsers(contract.readFreeSpaceChart, call => ofServers(call, 'free-space'))
  http.forUsers(contract.readLoadChart1, call => ofServers(call, 'la-1min'))
  http.forUsers(contract.readLoadChart5, call => ofServers(call, 'la-5min'))
  http.forUsers(contract.readLoadChart15, call => ofServers(call, 'la-15min'))
}

function registerClientCharts(http: Http): void {
  const charts = new ChartCache<contract.Chart>()
  const ofClient = <Query extends contract.ChartQuery>(
    { path }: Endpoint,
    measure: (ctx: RequestContext, query: Query) => Promise<contract.Chart>,
  ) => {
    return (call: RequestContext & { query: Query }) =>
      charts.read(call, { owner: call.scope.clientId, name: path, query: call.query }, () =>
        measure(call, call.query),
      )
  }
  http.forUsers(contract.readPlaysChart, ofClient(contract.readPlaysChart, measurePlays))
  http.forUsers(
    contract.readActiveDevicesChart,
    ofClient(contract.readActiveDevicesChart, measureActiveDevices),
  )
  http.forUsers(contract.readAvailabilityChart, ofClient(contract.readAvailabilityChart, measureAvailability))
  const hours = new ChartCache<contract.HourChart>()
  http.forUsers(contract.readPlaysByHour, call =>
    hours.read(call, { owner: call.scope.clientId, name: 'hours', query: call.query }, () =>
      readPlaysByHour(call, call.query),
    ),
  )
  const maps = new ChartCache<contract.DeviceMap>()
  http.forUsers(contract.readDeviceMap, call =>
    maps.read(
      call,
      { owner: call.scope.clientId, name: 'map', query: { ...call.query, range: '1h' as const } },
      () => readDeviceMap(call, call.query),
    ),
  )
}
