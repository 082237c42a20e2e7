import { randomUUID } from 'node:crypto'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { readLimits } from '@floorcast/contract/dashboard.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerDashboard, registerDeviceHost] })

async function openDevice() {
  const shop = await newShop(server)
  const { licenseKey, uid } = await makeDevice(shop.scope)
  return { shop, uid, player: await openPlayer(server, licenseKey) }
}

const list = (count: number) => Array.from({ length: count }, () => null)

test('a device delivers fifty thousand events at once, then one a second; another device is not held back', async () => {
  const [{ player }, other] = [await openDevice(), await openDevice()]
  const send = (count: number, from = player) => server.ask(sendEvents, { ...from, body: list(count) })
  for (let calls = 0; calls < 100; calls += 1) expect((await send(500)).statusCode).toBe(200)
  const refused = await send(500)
  expect([refused.statusCode, Problem.parse(refused.json()).code]).toEqual([429, 'too-many-events'])
  expect(refused.headers['retry-after']).toBe('500')
  expect((await send(500, other.player)).statusCode).toBe(200)
  server.clock.now = new Date(server.clock.now.getTime() + 500_000)
  expect((await send(500)).statusCode).toBe(200)
  expect((await send(1)).statusCode).toBe(429)
})

test('a device sends two thousand heartbeats at once, then one a second; what is more is not stored', async () => {
  const [{ player, shop, uid }, other] = [await openDevice(), await openDevice()]
  const { token } = player
  const send = async (from = token) =>
    (await server.ask(sendHeartbeat, { token: from, body: makeHeartbeat() })).statusCode
  const sendMany = (count: number) => Promise.all(Array.from({ length: count }, () => send()))
  for (let hundreds = 0; hundreds < 20; hundreds += 1)
    expect(new Set(await sendMany(100))).toEqual(new Set([200]))
  const answer = await server.ask(sendHeartbeat, { token, body: makeHeartbeat() })
  expect([answer.statusCode, Problem.parse(answer.json()).code]).toEqual([429, 'too-many-heartbeats'])
  expect(answer.headers['retry-after']).toBe('1')
  expect(await send(other.player.token)).toBe(200)
  server.clock.now = new Date(server.clock.now.getTime() + 2000)
  expect((await sendMany(5)).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429])
  const rows = await shop.scope.reads
    .selectFrom('heartbeats')
    .where('deviceUid', '=', uid)
    .select('omittedReports')
    .execute()
  const state = await shop.scope.reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', uid)
    .select('omittedReports')
    .executeTakeFirstOrThrow()
  const stored = rows.reduce((sum, { omittedReports }) => sum + 1 + (omittedReports ?? 0), 0)
  expect(stored + state.omittedReports).toBe(2002)
  // The same heartbeat again has no row.
  expect(rows).toHaveLength(1)
})

test('a client’s statistics count what its rows take, not how many they are', async () => {
  const { shop, player, uid } = await openDevice()
  const bootId = randomUUID()
  const debug = (sequence: number) => ({
    kind: 'debug',
    id: randomUUID(),
    bootId,
    sequence,
    at: server.clock.now.toISOString(),
    level: 'info',
    code: 'long',
    message: 'x'.repeat(1000),
  })
  const used = async () => (await server.call(readLimits, { token: shop.token })).statisticsBytes.used
  await server.call(sendEvents, { ...player, body: [makePlay(1), makePlay(2)] })
  const before = await used()
  const body = Array.from({ length: 500 }, (_, at) => debug(at + 1))
  await server.call(sendEvents, { ...player, body })
  const metered = (await used()) - before
  const { rows } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query<{ bytes: string }>(
      'select sum(pg_column_size(l.*)) as bytes from device_logs l where device_uid = $1',
      [uid],
    ),
  )
  // A row's indexes take some hundred bytes more.
  expect(metered).toBeGreaterThan(500 * 1000)
  expect(metered / Number(rows[0]?.bytes)).toBeLessThan(1.6)
})
