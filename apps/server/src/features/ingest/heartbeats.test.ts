import { randomUUID } from 'node:crypto'
import { type HeartbeatAnswer, readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { release } from '@floorcast/contract/release.ts'
import { makeClient, makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, startAnother } from '@floorcast/testing/test-server.ts'
import { expect, onTestFinished, test } from 'vitest'
import { invalidateManifests } from '../manifests/manifests.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerDevices, registerDeviceHost] })
const { database, clock } = server

async function openShop() {
  const { scope } = await makeClient(database)
  const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio' })
  return { scope, uid, player: await openPlayer(server, licenseKey) }
}

test('a heartbeat is kept as newest state and as history, and answered with time, ETag and open alerts', async () => {
  const { player, scope, uid } = await openShop()
  const alertUid = randomUUID()
  await scope.write(writes =>
    writes
      .insertInto('alerts')
      .values({ uid: alertUid, clientId: scope.clientId, kind: 'air', beganAt: clock.now })
      .execute(),
  )
  const nowPlaying = {
    name: 'Song 1',
    mediaUid: null,
    contentType: 'melodies' as const,
    startedAt: '2026-11-21T11:59:00Z',
    offsetSeconds: 0,
    durationSeconds: 180,
  }
  const body = makeHeartbeat({
    nowPlaying,
    held: [{ publicationUid: randomUUID(), revision: 1, missing: 0 }],
  })
  const answer = await server.call(sendHeartbeat, { token: player.token, body })
  expect(answer.serverTime).toBe(clock.now.toISOString())
  expect(answer.alerts).toEqual([
    { uid: alertUid, kind: 'air', beganAt: clock.now.toISOString(), isDrill: false },
  ])
  const state = await scope.reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', uid)
    .selectAll()
    .execute()
  expect(state).toMatchObject([
    {
      lastContactAt: clock.now.toISOString(),
      volume: 70,
      nowPlaying: { name: 'Song 1' },
      programVersion: release.version,
    },
  ])
  const history = await scope.reads
    .selectFrom('heartbeats')
    .where('deviceUid', '=', uid)
    .selectAll()
    .execute()
  expect(history).toMatchObject([{ nowPlayingName: 'Song 1', volume: 70, temperatureCelsius: 41.5 }])
})

test('the card shows the last check of alerts, and forgets it with a player that makes none', async () => {
  const { token: user, scope } = await server.newClient()
  const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio' })
  const { token } = await openPlayer(server, licenseKey)
  const cardAfter = async (body: ReturnType<typeof makeHeartbeat>) => {
    await server.call(sendHeartbeat, { token, body })
    return server.call(readDevice, { token: user, params: { id: uid } })
  }
  const alertCheck = {
    checkedAt: clock.now.toISOString(),
    faults: [
      { name: 'Fire', why: 'damaged' as const },
      { name: null, why: 'no-answer' as const },
    ],
  }
  expect((await cardAfter(makeHeartbeat({ alertCheck }))).alertCheck).toEqual(alertCheck)
  const { alertCheck: _, ...older } = makeHeartbeat()
  expect((await cardAfter(older as ReturnType<typeof makeHeartbeat>)).alertCheck).toBeNull()
})

test('nothing is made for a heartbeat: it is told the ETag of a manifest once the device has asked for it', async () => {
  const { player, scope, uid } = await openShop()
  const send = (manifestEtag: string | null) =>
    server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat({ manifestEtag }) })
  expect(await send(null)).toMatchObject({ manifestEtag: '', manifestWithinSeconds: 0 })
  const { etag } = await readPlayerManifest(server, player)
  expect((await send(etag)).manifestEtag).toBe(etag)
  await scope.write(writes => invalidateManifests(writes, { devices: [uid] }))
  expect((await send(etag)).manifestEtag).toBe('')
  expect((await readPlayerManifest(server, player)).etag).toBe(etag)
  // The former form has an ETag of its own, by which a device without a channel is known.
  const former = String((await server.ask(readManifest, player)).headers['etag'])
  expect(former).not.toBe(etag)
  expect((await send(former)).manifestEtag).toBe(former)
})

test('connectivity’s transitions have their true times, however late they are noticed', async () => {
  const { player, scope, uid } = await openShop()
  const start = clock.now
  onTestFinished(() => {
    clock.now = start
  })
  const beatAfter = async (minutes: number) => {
    clock.now = new Date(start.getTime() + minutes * 60_000)
    await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  }
  await beatAfter(0)
  await beatAfter(60)
  await beatAfter(121)
  await beatAfter(121 + 1500)
  const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000).toISOString()
  const transitions = await scope.reads
    .selectFrom('deviceTransitions')
    .where('deviceUid', '=', uid)
    .select(['at', 'state'])
    .orderBy('at')
    .execute()
  expect(transitions).toEqual([
    { at: after(0), state: 'online' },
    { at: after(120), state: 'linkdown' },
    { at: after(121), state: 'online' },
    { at: after(181), state: 'linkdown' },
    { at: after(121 + 1440), state: 'linklost' },
    { at: after(121 + 1500), state: 'online' },
  ])
})

test('a heartbeat that cannot be stored is refused, and those beside it are kept', async () => {
  const shops = await Promise.all([openShop(), openShop(), openShop()])
  const bodies = [makeHeartbeat(), makeHeartbeat({ programVersion: 'a\u0000b' }), makeHeartbeat()]
  const answers = await Promise.all(
    shops.map(({ player: { token } }, index) =>
      server.ask(sendHeartbeat, { token, body: bodies[index] ?? {} }),
    ),
  )
  expect(answers.map(answer => answer.statusCode)).toEqual([200, 422, 200])
})

test('a server that has just started answers a heartbeat without making the manifest of the group', async () => {
  const { scope } = await makeClient(database)
  const groupUid = await makeGroup(scope)
  const { licenseKey } = await makeDevice(scope, { groupUid })
  const player = await openPlayer(server, licenseKey)
  const { token } = player
  const started = await startAnother(server)
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('lock table playlists, profiles')
    const answer = await started.inject({
      method: 'POST',
      url: sendHeartbeat.path,
      headers: { authorization: `Bearer ${token}` },
      payload: makeHeartbeat(),
    })
    expect(answer.json()).toMatchObject({ data: { manifestEtag: '', manifestWithinSeconds: 10 } })
    await superuser.query('rollback')
  })
  // The small group's time replaces that one as soon as it is known.
  const { etag } = await readPlayerManifest(server, player)
  const body = makeHeartbeat({ manifestEtag: etag })
  expect(await server.call(sendHeartbeat, { token, body })).toMatchObject({
    manifestEtag: etag,
    manifestWithinSeconds: 0,
  })
})

test('a heartbeat tells that the database was restored, in the time for which players keep events', async () => {
  const { player } = await openShop()
  const answerOf = async () => {
    // A database is restored while no server runs.
    const started = await startAnother(server)
    const headers = { authorization: `Bearer ${player.token}` }
    const url = sendHeartbeat.path
    const answer = await started.inject({ method: 'POST', url, headers, payload: makeHeartbeat() })
    return answer.json<{ data: HeartbeatAnswer }>().data
  }
  const restore = (epoch: string, to: string, at: string) =>
    asSuperuser(server.superuserUrl, superuser =>
      superuser.query('insert into restorations values ($1, $2, $3)', [epoch, to, at]),
    )
  expect(await answerOf()).not.toHaveProperty('restored')
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString()
  const [former, first, second, since] = [randomUUID(), randomUUID(), randomUUID(), day(20)]
  await restore(former, day(120), day(100))
  expect(await answerOf()).not.toHaveProperty('restored')
  await restore(first, since, day(19))
  await restore(second, day(10), day(9))
  // A device that was off since before the first one has lost more than the second one says.
  expect(await answerOf()).toMatchObject({ restored: { epoch: second, since, withinSeconds: 0 } })
})
