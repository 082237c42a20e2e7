import { randomUUID } from 'node:crypto'
import { openDeviceSession, readManifest, sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, makePlay, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test, vi } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDeviceHost] })
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

const openFrom = (address: string, licenseKey: string, boxId: string = randomUUID()) =>
  server.ask(openDeviceSession, { address, body: { licenseKey, boxId, model: 'test', version: '1' } })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('an address, or an IPv6 network, that shows many wrong keys is told to wait; another one is not', async () => {
  const { scope } = await makeClient(server.database)
  const { licenseKey } = await makeDevice(scope)
  const guessed = await Promise.all(numbers(60).map(n => openFrom(`2001:db8:0:7::${n}`, `GUESS ${n}`)))
  expect(new Set(guessed.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  const refused = await openFrom('2001:db8:0:7:ffff::1', licenseKey)
  expect([refused.statusCode, refused.json<Problem>().code]).toEqual([429, 'too-many-requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await openFrom('2001:db8:0:8::1', licenseKey)).statusCode).toBe(200)
})

test('a key that another player has bound counts as a failure', async () => {
  const { scope } = await makeClient(server.database)
  const { licenseKey } = await makeDevice(scope)
  await openFrom('10.7.0.1', licenseKey)
  const answers = await Promise.all(numbers(60).map(() => openFrom('10.7.0.2', licenseKey)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]))
  expect((await openFrom('10.7.0.2', licenseKey)).statusCode).toBe(429)
})

test('many devices behind one address open their sessions at once', async () => {
  const { scope } = await makeClient(server.database)
  const devices = await Promise.all(numbers(150).map(() => makeDevice(scope)))
  const answers = await Promise.all(devices.map(({ licenseKey }) => openFrom('10.7.0.3', licenseKey)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})

test('a player that opens sessions without end is told to wait, and others at its address are not', async () => {
  const { scope } = await makeClient(server.database)
  const [loop, other] = [await makeDevice(scope), await makeDevice(scope)]
  const boxId = randomUUID()
  for (const _ of numbers(60))
    expect((await openFrom('10.7.0.4', loop.licenseKey, boxId)).statusCode).toBe(200)
  expect((await openFrom('10.7.0.4', loop.licenseKey, boxId)).statusCode).toBe(429)
  expect((await openFrom('10.7.0.4', other.licenseKey)).statusCode).toBe(200)
})

/** A start of a player's program; `open` opens a session of it. */
function startPlayer(licenseKey: string, boxId: string) {
  const body = { licenseKey, boxId, model: 'test', version: '1', runId: randomUUID() }
  return {
    open: (formerSession?: string) => server.ask(openDeviceSession, { body: { ...body, formerSession } }),
  }
}
const sessionOf = (answer: { json: <T>() => T }) =>
  answer.json<{ data: { token: string; playpointid: string; session: string } }>().data

test('of two players with one disk the newer session reports; the former one is refused and does not take it back', async () => {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  const boxId = randomUUID()
  const [older, newer] = [startPlayer(licenseKey, boxId), startPlayer(licenseKey, boxId)]
  const first = sessionOf(await older.open())
  const second = sessionOf(await newer.open())
  const report = ({ token }: { token: string }, sequence: number) =>
    server.ask(sendEvents, { token, params: { playpointid: uid }, body: [makePlay(sequence)] })
  expect((await report(first, 1)).statusCode).toBe(401)
  const refused = await older.open(first.session)
  expect([refused.statusCode, refused.json<Problem>().code]).toEqual([409, 'session-replaced'])
  expect((await report(second, 2)).statusCode).toBe(200)
  // Its own next session, also when the answer to the first try was lost.
  sessionOf(await newer.open(second.session))
  const fourth = sessionOf(await newer.open(second.session))
  expect((await report(fourth, 3)).statusCode).toBe(200)
  // Started again, the former player is the newest one.
  const again = sessionOf(await startPlayer(licenseKey, boxId).open())
  expect((await report(again, 4)).statusCode).toBe(200)
})

test('a player whose session is newer than that of the database, as after its restore, opens the next one', async () => {
  const { scope } = await makeClient(server.database)
  const { licenseKey } = await makeDevice(scope)
  const boxId = randomUUID()
  sessionOf(await startPlayer(licenseKey, boxId).open())
  expect((await startPlayer(licenseKey, boxId).open(uuidV7())).statusCode).toBe(200)
})
