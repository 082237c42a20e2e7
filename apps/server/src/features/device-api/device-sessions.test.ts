import { randomUUID } from 'node:crypto'
import { openDeviceSession, readManifest } from '@floorcast/contract/device-protocol.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test, vi } from 'vitest'

const server = await testServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

test('devices that connect at once share transactions, and each gets its own device and token', async () => {
  const { scope } = await makeClient(server.database)
  const devices = await Promise.all(Array.from({ length: 30 }, () => makeDevice(scope)))
  const bindings = vi.spyOn(server.database.auth, 'bindLicenses')
  const takeovers = vi.spyOn(server.database.ingest, 'write')
  const players = await Promise.all(devices.map(({ licenseKey }) => openPlayer(server, licenseKey)))
  expect(bindings.mock.calls.length).toBeLessThan(10)
  expect(takeovers.mock.calls.length).toBe(bindings.mock.calls.length)
  vi.restoreAllMocks()
  expect(players.map(({ deviceUid }) => deviceUid)).toEqual(devices.map(({ uid }) => uid))
  for (const player of players) expect((await server.ask(readManifest, player)).statusCode).toBe(200)
})

test('a refused key or a value that no column takes refuses its own call only', async () => {
  const { scope } = await makeClient(server.database)
  const device = await makeDevice(scope)
  const ask = (licenseKey: string, model = 'test') =>
    server.ask(openDeviceSession, { body: { licenseKey, boxId: randomUUID(), model, version: '1' } })
  const answers = await Promise.all([ask('no such key'), ask(device.licenseKey), ask('x', 'a\u0000b')])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200, 400])
})

test('of several sessions that one player opens at once, one token is valid and its channel is the active one', async () => {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  const boxId = randomUUID()
  const sessions = await Promise.all(Array.from({ length: 5 }, () => openPlayer(server, licenseKey, boxId)))
  const answers = await Promise.all(sessions.map(session => server.ask(readManifest, session)))
  const valid = sessions.filter((_, n) => answers[n]?.statusCode === 200)
  expect(valid).toHaveLength(1)
  const channel = await openChannel(origin, uid, valid[0]?.token ?? '')
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
  await vi.waitFor(() => expect(channel.heard.map(({ type }) => type)).toContain('heartbeat-answer'))
  expect(channel.heard.map(({ type }) => type)).not.toContain('replaced')
  await openPlayer(server, licenseKey, boxId)
  expect(await channel.closed).toBe(4001)
})
