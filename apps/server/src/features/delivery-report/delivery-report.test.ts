import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { addToGroup, removeFromGroup } from '@floorcast/contract/groups.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import {
  type Air,
  addAirDevice,
  airAt as at,
  isoAt as iso,
  makeAir as makeAirOf,
} from '@floorcast/testing/test-air.ts'
import { makeHeartbeat, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication, type Shop } from '@floorcast/testing/test-shop.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from '../smart-playlists/smart-playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeliveryReport } from './delivery-report-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerDeliveryReport,
    registerTags,
    registerDeviceHost,
  ],
})
const SECOND = 1000
const DAY_MS = 86_400_000

type Player = Awaited<ReturnType<typeof openPlayer>>
const makeAir = () => makeAirOf(server)
const addDevice = (air: Air) => addAirDevice(server, air)

const send = async ({ token, params }: Player, body: object[]) => {
  const { refused } = await server.call(sendEvents, { token, params, body })
  expect(refused).toEqual([])
}
const beat = ({ token }: Player) => server.call(sendHeartbeat, { token, body: makeHeartbeat() })
const ask = async (shop: Shop, uid: string, query: object = {}) =>
  (await server.call(readDelivery, { token: shop.token, params: { uid }, query })).publications

test('what was promised, planned and made of an ad, and why they differ', async () => {
  const air = await makeAir()
  const { shop, plays, publication, playlist, group } = air
  expect(plays.length).toBeGreaterThan(10)
  const whole = await addDevice(air)
  const poor = await addDevice(air)
  const late = await addDevice(air)
  await addDevice(air)
  // The last shop opens at half past nine: its player is up and reports no plays.
  for (const [key, value] of [
    ['openingTime', '09:30'],
    ['closingTime', '18:00'],
  ])
    await server.call(addTag, {
      token: shop.token,
      params: { contentType: 'device', uid: late.uid },
      body: { key, value },
    })
  server.clock.now = at('10:30')
  const unplanned = whole.play((plays[3] ?? 0) + 15 * SECOND)
  await send(whole.player, [...plays.map(moment => whole.play(moment)), unplanned])
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0] = plays
  await send(poor.player, [
    // Passed over: the player came too late, or was off.
    poor.play(p0, { result: 'failed', why: 'schedule', secondsPlayed: 0 }),
    poor.play(p7, { result: 'failed', why: 'agent-stopped', secondsPlayed: 0 }),
    poor.source(p1 - SECOND, 'began'),
    poor.play(p1, { result: 'joined' }),
    poor.play(p2, { result: 'cut', why: 'agent-stopped', secondsPlayed: 4 }),
    poor.play(p3, { result: 'failed', why: 'unrecognized file format', secondsPlayed: 0 }),
    poor.source(p4 - SECOND, 'silent', 'not-downloaded'),
    poor.source(p5 - SECOND, 'began'),
    poor.play(p5, { result: 'cut', why: 'alert', secondsPlayed: 2 }),
    // The alert cut it, then it was heard whole, so it counts as made.
    poor.play(p6, { result: 'cut', why: 'alert', secondsPlayed: 2, endedAt: iso(p6 + 2 * SECOND) }),
    poor.play(p6, { startedAt: iso(p6 + 3 * SECOND), endedAt: iso(p6 + 13 * SECOND) }),
  ])
  for (const { player } of [whole, late]) await beat(player)
  server.clock.now = new Date(p7 + SECOND)
  await beat(poor.player)
  server.clock.now = at('12:00')

  const [delivery, ...others] = await ask(shop, air.ad)
  expect(others).toEqual([])
  const closed = plays.filter(moment => moment < at('09:30').getTime()).length
  expect(p0).toBeGreaterThan(0)
  expect(delivery).toMatchObject({
    publication: { uid: publication, name: 'On the air' },
    playlist: { uid: playlist, name: 'Spring day', form: 'smart' },
    group: { uid: group },
    state: 'active',
    devices: 4,
    since: '2026-11-20T07:00:00.000Z',
    until: '2026-11-20T12:00:00.000Z',
    promised: 4 * plays.length,
    planned: 4 * plays.length - closed,
    made: plays.length + 2,
    extra: 1,
    hours: 3.5,
    promisedAnHour: plays.length,
  })
  expect(Object.fromEntries(delivery?.gaps.map(({ why, plays: gap }) => [why, gap]) ?? [])).toEqual({
    closed,
    joined: 1,
    cut: 1,
    alert: 1,
    failed: 1,
    'not-downloaded': 1,
    'started-late': 1,
    'never-up': plays.length,
    // The player of `poor` was up at its eighth play, did not report it, and was silent since.
    'not-reported': plays.length - 8,
    'device-off': 1 + plays.length - closed,
  })
  const missing = delivery?.gaps.reduce((sum, { plays: gap }) => sum + gap, 0) ?? 0
  expect(delivery?.made).toBe((delivery?.promised ?? 0) - missing + (delivery?.extra ?? 0))
  expect(delivery?.madeAnHour).toBeCloseTo((plays.length + 2) / 3.5)
})

test('a publication that is off shows what it made; a play during an alert is the alert’s', async () => {
  const air = await makeAir()
  const { shop, plays, publication } = air
  const device = await addDevice(air)
  server.clock.now = at('10:30')
  const [p0 = 0, p1 = 0, p2 = 0] = plays
  const alertUid = randomUUID()
  await shop.scope.write(writes =>
    writes
      .insertInto('alerts')
      .values({ uid: alertUid, clientId: shop.scope.clientId, kind: 'air', beganAt: iso(p1 - SECOND) })
      .execute(),
  )
  const alert = (step: 'started' | 'ended', moment: number) => ({
    ...device.source(moment, 'began'),
    kind: 'alert' as const,
    alertUid,
    alertKind: 'air' as const,
    step,
  })
  await send(device.player, [
    device.source(p0, 'began'),
    device.play(p0),
    alert('started', p1 - SECOND),
    alert('ended', p1 + SECOND),
    ...plays.slice(2).map(moment => device.play(moment)),
  ])
  await beat(device.player)
  expect(p2).toBeGreaterThan(p1)
  expect((await ask(shop, air.ad))[0]).toMatchObject({
    made: plays.length - 1,
    gaps: [{ why: 'alert', plays: 1 }],
  })
  await shop.turn(publication)
  expect((await ask(shop, air.ad))[0]).toMatchObject({
    state: 'disabled',
    promised: 0,
    made: plays.length - 1,
    extra: plays.length - 1,
    gaps: [],
    promisedAnHour: null,
    plannedAnHour: null,
  })
})

test('a simple playlist is counted by its loop; a wait for a start promises before it makes', async () => {
  server.clock.now = at('07:00')
  const shop = await newShop(server)
  const { group, playlist, uid } = await readyPublication(shop)
  const { licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  await shop.turn(uid)
  const player = await openPlayer(server, licenseKey)
  const { mediaUid: track } = await shop.scope.reads
    .selectFrom('playlistItems')
    .select('mediaUid')
    .executeTakeFirstOrThrow()
  const { manifest } = await readPlayerManifest(server, player)
  server.clock.now = at('08:00')
  const plays: object[] = []
  for (let moment = at('07:00').getTime(); moment < at('07:30').getTime();) {
    const cue = cueAt(manifest, moment, filesOf(manifest))
    if (cue.kind !== 'play') throw new Error('silent')
    const times = { scheduledAt: iso(cue.startsAt), startedAt: iso(cue.startsAt), endedAt: iso(cue.until) }
    const names = { publicationUid: uid, playlistUid: playlist, mediaUid: track }
    const durationSeconds = (cue.until - cue.startsAt) / SECOND
    const lengths = { durationSeconds, secondsPlayed: durationSeconds }
    plays.push(makePlay(plays.length + 1, { at: iso(cue.until), ...times, ...lengths, ...names }))
    moment = cue.until
  }
  await send(player, plays)
  await beat(player)
  expect((await ask(shop, track))[0]).toMatchObject({
    playlist: { form: 'simple' },
    promised: 20,
    planned: 20,
    made: 10,
    gaps: [{ why: 'device-off', plays: 10 }],
    hours: 1,
    promisedAnHour: 20,
    plannedAnHour: 20,
    madeAnHour: 10,
  })
  const smart = await makeAir()
  await addDevice(smart)
  expect((await ask(smart.shop, smart.ad))[0]).toMatchObject({
    promised: 0,
    planned: 0,
    made: 0,
    plannedAnHour: null,
    promisedAnHour: smart.plays.length,
  })
})

test('a device owes plays from when it joined the group last', async () => {
  const air = await makeAir()
  const { shop, plays, group } = air
  const { token } = shop
  await makeDevice(shop.scope, { groupUid: group })
  const { uid: device } = await makeDevice(shop.scope)
  const join = { token, params: { device, group } }
  const promisedAt = async () => {
    server.clock.now = at('10:30')
    const [delivery] = await ask(shop, air.ad)
    return delivery
  }
  const since = (time: string) => plays.filter(moment => moment >= at(time).getTime()).length
  server.clock.now = at('09:20')
  await server.call(addToGroup, join)
  expect(since('09:20')).toBeGreaterThan(since('09:40'))
  const both = plays.length + since('09:20')
  expect(await promisedAt()).toMatchObject({ devices: 2, promised: both, planned: both, made: 0 })
  server.clock.now = at('09:30')
  await server.call(removeFromGroup, join)
  server.clock.now = at('09:40')
  await server.call(addToGroup, join)
  const again = plays.length + since('09:40')
  const delivery = await promisedAt()
  expect(delivery).toMatchObject({ promised: again, planned: again, gaps: [{ plays: again }] })
  expect(delivery?.hours).toBeCloseTo(1 + 1 / 3)
})

test('days are one to 45, and both or none; another client’s media are not there', async () => {
  const { shop, ad } = await makeAir()
  const status = async (query: object, uid = ad) =>
    (await server.ask(readDelivery, { token: shop.token, params: { uid }, query })).statusCode
  expect(await status({ from: '2026-11-20', to: '2026-11-20' })).toBe(200)
  expect(await status({ from: '2026-10-07', to: '2026-11-20' })).toBe(200)
  expect(await status({ from: '2026-10-06', to: '2026-11-20' })).toBe(422)
  expect(await status({ from: '2026-11-20', to: '2026-11-19' })).toBe(422)
  expect(await status({ from: '2026-11-20' })).toBe(422)
  const other = await newShop(server)
  const { uid } = await makeMedia(other.scope)
  expect(await status({}, uid)).toBe(404)
})

test('days whose plays were deleted count neither as planned nor as missed', async () => {
  const air = await makeAir()
  const { shop, plays } = air
  const device = await addDevice(air)
  for (const moment of ['20T15:00', '20T23:00', '21T05:00', '21T10:30']) {
    server.clock.now = new Date(`2026-11-${moment}:00Z`)
    // Stay signed in.
    await ask(shop, air.ad)
  }
  const today = plays.map(moment => moment + DAY_MS)
  await send(
    device.player,
    [...plays, ...today].map(moment => device.play(moment)),
  )
  await beat(device.player)
  server.clock.now = new Date('2026-11-21T12:00:00Z')
  const both = { planned: 2 * plays.length, made: 2 * plays.length, gaps: [] }
  expect(await ask(shop, air.ad)).toMatchObject([both])
  const { clientId } = shop.scope
  await server.database.jobs.forClient(clientId).write(async writes => {
    await writes.insertInto('statisticsRetention').values({ clientId, keptFrom: '2026-11-21' }).execute()
    await writes.deleteFrom('plays').where('day', '<', '2026-11-21').execute()
  })
  expect(await ask(shop, air.ad)).toMatchObject([
    { planned: plays.length, made: plays.length, gaps: [], since: '2026-11-21T00:00:00.000Z' },
  ])
})
