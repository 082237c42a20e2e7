import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as contract from '@floorcast/contract/device-profiles.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerDeviceProfiles } from './device-profiles-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerDeviceProfiles, registerDeviceHost],
  })
})

async function profileShop() {
  const shop = await newShop(server)
  const { token } = shop
  const group = await shop.group()
  const { uid: device, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const save = (body: object) => server.call(contract.editProfile, { token, body })
  const ask = (body: object) => server.ask(contract.editProfile, { token, body })
  const add = async (body: object) => (await save({ name: 'Quiet hours', type: 'audio', ...body })).uid ?? ''
  const card = (id: string) => server.call(contract.readProfileCard, { token, params: { id } })
  const turn = (id: string, query = {}) =>
    server.call(contract.changeProfileState, { token, params: { id }, query })
  const player = () => openPlayer(server, licenseKey)
  return { ...shop, group, device, player, save, ask, add, card, turn }
}

it('a profile reaches devices when it is activated, stays so while edited, and goes when deleted', async () => {
  const { token, group, device, player, save, add, card, turn } = await profileShop()
  const { token: deviceToken, params } = await player()
  const settings = async () => (await server.call(readManifest, { token: deviceToken, params })).settings
  const uid = await add({ settings: { defaultVolume: 33, loudnessTargetLufs: null }, groupUids: [group] })
  expect(await card(uid)).toMatchObject({ state: 'paused', activeSettings: null, groups: [{ uid: group }] })
  expect((await settings()).defaultVolume).toBe(70)
  expect(await turn(uid)).toEqual({ code: 0 })
  expect(await settings()).toMatchObject({ defaultVolume: 33, loudnessTargetLufs: null })
  expect((await server.call(readDevice, { token, params: { id: device } })).volume).toBe(33)
  const edit = { uid, settings: { defaultVolume: 44 } }
  expect(await save(edit)).toEqual({ code: 400, reason: 'active-cannot-be-edited' })
  expect(await turn(uid, { from: 'active' })).toEqual({ code: 9 })
  expect(await save(edit)).toEqual({ code: 200, uid })
  expect((await settings()).defaultVolume).toBe(33)
  await turn(uid)
  expect(await settings()).toMatchObject({ defaultVolume: 44, loudnessTargetLufs: -18 })
  const remove = () => server.call(contract.deleteProfile, { token, body: { uid } })
  expect((await remove()).reason).toBe('active-cannot-be-edited')
  await turn(uid)
  expect(await remove()).toEqual({ code: 200 })
  expect((await settings()).defaultVolume).toBe(70)
})

it('a profile merges with others of other types, and leaves a group that it no longer names', async () => {
  const { group, player, save, add, turn } = await profileShop()
  const { token, params } = await player()
  const settings = async () => (await server.call(readManifest, { token, params })).settings
  const display = { rotation: 90, resolution: '1080x1920' }
  const network = { heartbeatSeconds: 30, downloadFrom: '22:00', downloadTo: '06:00' }
  const screen = await add({ type: 'display', settings: display, groupUids: [group] })
  const night = await add({ type: 'network', settings: network, groupUids: [group] })
  for (const uid of [screen, night]) await turn(uid)
  expect(await settings()).toMatchObject({ ...display, ...network, debugLog: false })
  await save({ uid: night, groupUids: [] })
  expect(await settings()).toMatchObject({ ...display, heartbeatSeconds: 60 })
})

it('a profile wins over another of its type on the same group if it was activated later, and says so', async () => {
  const { token, group, device, player, add, save, turn } = await profileShop()
  const { token: deviceToken, params } = await player()
  const volumes = async () => [
    (await server.call(readManifest, { token: deviceToken, params })).settings.defaultVolume,
    (await server.call(readDevice, { token, params: { id: device } })).volume,
  ]
  const profile = (name: string, defaultVolume: number) =>
    add({ name, settings: { defaultVolume }, groupUids: [group] })
  const [day, night] = [await profile('Day', 60), await profile('Night', 20)]
  const elsewhere = await add({ name: 'Elsewhere', settings: { defaultVolume: 5 } })
  const screen = await add({ type: 'display', settings: { rotation: 90 }, groupUids: [group] })
  const activate = async (uid: string) => {
    server.clock.now = new Date(server.clock.now.getTime() + 1000)
    return turn(uid, { from: 'paused' })
  }
  for (const uid of [elsewhere, screen, night]) expect(await activate(uid)).toEqual({ code: 0 })
  expect(await activate(day)).toEqual({ code: 0, overrules: [{ uid: night, name: 'Night' }] })
  expect(await volumes()).toEqual([60, 60])
  // A paused profile stays in force; put in force again, it is the later one.
  expect(await turn(night)).toEqual({ code: 9 })
  await save({ uid: night, settings: { defaultVolume: 25 } })
  expect(await volumes()).toEqual([60, 60])
  expect(await activate(night)).toEqual({ code: 0, overrules: [{ uid: day, name: 'Day' }] })
  expect(await volumes()).toEqual([25, 25])
  await turn(night)
  await server.call(contract.deleteProfile, { token, body: { uid: night } })
  expect(await volumes()).toEqual([60, 60])
})

it.each([
  ['audio', { defaultVolume: 101 }, { path: 'settings.defaultVolume', message: 'wrong' }],
  ['network', { heartbeatSeconds: 5 }, { path: 'settings.heartbeatSeconds', message: 'wrong' }],
  ['display', { rotation: 45 }, { path: 'settings.rotation', message: 'wrong' }],
  ['display', { resolution: 'large' }, { path: 'settings.resolution', message: 'wrong' }],
  ['logging', { debugLog: 'yes' }, { path: 'settings.debugLog', message: 'wrong' }],
  ['alert', { defaultVolume: 50 }, { path: 'settings.defaultVolume', message: 'unknown' }],
  ['network', { downloadFrom: '22:00' }, { path: 'settings.downloadTo', message: 'empty' }],
  [
    'network',
    { downloadTo: '06:00', heartbeatSeconds: 60 },
    { path: 'settings.downloadFrom', message: 'empty' },
  ],
])('a profile of type %s refuses %j: 422 where it is wrong', async (type, settings, fault) => {
  const { ask } = await profileShop()
  const answer = await ask({ name: 'Wrong one', type, settings })
  expect(answer.statusCode).toBe(422)
  expect(answer.json<Problem>().errors).toMatchObject([fault])
})

it('a profile needs a name and a type, keeps its type, and takes groups of its client only', async () => {
  const { ask, save, add, card, group } = await profileShop()
  expect((await ask({ type: 'audio' })).statusCode).toBe(422)
  expect((await ask({ name: 'No type' })).statusCode).toBe(422)
  const uid = await add({})
  expect(await save({ uid, type: 'alert' })).toEqual({ code: 400, reason: 'type-cannot-change' })
  const theirs = await profileShop()
  expect((await ask({ uid, groupUids: [group, theirs.group] })).json<Problem>().errors).toMatchObject([
    { path: 'groupUids.1', message: 'unknown' },
  ])
  expect((await card(uid)).groups).toEqual([])
  expect((await theirs.ask({ uid, name: 'Mine now' })).statusCode).toBe(404)
  expect((await ask({ uid, name: 'Stale one', version: 99 })).statusCode).toBe(409)
})

it('profiles are listed by type and state, for admins', async () => {
  const { token, scope, add, turn } = await profileShop()
  const alarm = await add({ type: 'alert', name: 'Loud alarm' })
  await add({})
  await turn(alarm)
  const list = (query: object) => server.call(contract.listProfiles, { token, query })
  expect(await list({})).toMatchObject({ total: 2 })
  expect(await list({ type: 'alert', state: 'active' })).toMatchObject({
    total: 1,
    items: [{ uid: alarm }],
  })
  const manager = await signedInUser(scope)
  expect((await server.ask(contract.listProfiles, { token: manager.token })).statusCode).toBe(403)
  const viewer = await signedInUser(scope, { role: 'admin', rights: 'view' })
  const refused = { token: viewer.token, params: { id: alarm } }
  expect(await server.call(contract.changeProfileState, refused)).toEqual({ code: -1 })
})

it('profiles say what types and states there are', async () => {
  const { token } = await profileShop()
  const types = await server.call(contract.listProfileTypes, { token })
  expect(types.map(({ type }) => type)).toEqual(['audio', 'network', 'display', 'logging', 'alert'])
  expect(types[0]?.schema).toMatchObject({ properties: { defaultVolume: { minimum: 0, maximum: 100 } } })
  expect(await server.call(contract.listProfileStates, { token })).toEqual([
    { state: 'active', code: 0 },
    { state: 'paused', code: 9 },
  ])
})
