import type { Chart, HourChart } from '@floorcast/contract/charts.ts'
import {
  readActiveDevicesChart,
  readAvailabilityChart,
  readFreeSpaceChart,
  readLoadChart1,
  readLoadChart15,
  readLoadChart5,
  readPlaysByHour,
  readPlaysChart,
} from '@floorcast/contract/charts.ts'
import { readQuickMetrics, type QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { FakeServer } from './fake-server.ts'

const asOf = '2026-06-10T22:30:00.000Z'
const gigabyte = 1_000_000_000

/** A client with a device that plays, one that is down and one that never connected. */
export const metrics: QuickMetrics = {
  asOf,
  isCached: false,
  changesInSeconds: null,
  playedCount: 7,
  playedRestored: null,
  devices: { online: 1, linkdown: 0, linklost: 1, neverup: 1, playing: 1, silent: 0, late: 0 },
  silent: [],
  attention: [
    {
      about: 'linklost',
      count: 1,
      reason: null,
      unreportedSeconds: null,
      leadsTo: { page: 'devices', item: null, filter: { connectivity: 'linklost' } },
    },
  ],
  media: { items: 1, sizeBytes: gigabyte },
  publications: { active: 1, delayed: 0, disabled: 0 },
  databaseSizeBytes: 1000,
  history: [],
  limits: {
    plan: 'trial',
    expiresAt: '2031-01-01T00:00:00.000Z',
    isExpired: false,
    devices: { used: 3, limit: 10 },
    mediaBytes: { used: gigabyte, limit: 10 * gigabyte },
    statisticsBytes: { used: 1000, limit: gigabyte, perDay: 100, fullInDays: null },
    statisticsDeletions: [],
  },
  installation: {
    asOf,
    servers: [
      {
        name: 'server-1',
        at: asOf,
        isReporting: true,
        loadAverages: [0.1, 0.2, 0.3],
        freeBytes: gigabyte,
        totalBytes: 2 * gigabyte,
      },
    ],
    database: {
      version: '18',
      sizeBytes: gigabyte,
      connections: { used: 3, limit: 100 },
      maintainedAt: asOf,
      components: [{ name: 'plays', rows: 100, bytes: 1000 }],
    },
  },
  down: [],
  latestPlays: [
    {
      uid: '0193a1f0-0000-7000-8000-0000000000c1',
      eventTime: asOf,
      receiveTime: asOf,
      playlist: 'Morning calm',
      version: null,
      track: 'Morning light',
      status: null,
      description: null,
      type: null,
      code: null,
      class: null,
      channel: null,
      updatePackage: null,
      request: null,
      comment: null,
      plannedTime: null,
      secondsPlayed: 180,
      volume: null,
      temperatureCelsius: null,
      deviceUid: '0193a1f0-0000-7000-8000-00000000000d',
      deviceName: 'Bakery Lane 4',
    },
  ],
}

/** Four melodies and an ad in each of three hours. */
export const playsChart: Chart = {
  asOf,
  unit: 'plays',
  stepSeconds: 3600,
  series: [
    { uid: 'melodies', value: 4 },
    { uid: 'ads', value: 1 },
  ].map(({ uid, value }) => ({
    uid,
    name: uid,
    points: [19, 20, 21].map((hour): [string, number] => [`2026-06-10T${hour}:00:00.000Z`, value]),
  })),
}

/** Answers the calls of the overview: its metrics, the chart of plays, and other charts without figures. */
export function answerOverview(server: FakeServer, read: () => QuickMetrics = () => metrics): void {
  const empty = (unit: Chart['unit']) => (): Chart => ({ asOf, unit, stepSeconds: 3600, series: [] })
  server.answer(readQuickMetrics, read)
  server.answer(readPlaysChart, () => playsChart)
  server.answer(readPlaysByHour, (): HourChart => ({ asOf, unit: 'plays', series: [] }))
  server.answer(readActiveDevicesChart, empty('devices'))
  server.answer(readAvailabilityChart, empty('percent'))
  server.answer(readFreeSpaceChart, empty('bytes'))
  for (const chart of [readLoadChart1, readLoadChart5, readLoadChart15]) server.answer(chart, empty('load'))
}
