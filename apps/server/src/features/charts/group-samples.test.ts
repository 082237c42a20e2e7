import {
  readActiveDevicesChart,
  readFreeSpaceChart,
  readLoadChart1,
  readLoadChart15,
  readLoadChart5,
} from '@floorcast/contract/charts.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { nameOf, openJobs } from '../../jobs/jobs.ts'
import { startSampling, takeSamples } from '../../jobs/samples.ts'
import { registerCharts } from './charts-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerCharts] })
})

const NOON = Date.parse('2026-11-21T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const time = (minute: number) => new Date(NOON + minute * MINUTE).toISOString()

/** Two servers take their samples of a minute. */
async function take(minute: number) {
  server.clock.now = new Date(NOON + minute * MINUTE)
  const state = { loadAverages: [0, 0, 0] as [number, number, number], freeBytes: 1, totalBytes: 2 }
  await takeSamples(server.context, 'one:8080', state)
  await takeSamples(server.context, 'two:8080', state)
}

it('counts the devices that were in a group at the time, and keeps that for 46 days', async () => {
  const { scope, token } = await server.newClient()
  const since = new Date(time(3))
  const first = await makeGroup(scope, { at: since })
  const second = await makeGroup(scope, { at: since })
  const { uid } = await makeDevice(scope, { groupUid: first, at: since })
  await makeDevice(scope, { groupUid: first, at: since })
  await makeDevice(scope, { at: since })
  const contact = { deviceUid: uid, clientId: scope.clientId, lastContactAt: time(3) }
  await server.database.ingest.write(writes => writes.insertInto('deviceStates').values(contact).execute())

  for (const minute of [4, 9, 10, 11, 20]) await take(minute)
  await scope.write(async writes => {
    await writes.updateTable('devices').set({ groupUid: second }).where('uid', '=', uid).execute()
    const binned = { deletedAt: time(21) }
    await writes.updateTable('groups').set(binned).where('uid', '=', second).execute()
  })
  await take(30)
  const rows = await scope.reads
    .selectFrom('groupConnectivitySamples')
    .select(['groupUid', 'at', 'online', 'neverup'])
    .orderBy('at')
    .orderBy('groupUid')
    .execute()
  expect(rows.map(row => Object.values(row))).toEqual([
    [first, time(10), 1, 1],
    [second, time(10), 0, 0],
    [first, time(20), 1, 1],
    [second, time(20), 0, 0],
    [first, time(30), 0, 1],
  ])

  const query = { range: '24h', group: first } as const
  const { series } = await server.call(readActiveDevicesChart, { token, query })
  const drawn = new Map(series.map(({ uid: state, points }) => [state, new Map(points)]))
  expect(
    ['online', 'neverup'].map(state => [0, 20, 30].map(minute => drawn.get(state)?.get(time(minute)))),
  ).toEqual([
    [null, 1, 0],
    [null, 1, 1],
  ])

  const later = (46 * DAY) / MINUTE + 60
  await take(later)
  const kept = await scope.reads.selectFrom('groupConnectivitySamples').select('at').execute()
  expect(kept).toEqual([{ at: time(later) }])
})

it('names the series of a server without the name or port of its machine', async () => {
  server.clock.now = new Date(NOON + 60 * DAY)
  await startSampling(server.context, openJobs(server.context, nameOf('shop-host', 8080)))()
  const { token } = await server.newClient()
  const endpoints = [readFreeSpaceChart, readLoadChart1, readLoadChart5, readLoadChart15]
  for (const endpoint of endpoints) {
    const { series } = await server.call(endpoint, { token, query: { range: '1h' } })
    expect(series.map(({ name }) => name)).toEqual([expect.stringMatching(/^server [0-9a-f]{4}$/)])
  }
})
