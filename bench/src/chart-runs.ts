import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import * as charts from '@floorcast/contract/charts.ts'
import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { FilledServer } from './filled-server.ts'
import { percentile } from './percentile.ts'

/*
 * The dashboard's calls. Each measures its figures when those that it keeps are too old, so a round waits until all of them are,
 * asks each call once for new figures, and then some times for kept ones.
 */

const KEPT_CALLS = 20
/** As the server keeps charts of 7 and 45 days. */
const KEPT_MS = 60_000
/** As FigureCache keeps what is dear. */
const DEARNESS = 10
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

type Paths = Readonly<Record<string, (server: FilledServer) => readonly string[]>>

const RANGES = ['1h', '24h', '7d', '45d'] as const
const LONG_RANGES = ['7d', '45d'] as const
const ranged = (path: string, ranges: readonly string[], more = '') =>
  ranges.map(range => `${path}?range=${range}${more}`)

/** A chart over all devices, over a group and over a device. */
const chosen = (name: string, path: string, ranges: readonly string[]): Paths => ({
  [name]: () => ranged(path, ranges),
  [`${name}OfGroup`]: ({ groupUid }) => ranged(path, ranges, `&group=${groupUid}`),
  [`${name}OfDevice`]: ({ deviceUid }) => ranged(path, ranges, `&device=${deviceUid}`),
})

const SERVER_CHARTS = [
  charts.readFreeSpaceChart,
  charts.readLoadChart1,
  charts.readLoadChart5,
  charts.readLoadChart15,
]

const PATHS: Paths = {
  quick: () => [readQuickMetrics.path],
  limits: () => [readLimits.path],
  ...chosen('plays', charts.readPlaysChart.path, RANGES),
  ...chosen('activeDevices', charts.readActiveDevicesChart.path, RANGES),
  ...chosen('availability', charts.readAvailabilityChart.path, LONG_RANGES),
  playsByHour: () => ranged(charts.readPlaysByHour.path, ['24h', '7d', '45d']),
  servers: () => SERVER_CHARTS.flatMap(({ path }) => ranged(path, RANGES)),
  map: () => [charts.readDeviceMap.path],
}

/** The names of the calls; each has a path for each range. */
export const chartNames = Object.keys(PATHS)

async function timeCall(path: string, { url, token }: FilledServer): Promise<number> {
  const begun = performance.now()
  const request = get(url + path, { agent, headers: { authorization: `Bearer ${token}` } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${body}`)
  return performance.now() - begun
}

/** Milliseconds of the calls to one path. */
interface Times {
  /** The first call of all, of a server that has just started. */
  cold: number
  measured: number[]
  kept: number[]
}

/** How long the figures are kept that took longest to measure. */
const keptMs = (times: Iterable<Times>) => {
  const slowest = Math.max(0, ...[...times].map(({ measured, cold }) => measured.at(-1) ?? cold))
  return Math.max(KEPT_MS, DEARNESS * slowest) + 1000
}

async function round(server: FilledServer, times: Map<string, Times>): Promise<void> {
  for (const name of chartNames)
    for (const path of PATHS[name]?.(server) ?? []) {
      const first = await timeCall(path, server)
      const known = times.get(path)
      if (known) known.measured.push(first)
      else times.set(path, { cold: first, measured: [], kept: [] })
      for (let call = 0; known && call < KEPT_CALLS; call += 1) known.kept.push(await timeCall(path, server))
    }
}

/** Milliseconds of a call, of its slowest range. */
export interface ChartTimes {
  cold: number
  measuredP50: number
  measuredP95: number
  keptP95: number
}

/** Calls the servers in turns, so that other load of the machine affects them alike. */
export async function timeCharts(
  servers: readonly FilledServer[],
  { rounds, isPatient }: { rounds: number; isPatient: boolean },
): Promise<Map<string, ChartTimes>[]> {
  const times = servers.map(() => new Map<string, Times>())
  for (let nr = 0; nr <= rounds; nr += 1) {
    if (nr > 0 && isPatient) await pause(Math.max(...times.map(each => keptMs(each.values()))))
    for (const [index, server] of servers.entries())
      await round(server, times[index] ?? new Map<string, Times>())
    console.error(`Dashboard: round ${nr} of ${rounds}`)
  }
  agent.destroy()
  return servers.map((server, index) => summarize(server, times[index] ?? new Map<string, Times>()))
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)

function summarize(server: FilledServer, times: ReadonlyMap<string, Times>): Map<string, ChartTimes> {
  return new Map(
    chartNames.map(name => {
      const paths = PATHS[name]?.(server) ?? []
      const own = paths.flatMap(path => times.get(path) ?? [])
      for (const path of paths) {
        const { cold = 0, measured = [] } = times.get(path) ?? {}
        const words = sorted(measured).map(ms => ms.toFixed(0))
        console.error(`${path}: ${cold.toFixed(0)} cold, then ${words.join(', ')} ms`)
      }
      const worst = (read: (each: Times) => number) => Math.max(...own.map(read))
      return [
        name,
        {
          cold: worst(each => each.cold),
          measuredP50: worst(each => percentile(sorted(each.measured), 0.5)),
          measuredP95: worst(each => percentile(sorted(each.measured), 0.95)),
          keptP95: worst(each => percentile(sorted(each.kept), 0.95)),
        },
      ]
    }),
  )
}
