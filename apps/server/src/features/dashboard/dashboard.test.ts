import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { listLastPlays } from '@floorcast/contract/devices.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDashboard } from './dashboard-routes.ts'

type Client = Awaited<ReturnType<TestServer['newClient']>>
let server: TestServer
let shop: Client
beforeAll(async () => {
  server = await testServer({ features: [registerDevices, registerDashboard] })
  // Noon: all that happened within the last hours is of one day.
  server.clock.now.setUTCHours(12, 0, 0, 0)
  shop = await server.newClient()
})

const ago = (minutes: number) => new Date(server.clock.now.getTime() - minutes * 60_000).toISOString()

/** A play of a track that ended so many minutes ago. */
async function played(
  deviceUid: string,
  trackName: string,
  given: { minutesAgo: number; result?: 'failed' },
) {
  const startedAt = ago(given.minutesAgo)
  await server.database.ingest.write(async writes => {
    await writes
      .insertInto('plays')
      .values({
        day: startedAt.slice(0, 10),
        deviceUid,
        bootUid: uuidV7(),
        sequence: 1,
        clientId: shop.scope.clientId,
        eventUid: uuidV7(),
        receivedAt: ago(0),
        deviceName: 'Till radio',
        playlistName: 'Morning mix',
        mediaUid: uuidV7(),
        sha256: 'a'.repeat(64),
        trackName,
        contentType: 'melodies',
        scheduledAt: startedAt,
        startedAt,
        endedAt: startedAt,
        secondsPlayed: 10,
        durationSeconds: 10,
        result: given.result ?? 'complete',
      })
      .execute()
    if (given.result !== 'failed')
      await writes
        .insertInto('playHours')
        .values({
          clientId: shop.scope.clientId,
          hour: `${startedAt.slice(0, 13)}:00:00Z`,
          contentType: 'melodies',
          plays: 1,
          playedMs: 10_000,
        })
        .onConflict(conflict =>
          conflict
            .columns(['clientId', 'hour', 'contentType'])
            .doUpdateSet(eb => ({ plays: eb('playHours.plays', '+', 1) })),
        )
        .execute()
    await writes
      .insertInto('historyCounts')
      .values({
        clientId: shop.scope.clientId,
        kind: 'plays',
        day: startedAt.slice(0, 10),
        rowCount: 1,
        byteCount: 700,
      })
      .onConflict(conflict =>
        conflict
          .columns(['clientId', 'kind', 'day'])
          .doUpdateSet(eb => ({ byteCount: eb('historyCounts.byteCount', '+', 700) })),
      )
      .execute()
  })
}

const quick = (token = shop.token) => server.call(readQuickMetrics, { token })

it('the dashboard is empty for a new client', async () => {
  const { token } = await server.newClient()
  const metrics = await quick(token)
  expect({ ...metrics, installation: null }).toEqual({
    installation: null,
    limits: await server.call(readLimits, { token }),
    asOf: server.clock.now.toISOString(),
    isCached: false,
    playedCount: 0,
    playedRestored: null,
    devices: { online: 0, linkdown: 0, linklost: 0, neverup: 0, playing: 0, silent: 0, late: 0 },
    changesInSeconds: null,
    silent: [],
    attention: [],
    media: { items: 0, sizeBytes: 0 },
    publications: { active: 0, delayed: 0, disabled: 0 },
    databaseSizeBytes: 0,
    history: [],
    down: [],
    latestPlays: [],
  })
})

it('the dashboard counts devices, media and plays, is seconds old and says so', async () => {
  const { scope } = shop
  const [up, down, lost] = [
    await makeDevice(scope),
    await makeDevice(scope, { name: 'Late radio' }),
    await makeDevice(scope, { name: 'Lost radio' }),
    await makeDevice(scope),
  ]
  await makeMedia(scope)
  await server.database.ingest.write(writes =>
    writes
      .insertInto('deviceStates')
      .values([
        { deviceUid: up.uid, clientId: scope.clientId, lastContactAt: ago(1) },
        { deviceUid: down.uid, clientId: scope.clientId, lastContactAt: ago(90) },
        { deviceUid: lost.uid, clientId: scope.clientId, lastContactAt: ago(5000) },
      ])
      .execute(),
  )
  await played(up.uid, 'First', { minutesAgo: 30 })
  await played(up.uid, 'Second', { minutesAgo: 20 })
  await played(up.uid, 'Broken', { minutesAgo: 10, result: 'failed' })
  const metrics = await quick()
  expect(metrics).toMatchObject({
    playedCount: 2,
    devices: { online: 1, linkdown: 1, linklost: 1, neverup: 1, playing: 0, silent: 1 },
    silent: [{ reason: 'unknown', devices: 1 }],
    attention: [
      { about: 'linklost', count: 1 },
      {
        about: 'linkdown',
        count: 1,
        reason: null,
        leadsTo: { page: 'devices', item: null, filter: { connectivity: 'linkdown' } },
      },
      {
        about: 'silent',
        count: 1,
        reason: 'unknown',
        leadsTo: { page: 'devices', item: null, filter: { silent: 'unknown' } },
      },
      { about: 'deviceLimit', count: 4, reason: null, leadsTo: null },
    ],
    media: { items: 1, sizeBytes: 4_000_000 },
    databaseSizeBytes: 2100,
    history: [{ kind: 'plays', rows: 1, bytes: 2100, oldestDay: ago(30).slice(0, 10) }],
    down: [
      { uid: down.uid, name: 'Late radio', connectivity: 'linkdown', lastContactAt: ago(90) },
      { uid: lost.uid, name: 'Lost radio', connectivity: 'linklost', lastContactAt: ago(5000) },
    ],
  })
  expect(metrics.latestPlays.map(({ track }) => track)).toEqual(['Broken', 'Second', 'First'])
  expect(metrics.latestPlays[1]).toMatchObject({
    deviceUid: up.uid,
    deviceName: 'Till radio',
    status: 'complete',
  })
  await played(up.uid, 'Third', { minutesAgo: 5 })
  server.clock.now = new Date(server.clock.now.getTime() + 500)
  expect(await quick()).toMatchObject({ playedCount: 2, isCached: true, asOf: metrics.asOf })
  server.clock.now = new Date(server.clock.now.getTime() + 5000)
  const asOf = server.clock.now.toISOString()
  expect(await quick()).toMatchObject({ playedCount: 3, isCached: false, asOf })
  const params = { id: up.uid, count: 2 }
  const last = await server.call(listLastPlays, { token: shop.token, params })
  expect(last.map(({ track }) => track)).toEqual(['Third', 'Broken'])
})

it('the dashboard lists 1 to 100 plays of a device, as its address says', async () => {
  const { scope, token } = await server.newClient()
  const { uid } = await makeDevice(scope)
  const ask = async (count: string) => {
    const url = `/device/qlastplaytracks/${uid}/count/${encodeURIComponent(count)}`
    const answer = await server.http.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    return [count, answer.statusCode, answer.json<Partial<Problem>>().errors]
  }
  for (const count of ['1', '6', '100']) expect(await ask(count)).toMatchObject([count, 200, undefined])
  for (const count of ['0', '101', '-1', '1e1', '6.5', '0x6', ' 6', 'six'])
    expect(await ask(count)).toMatchObject([count, 422, [{ path: 'count', message: 'wrong' }]])
})

it('the dashboard counts no device in the bin, and says when the counts change', async () => {
  const own = await server.newClient()
  const { clientId } = own.scope
  const [kept, late, binned] = [
    await makeDevice(own.scope),
    await makeDevice(own.scope),
    await makeDevice(own.scope),
  ]
  const overdueAt = new Date(server.clock.now.getTime() + 40_000).toISOString()
  await server.database.ingest.write(writes =>
    writes
      .insertInto('deviceStates')
      .values([
        { deviceUid: kept.uid, clientId, lastContactAt: ago(1), overdueAt },
        { deviceUid: late.uid, clientId, lastContactAt: ago(59), overdueAt: ago(50) },
        { deviceUid: binned.uid, clientId, lastContactAt: ago(90) },
      ])
      .execute(),
  )
  await own.scope.write(writes =>
    writes
      .updateTable('devices')
      .set({ deletedAt: ago(2) })
      .where('uid', '=', binned.uid)
      .execute(),
  )
  expect(await quick(own.token)).toMatchObject({
    devices: { online: 2, linkdown: 0, linklost: 0, neverup: 0, playing: 0, silent: 1, late: 1 },
    changesInSeconds: 40,
    down: [],
  })
  server.clock.now = new Date(server.clock.now.getTime() + 40_000)
  // The second device's hour is over in 20 s.
  expect(await quick(own.token)).toMatchObject({
    devices: { online: 2, silent: 0, late: 2 },
    changesInSeconds: 20,
  })
})

it("the dashboard tells the plan's limits and what is used of them", async () => {
  const limits = await server.call(readLimits, { token: shop.token })
  expect(limits).toMatchObject({
    plan: 'trial',
    isExpired: false,
    devices: { used: 4, limit: 3 },
    mediaBytes: { used: 4_000_000, limit: 2_000_000_000 },
    statisticsBytes: { used: 2800, limit: 1_000_000_000, perDay: 0, fullInDays: null },
    statisticsDeletions: [],
  })
  expect((await quick()).limits).toEqual(limits)
})
