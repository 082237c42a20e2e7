import { randomUUID } from 'node:crypto'
import { listAlertDevices, readAlert } from '@floorcast/contract/alert-devices.ts'
import {
  beginAlert,
  endAlert,
  listAlerts,
  listOpenAlerts,
  readAlertReach,
} from '@floorcast/contract/alerts.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { removeUser } from '@floorcast/contract/users.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { mergeAlertCounts } from '../../jobs/maintenance-queries.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerAlertProgress } from './alert-progress-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [
      registerDevices,
      registerGroups,
      registerUsers,
      registerAlerts,
      registerAlertProgress,
      registerDeviceHost,
    ],
  })
})

/** Lets the server's clock go on. */
const pass = (seconds: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
}

/** A client with three devices, A and B in a group, whose players send what they do. */
async function alarmedFleet() {
  const shop = await newShop(server)
  const { token, scope } = shop
  const group = await shop.group()
  const add = async (name: string, groupUid?: string) => {
    const at = server.clock.now
    const made = { name, storeNumber: `No ${name}`, at, ...(groupUid && { groupUid }) }
    const { uid, licenseKey } = await makeDevice(scope, made)
    const player = await openPlayer(server, licenseKey)
    let sequence = 0
    const send = (event: object) => {
      const at = server.clock.now.toISOString()
      const head = { id: randomUUID(), bootId: player.boxId, sequence: (sequence += 1), at }
      return server.call(sendEvents, { ...player, body: [{ ...head, ...event }] })
    }
    const step = (alertUid: string, step: string) => send({ kind: 'alert', alertUid, alertKind: 'air', step })
    const fail = (message: string) =>
      send({ kind: 'debug', level: 'error', code: 'alert-sound-failed', message })
    const beat = () => server.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
    return { uid, step, fail, beat }
  }
  const devices = { a: await add('A', group), b: await add('B', group), c: await add('C') }
  pass(60)
  const begin = async (uid: string, query = {}) =>
    (await server.call(beginAlert, { token, params: { uid, alerttype: 'air' }, query })).uid ?? ''
  const end = (uid: string, query = {}) =>
    server.call(endAlert, { token, params: { uid, alerttype: 'air' }, query })
  const card = (uid: string) => server.call(readAlert, { token, params: { uid } })
  const list = (uid: string, query = {}) => server.call(listAlertDevices, { token, params: { uid }, query })
  return { ...shop, group, devices, begin, end, card, list }
}

it('the progress of an alert counts and lists the devices by what they have done with it, those first that need a person', async () => {
  const { devices, group, begin, end, card, list } = await alarmedFleet()
  const uid = await begin('all')
  expect(await card(uid)).toMatchObject({
    deviceCount: 3,
    soundedCount: 0,
    devices: { failed: 0, 'not-reached': 3, received: 0, sounding: 0, ended: 0 },
  })
  await devices.a.step(uid, 'received')
  await devices.b.step(uid, 'received')
  pass(1)
  await devices.a.step(uid, 'started')
  await devices.b.fail('siren.mp3 was not heard: no output')
  const progress = await card(uid)
  expect(progress.soundedCount).toBe(1)
  expect(progress.devices).toEqual({ failed: 1, 'not-reached': 1, received: 0, sounding: 1, ended: 0 })
  const { items, total } = await list(uid)
  expect(total).toBe(3)
  expect(items.map(({ name, state, failure }) => [name, state, failure])).toEqual([
    ['B', 'failed', 'siren.mp3 was not heard: no output'],
    ['C', 'not-reached', null],
    ['A', 'sounding', null],
  ])
  expect(items[2]).toMatchObject({
    storeNumber: 'No A',
    group: { uid: group },
    startedAt: server.clock.now.toISOString(),
    connectivity: 'neverup',
  })
  // The siren plays after all.
  await devices.b.step(uid, 'started')
  pass(10)
  await end('all')
  await devices.a.step(uid, 'ended')
  expect((await card(uid)).devices).toEqual({
    failed: 0,
    'not-reached': 1,
    received: 0,
    sounding: 1,
    ended: 1,
  })
  expect((await list(uid, { state: 'sounding' })).items).toMatchObject([
    { name: 'B', failure: 'siren.mp3 was not heard: no output' },
  ])
})

it('the progress of an alert is filtered, searched, sorted and paged', async () => {
  const { devices, begin, list } = await alarmedFleet()
  const uid = await begin('all')
  await devices.c.step(uid, 'received')
  const names = async (query: object) => (await list(uid, query)).items.map(({ name }) => name)
  expect(await names({ state: 'not-reached' })).toEqual(['A', 'B'])
  expect(await names({ state: 'received' })).toEqual(['C'])
  expect(await names({ search: 'no b' })).toEqual(['B'])
  expect(await names({ sort: 'name', dir: 'desc' })).toEqual(['C', 'B', 'A'])
  expect(await list(uid, { size: 1, page: 2 })).toMatchObject({ items: [{ name: 'B' }], total: 3 })
  expect(await list(uid, { size: 1, state: 'not-reached' })).toMatchObject({ total: 2 })
})

it('the progress of an alert is that of the devices that it was for, whatever becomes of them afterwards', async () => {
  const { token, devices, group, begin, end, card, list } = await alarmedFleet()
  const uid = await begin(group)
  expect((await card(uid)).deviceCount).toBe(2)
  await devices.a.step(uid, 'received')
  await end(group)
  pass(60)
  await server.call(addToGroup, { token, params: { device: devices.c.uid, group } })
  expect((await list(uid)).items.map(({ name }) => name)).toEqual(['B', 'A'])
  expect((await card(uid)).devices['not-reached']).toBe(1)
  const later = await begin(devices.c.uid)
  expect((await list(later)).items.map(({ name }) => name)).toEqual(['C'])
})

it('the progress of an alert is the same after the maintenance has merged what devices reported', async () => {
  const { scope, devices, begin, card } = await alarmedFleet()
  const uid = await begin('all')
  for (const step of ['received', 'started'])
    for (const device of [devices.a, devices.b]) await device.step(uid, step)
  const before = await card(uid)
  await server.database.jobs.forClient(scope.clientId).write(mergeAlertCounts)
  expect(await card(uid)).toEqual(before)
  expect(await scope.reads.selectFrom('alertCounts').selectAll().execute()).toHaveLength(1)
  await devices.a.step(uid, 'ended')
  expect((await card(uid)).devices).toMatchObject({ 'not-reached': 1, sounding: 1, ended: 1 })
})

it('the progress of an alert takes a failure for that of the alert that the device sounds then', async () => {
  const { devices, begin, end, list } = await alarmedFleet()
  const first = await begin('all')
  await devices.a.step(first, 'received')
  pass(5)
  await end('all')
  await devices.a.step(first, 'ended')
  pass(5)
  await devices.a.fail('too late for the first')
  const second = await begin('all')
  await devices.a.step(second, 'received')
  pass(1)
  await devices.a.fail('no output')
  const failures = async (uid: string) => (await list(uid, { search: 'A' })).items[0]?.failure
  expect([await failures(first), await failures(second)]).toEqual([null, 'no output'])
})

it('the progress of an alert is 404 for an alert of another client', async () => {
  const { begin } = await alarmedFleet()
  const uid = await begin('all')
  const { token } = await server.newClient()
  for (const endpoint of [readAlert, listAlertDevices])
    expect((await server.ask(endpoint, { token, params: { uid } })).statusCode).toBe(404)
})

it('before an alert begins the devices that it would reach are counted, and those that are reachable', async () => {
  const { token, devices, group } = await alarmedFleet()
  await devices.a.beat()
  await devices.c.beat()
  const reach = (uid: string) => server.call(readAlertReach, { token, params: { uid } })
  expect(await reach('all')).toEqual({
    target: { kind: 'all', uid: null, name: null },
    deviceCount: 3,
    reachableCount: 2,
  })
  expect(await reach(group)).toEqual({
    target: { kind: 'group', uid: group, name: 'North shops' },
    deviceCount: 2,
    reachableCount: 1,
  })
  expect(await reach(devices.b.uid)).toMatchObject({
    target: { kind: 'device', name: 'B' },
    reachableCount: 0,
  })
  await server.call(deleteDevice, { token, body: { uid: devices.c.uid } })
  const params = { uid: devices.c.uid }
  expect((await server.ask(readAlertReach, { token, params })).statusCode).toBe(404)
  expect((await reach('all')).deviceCount).toBe(2)
})

it('two people who begin the same alert are told that it was on, and by whom', async () => {
  const { token, scope, email } = await alarmedFleet()
  const other = await signedInUser(scope)
  const params = { uid: 'all', alerttype: 'air' }
  const first = await server.call(beginAlert, { token, params })
  const second = await server.call(beginAlert, { token: other.token, params })
  expect([first.wasOpen, second.wasOpen]).toEqual([false, true])
  expect(second.uid).toBe(first.uid)
  expect(await server.call(listOpenAlerts, { token: other.token })).toMatchObject([
    { uid: first.uid, beganBy: email, endedAt: null, deviceCount: 3 },
  ])
})

it('two people do not end a real alert that has taken the place of the drill that they saw', async () => {
  const { token, begin, end } = await alarmedFleet()
  const drill = await begin('all', { drill: '1' })
  const real = await begin('all')
  expect(await end('all', { alert: drill })).toEqual({ code: 400, reason: 'no-open-alert' })
  expect(await server.call(listOpenAlerts, { token })).toMatchObject([{ uid: real, isDrill: false }])
  expect((await end('all', { alert: real })).uid).toBe(real)
})

it('the history says who, when, for what and on how many devices, and keeps it', async () => {
  const { token, scope, email, devices, group, begin, end } = await alarmedFleet()
  const other = await signedInUser(scope)
  const drill = await begin(group, { drill: '1' })
  await devices.a.step(drill, 'started')
  const beganAt = server.clock.now.toISOString()
  pass(30)
  const params = { uid: group, alerttype: 'air' }
  await server.call(endAlert, { token: other.token, params })
  await server.call(removeUser, { token, body: { uid: other.uid, password: 'a long password' } })
  pass(30)
  const real = await begin(devices.c.uid)
  const history = async (query: object) => (await server.call(listAlerts, { token, query })).items
  const all = await history({})
  expect(all.map(({ uid }) => uid)).toEqual([real, drill])
  expect(all[1]).toEqual({
    uid: drill,
    kind: 'air',
    isDrill: true,
    beganAt,
    beganBy: email,
    endedAt: new Date(Date.parse(beganAt) + 30_000).toISOString(),
    endedBy: other.email,
    target: { kind: 'group', uid: group, name: 'North shops' },
    deviceCount: 2,
    soundedCount: 1,
  })
  const uids = async (query: object) => (await history(query)).map(({ uid }) => uid)
  expect(await uids({ purpose: 'drill' })).toEqual([drill])
  expect(await uids({ purpose: 'alert' })).toEqual([real])
  expect(await uids({ state: 'open' })).toEqual([real])
  expect(await uids({ state: 'ended' })).toEqual([drill])
  expect(await uids({ kind: 'nuclear' })).toEqual([])
  expect(await uids({ search: 'north' })).toEqual([drill])
  expect(await uids({ sort: 'beganAt' })).toEqual([drill, real])
  const stranger = await server.newClient()
  expect((await server.call(listAlerts, { token: stranger.token })).items).toEqual([])
  await end(devices.c.uid)
})
