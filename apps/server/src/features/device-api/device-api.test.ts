import { randomUUID } from 'node:crypto'
import {
  openDeviceSession,
  readManifest,
  sendEvents,
  sendHeartbeat,
} from '@floorcast/contract/device-protocol.ts'
import { FormerManifest } from '@floorcast/contract/manifest.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { makeClient, makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalidateManifests } from '../manifests/manifests.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerDeviceHost] })
const { database, clock } = server

async function makeShop() {
  const { scope } = await makeClient(database)
  const groupUid = await makeGroup(scope, { name: 'North' })
  const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio', groupUid })
  return { scope, uid, licenseKey, groupUid }
}

async function openShop() {
  const shop = await makeShop()
  return { ...shop, player: await openPlayer(server, shop.licenseKey) }
}

/** Rows past row-level security. */
async function rowsOf(sql: string, values: unknown[]) {
  const superuser = new Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  const { rows } = await superuser.query<Record<string, unknown>>(sql, values)
  await superuser.end()
  return rows
}
const playsOf = (deviceUid: string) =>
  rowsOf('select * from plays where device_uid = $1 order by sequence', [deviceUid])

test('the first use of a key binds it; another player is refused and told what to do; the same player may come again', async () => {
  const { uid, licenseKey } = await makeShop()
  const player = await openPlayer(server, licenseKey)
  expect(player.deviceUid).toBe(uid)
  const body = { licenseKey, boxId: randomUUID(), model: 'other', version: '1' }
  const refused = await server.ask(openDeviceSession, { body })
  expect(refused.statusCode).toBe(403)
  const problem = Problem.parse(refused.json())
  expect(problem.code).toBe('license-bound')
  expect(problem.detail).toContain('another player')
  const again = await openPlayer(server, licenseKey, player.boxId)
  expect(again.deviceUid).toBe(uid)
  expect((await server.ask(readManifest, again)).statusCode).toBe(200)
  expect((await server.ask(readManifest, player)).statusCode).toBe(401)
})

test('a key that nobody has is refused by name', async () => {
  const body = { licenseKey: 'no such key', boxId: randomUUID(), model: 'm', version: '1' }
  const refused = await server.ask(openDeviceSession, { body })
  expect([refused.statusCode, Problem.parse(refused.json()).code]).toEqual([404, 'license-unknown'])
})

test('a device speaks for itself only: no token, a user’s token, another’s play point', async () => {
  const { player } = await openShop()
  const { player: foreign } = await openShop()
  const user = await server.newClient()
  for (const token of [undefined, 'nonsense', user.token])
    expect((await server.ask(readManifest, { ...player, token: token ?? '' })).statusCode).toBe(401)
  const asForeign = { token: foreign.token, params: player.params }
  expect((await server.ask(readManifest, asForeign)).statusCode).toBe(404)
  expect((await server.ask(sendEvents, { ...asForeign, body: [makePlay(1)] })).statusCode).toBe(404)
  expect(await playsOf(player.deviceUid)).toEqual([])
})

test('a manifest is the same bytes until something changes; held, it is a 304', async () => {
  const { player, scope, uid } = await openShop()
  const first = await server.ask(readManifest, player)
  expect(z.object({ data: FormerManifest }).parse(first.json()).data.device.name).toBe('Till radio')
  const second = await server.ask(readManifest, player)
  expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
  const etag = String(first.headers['etag'])
  const held = () =>
    server.http.app.inject({
      url: `/api/v2/iplay/manifest/${uid}`,
      headers: { authorization: `Bearer ${player.token}`, 'if-none-match': etag },
    })
  expect([(await held()).statusCode, (await held()).body]).toEqual([304, ''])
  await scope.write(async writes => {
    await writes.updateTable('devices').set({ name: 'Front radio' }).where('uid', '=', uid).execute()
    await invalidateManifests(writes, { devices: [uid] })
  })
  const changed = await held()
  expect(changed.statusCode).toBe(200)
  expect(changed.headers['etag']).not.toBe(etag)
})

test('the same batch sent three times, also at the same time, is stored once', async () => {
  const { player } = await openShop()
  const body = Array.from({ length: 20 }, (_, index) => makePlay(index + 1))
  const answers = await Promise.all([1, 2, 3].map(() => server.call(sendEvents, { ...player, body })))
  expect(answers.map(({ accepted, duplicates }) => accepted + duplicates)).toEqual([20, 20, 20])
  expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(20)
  expect(await server.call(sendEvents, { ...player, body })).toEqual({
    code: 200,
    accepted: 0,
    duplicates: 20,
    refused: [],
  })
  const plays = await playsOf(player.deviceUid)
  expect(plays.map(play => play['track_name'])).toEqual(body.map((_, index) => `Song ${index + 1}`))
  expect(plays[0]).toMatchObject({ device_name: 'Till radio', group_name: 'North', is_clock_doubted: false })
})

test('a gap is seen, also beside a refused event, and closes when the rest arrives', async () => {
  const { player, scope, uid } = await openShop()
  const refused = { ...makePlay(4), result: 'wonderful' }
  const answer = await server.call(sendEvents, {
    ...player,
    body: [makePlay(1), makePlay(3), refused, makePlay(7)],
  })
  expect(answer).toMatchObject({ code: 303, accepted: 3, duplicates: 0 })
  expect(answer.refused.map(({ id }) => id)).toEqual([refused.id])
  expect(answer.refused[0]?.why).toContain('result')
  const received = async () => {
    const boots = await scope.reads
      .selectFrom('deviceBoots')
      .where('deviceUid', '=', uid)
      .select('received')
      .execute()
    return boots.map(boot => boot.received)
  }
  expect(await received()).toEqual(['{[1,2),[3,5),[7,8)}'])
  await server.call(sendEvents, { ...player, body: [makePlay(6), makePlay(2), makePlay(5)] })
  expect(await received()).toEqual(['{[1,8)}'])
  expect(await playsOf(uid)).toHaveLength(6)
})

test('events of every kind are kept; an implausible clock is flagged and the server’s day is taken', async () => {
  const { player, scope, uid } = await openShop()
  const head = (sequence: number) => ({ ...makePlay(sequence), at: '2015-01-01T00:00:00Z' })
  const { id, bootId } = makePlay(1)
  const events = [
    {
      id,
      bootId,
      sequence: 1,
      at: clock.now.toISOString(),
      kind: 'debug',
      level: 'info',
      code: 'a',
      message: 'b',
    },
    { ...head(2), startedAt: '2015-01-01T00:00:00Z', endedAt: '2015-01-01T00:00:20Z' },
  ]
  const answer = await server.call(sendEvents, { ...player, body: events })
  expect(answer).toMatchObject({ accepted: 2, refused: [] })
  const logs = await scope.reads.selectFrom('deviceLogs').where('deviceUid', '=', uid).selectAll().execute()
  expect(logs).toMatchObject([{ kind: 'debug', details: { level: 'info', code: 'a', message: 'b' } }])
  const day = clock.now.toISOString().slice(0, 10)
  const plays = await scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', uid)
    .select(['day', 'isClockDoubted', 'startedAt'])
    .execute()
  expect(plays).toEqual([{ day, isClockDoubted: true, startedAt: '2015-01-01T00:00:00.000Z' }])
})

test('plays of 80 days ago are kept in their day', async () => {
  const { player, scope, uid } = await openShop()
  const at = new Date(clock.now.getTime() - 80 * 86_400_000).toISOString()
  await server.call(sendEvents, {
    ...player,
    body: [makePlay(1, { at, startedAt: at, endedAt: at, scheduledAt: at })],
  })
  const plays = await scope.reads.selectFrom('plays').where('deviceUid', '=', uid).select(['day']).execute()
  expect(plays).toEqual([{ day: at.slice(0, 10) }])
})

test('a list that is none, or too long, is refused whole', async () => {
  const { player } = await openShop()
  for (const body of [{ events: [] }, Array.from({ length: 501 }, (_, index) => makePlay(index + 1))])
    expect((await server.ask(sendEvents, { ...player, body })).statusCode).toBe(422)
})

test('devices of two clients in one commit stay separate', async () => {
  const [one, other] = [await openShop(), await openShop()]
  await Promise.all(
    [one, other].map(async ({ player }) => {
      await server.call(sendEvents, { ...player, body: [makePlay(1), makePlay(2)] })
      await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
    }),
  )
  for (const { scope, uid } of [one, other]) {
    const plays = await scope.reads.selectFrom('plays').select('deviceUid').execute()
    expect(plays).toEqual([{ deviceUid: uid }, { deviceUid: uid }])
    const beats = await scope.reads.selectFrom('heartbeats').select('deviceUid').execute()
    expect(beats).toEqual([{ deviceUid: uid }])
    const counts = await scope.reads
      .selectFrom('historyCounts')
      .select(['kind', 'rowCount'])
      .orderBy('kind')
      .execute()
    expect(counts).toEqual([
      { kind: 'heartbeats', rowCount: 1 },
      { kind: 'plays', rowCount: 2 },
    ])
  }
})
