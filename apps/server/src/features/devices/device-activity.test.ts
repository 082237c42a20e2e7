import { randomUUID } from 'node:crypto'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { type Heartbeat, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices, readDevice, resetHeartbeat } from '@floorcast/contract/devices.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { beforeEach, expect, it } from 'vitest'
import { registerDevices } from './devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDevices, registerGroups, registerDeviceProfiles, registerDashboard, registerDeviceHost],
})
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

const at = (secondsFromNow: number) =>
  new Date(server.clock.now.getTime() + secondsFromNow * 1000).toISOString()
const pass = (seconds: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
}

const track = (more: Partial<NonNullable<Heartbeat['nowPlaying']>> = {}) => ({
  name: 'Song',
  mediaUid: null,
  contentType: null,
  startedAt: at(0),
  offsetSeconds: 0,
  durationSeconds: 20,
  ...more,
})

let shop: Shop
let groupUid: string
let player: Awaited<ReturnType<typeof openPlayer>>
beforeEach(async () => {
  shop = await newShop(server)
  groupUid = await shop.group()
  player = await openPlayer(
    server,
    (await makeDevice(shop.scope, { name: 'Till radio', groupUid })).licenseKey,
  )
})

const beat = (more: Partial<Heartbeat> = {}) =>
  server.call(sendHeartbeat, { ...player, body: makeHeartbeat(more) })
const card = () => server.call(readDevice, { token: shop.token, params: { id: player.deviceUid } })
const activityIn = async (seconds: number) => {
  pass(seconds)
  const { activity, nowPlaying, silentReason } = await card()
  return [activity, nowPlaying?.name ?? null, silentReason]
}
const playing = ['playing', 'Song', null]
const late = ['late', null, null]

it('a device that was killed plays while its track can still run and for one heartbeat more; then it is late, then offline', async () => {
  await beat({ nowPlaying: track(), intervalSeconds: 60 })
  expect(await card()).toMatchObject({ changesInSeconds: 87 })
  expect(await activityIn(0)).toEqual(playing)
  expect(await activityIn(86)).toEqual(playing)
  expect(await activityIn(1)).toEqual(late)
  expect((await card()).connectivity).toBe('online')
  expect(await activityIn(3514)).toEqual([null, null, null])
  expect((await card()).connectivity).toBe('linkdown')
})

it('a device that was killed is late after three heartbeats, however long its track is', async () => {
  await beat({ nowPlaying: track({ durationSeconds: 3600 }), intervalSeconds: 10 })
  expect(await activityIn(33)).toEqual(playing)
  expect(await activityIn(1)).toEqual(late)
  await beat({ nowPlaying: track({ durationSeconds: null }), intervalSeconds: 10 })
  expect(await activityIn(33)).toEqual(playing)
  expect(await activityIn(1)).toEqual(late)
})

it('a device that was killed is counted as late, and the link of the count finds it', async () => {
  await makeDevice(shop.scope, { name: 'Never up' })
  await beat({ nowPlaying: track(), intervalSeconds: 10 })
  pass(34)
  const { devices, attention } = await server.call(readQuickMetrics, { token: shop.token })
  expect(devices).toMatchObject({ online: 1, playing: 0, silent: 0, late: 1, neverup: 1 })
  const [line] = attention
  expect(line).toMatchObject({
    about: 'late',
    count: 1,
    unreportedSeconds: 34,
    leadsTo: { filter: { connectivity: 'late' } },
  })
  const found = async (connectivity: string) =>
    (await server.call(listDevices, { token: shop.token, query: { connectivity, sort: 'name' } })).items.map(
      ({ name }) => name,
    )
  expect(await found('late')).toEqual(['Till radio'])
  expect(await found('late,neverup')).toEqual(['Never up', 'Till radio'])
  expect(await found('linkdown,linklost')).toEqual([])
  expect(await found('online')).toEqual(['Till radio'])
})

it('what a device says of its track has the place at which it was joined, and ends as much earlier', async () => {
  await beat({ nowPlaying: track({ durationSeconds: 120, offsetSeconds: 100 }), intervalSeconds: 10 })
  expect((await card()).nowPlaying).toMatchObject({ offsetSeconds: 100, durationSeconds: 120 })
  expect(await activityIn(31)).toEqual(playing)
  expect(await activityIn(1)).toEqual(late)
})

it('what a device says of its track is believed no longer than the track, however often it is repeated', async () => {
  const nowPlaying = track()
  for (let beats = 0; beats < 4; beats += 1) {
    await beat({ nowPlaying, intervalSeconds: 10 })
    pass(10)
  }
  await beat({ nowPlaying, intervalSeconds: 10 })
  expect(await activityIn(0)).toEqual(['silent', null, 'unknown'])
})

it('what a device says of its track is believed for the length of the track where its clock is wrong', async () => {
  for (const startedAt of [at(500_000), '1970-01-01T00:00:00.000Z']) {
    await beat({ nowPlaying: track({ startedAt }), intervalSeconds: 10 })
    expect(await activityIn(31)).toEqual(playing)
    expect(await activityIn(1)).toEqual(late)
  }
})

it('what a device says of its track may be a track of any length', async () => {
  await beat({ nowPlaying: track({ durationSeconds: 1e300 }) })
  expect(await activityIn(0)).toEqual(playing)
})

const former = () => {
  const { silence: _, intervalSeconds: __, ...older } = makeHeartbeat({ nowPlaying: null })
  return server.call(sendHeartbeat, { ...player, body: older })
}

it('a device of a former release counts as reporting once a minute', async () => {
  await former()
  expect(await activityIn(198)).toEqual(['silent', null, 'unknown'])
  expect(await activityIn(1)).toEqual(late)
})

it('a device of a former release says nothing of where it joined its track, nor does its row', async () => {
  await beat({ nowPlaying: track() })
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query("update device_states set now_playing = now_playing - 'offsetSeconds'"),
  )
  expect((await card()).nowPlaying).toMatchObject({ name: 'Song', offsetSeconds: 0 })
  const { items } = await server.call(listDevices, { token: shop.token, query: {} })
  expect(items).toMatchObject([{ nowPlaying: { offsetSeconds: 0 } }])
})

it('a device of a former release counts as reporting as often as its profile says', async () => {
  const { token } = shop
  const body = {
    name: 'Slow line',
    type: 'network',
    settings: { heartbeatSeconds: 600 },
    groupUids: [groupUid],
  }
  const { uid: id = '' } = await server.call(editProfile, { token, body })
  await server.call(changeProfileState, { token, params: { id } })
  await former()
  expect(await activityIn(1980)).toEqual(['silent', null, 'unknown'])
  expect(await activityIn(1)).toEqual(late)
})

it.each(['downloading', 'player-broken', 'player-missing', 'stopped', 'closed'])(
  'a silent device says why and since when: %s',
  async because => {
    await beat({ silence: { because, since: at(-600) } })
    expect(await card()).toMatchObject({ silentReason: because, silentSince: at(-600), nowPlaying: null })
    const query = { silent: `${because},muted` }
    expect((await server.call(listDevices, { token: shop.token, query })).total).toBe(1)
    await beat({ nowPlaying: track() })
    expect(await card()).toMatchObject({ silentReason: null, silentSince: null, activity: 'playing' })
  },
)

it('a silent device has an unknown reason if the server does not know it, and is silent since its first heartbeat without a time', async () => {
  await beat({ silence: { because: 'tea-time', since: '1970-01-01T00:00:00.000Z' } })
  const since = at(0)
  pass(10)
  await beat({ silence: { because: 'tea-time', since: '1970-01-01T00:00:00.000Z' } })
  expect(await card()).toMatchObject({ silentReason: 'unknown', silentSince: since })
})

it('a channel that closes leaves the device playing, without a connection until it reports', async () => {
  const { token, deviceUid } = player
  const channel = await openChannel(origin, deviceUid, token)
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat({ nowPlaying: track(), intervalSeconds: 60 }) })
  await channel.hear(1)
  expect(await card()).toMatchObject({ isConnectionLost: false })
  await channel.close()
  await eventually(async () =>
    expect(await card()).toMatchObject({
      isConnectionLost: true,
      connectionLostAt: expect.any(String) as unknown,
      activity: 'playing',
      connectivity: 'online',
    }),
  )
  await beat({ nowPlaying: track() })
  expect((await card()).isConnectionLost).toBe(false)
})

it('a channel that closes is no loss for a device that has another one', async () => {
  const { token, deviceUid } = player
  const first = await openChannel(origin, deviceUid, token)
  first.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
  await first.hear(1)
  pass(1)
  const second = await openChannel(origin, deviceUid, token)
  expect(await first.closed).toBe(4002)
  second.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
  await second.hear(1)
  expect((await card()).isConnectionLost).toBe(false)
})

it('a device whose last contact is forgotten does nothing', async () => {
  await beat({ nowPlaying: track() })
  await server.call(resetHeartbeat, { token: shop.token, params: { id: player.deviceUid } })
  expect(await card()).toMatchObject({ connectivity: 'neverup', activity: null, nowPlaying: null })
})

it('refuses a filter with an unknown or an empty value', async () => {
  for (const query of [
    { connectivity: 'online,away' },
    { silent: 'closed,' },
    { silent: `${randomUUID()}` },
  ]) {
    const answer = await server.ask(listDevices, { token: shop.token, query })
    expect(answer.statusCode).toBe(422)
  }
})
