import { addDevice, deleteDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import { addToGroup, deleteGroup, readGroup } from '@floorcast/contract/groups.ts'
import { deleteMedia, readMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, deletePlaylist } from '@floorcast/contract/playlists.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import * as contract from '@floorcast/contract/recycle-bin.ts'
import { addChannel } from '@floorcast/contract/update-channels.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerUpdates } from '../updates/updates-routes.ts'
import { registerRecycleBin } from './recycle-bin-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [
      registerDevices,
      registerGroups,
      registerLibrary,
      registerPlaylists,
      registerPublications,
      registerDeviceProfiles,
      registerUpdates,
      registerRecycleBin,
    ],
  })
})
const began = new Date()
afterEach(() => {
  server.clock.now = began
})

type Bin = 'media' | 'devices' | 'groups' | 'publications' | 'playlists'
const bin = (token: string, x: Bin, query = {}) =>
  server.call(contract.listBin, { token, params: { x }, query })
const restore = (token: string, contentType: Bin, uid: string) =>
  server.call(contract.restore, { token, params: { contentType, uid } })
const purge = (token: string, x: Bin, uid: string) =>
  server.call(contract.purge, { token, params: { x, uid } })
const dependents = (token: string, x: Bin, uid: string) =>
  server.call(contract.listDependents, { token, params: { x, uid } })

it('the bin says who deleted what and when, and when it goes', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const uid = await shop.group()
  await server.call(deleteGroup, { token, body: { uid } })
  const { items, total } = await bin(token, 'groups', { search: 'north' })
  expect(total).toBe(1)
  expect(items[0]).toMatchObject({ uid, name: 'North shops', kind: 'audio', deletedBy: shop.email })
  const days = Date.parse(items[0]?.purgedAt ?? '') - Date.parse(items[0]?.deletedAt ?? '')
  expect(days).toBe(30 * 86_400_000)
  expect(await bin(token, 'devices')).toMatchObject({ total: 0 })
})

it('the bin gives a group its devices back, those that no other group took', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const [group, other] = [await shop.group(), await shop.group()]
  const add = async (name: string) =>
    (await server.call(addDevice, { token, params: { contentType: 'audio' }, body: { name } })).uid
  const devices = [await add('Till 1'), await add('Till 2'), await add('Till 3')]
  const join = (device: string | undefined, to: string) =>
    server.call(addToGroup, { token, params: { device: device ?? '', group: to } })
  for (const device of devices) await join(device, group)
  await server.call(deleteGroup, { token, body: { uid: group } })
  await join(devices[0], other)
  await server.call(deleteDevice, { token, body: { uid: devices[1] ?? '' } })
  expect((await restore(token, 'groups', group)).code).toBe(200)
  const members = await server.call(listDevices, { token, query: { group } })
  expect(members.items.map(({ uid }) => uid)).toEqual([devices[2]])
})

it('the bin gives each kind back as it was', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const { group, playlist, uid } = await readyPublication(shop)
  await server.call(deletePublication, { token, body: { uid } })
  await server.call(deletePlaylist, { token, body: { uid: playlist } })
  await server.call(deleteGroup, { token, body: { uid: group } })
  expect(await restore(token, 'publications', uid)).toMatchObject({
    code: 400,
    reason: 'restore-these-first',
    names: ['North shops', 'Morning mix'],
    needs: [
      { kind: 'groups', uid: group, name: 'North shops' },
      { kind: 'playlists', uid: playlist, name: 'Morning mix' },
    ],
  })
  expect(await restore(token, 'groups', group)).toMatchObject({ code: 200, name: 'North shops' })
  expect((await restore(token, 'playlists', playlist)).code).toBe(200)
  expect((await restore(token, 'publications', uid)).code).toBe(200)
  expect(await shop.card(uid)).toMatchObject({ name: 'On the air', state: 'disabled' })
  const again = await server.ask(contract.restore, { token, params: { contentType: 'groups', uid: group } })
  expect(again.statusCode).toBe(404)
})

it('the bin marks a name that was taken meanwhile', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const [first, second] = [await shop.group(), await shop.group()]
  for (const uid of [first, second]) await server.call(deleteGroup, { token, body: { uid } })
  await shop.group()
  expect((await restore(token, 'groups', first)).name).toBe('North shops - restored')
  expect((await restore(token, 'groups', second)).name).toBe('North shops - restored 2')
  const card = await server.call(readGroup, { token, params: { id: first } })
  expect(card.name).toBe('North shops - restored')
})

it('the bin marks it in the language of the call', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const group = await shop.group()
  await server.call(deleteGroup, { token, body: { uid: group } })
  await shop.group()
  const params = { contentType: 'groups', uid: group } as const
  const headers = { 'accept-language': 'uk,en;q=0.5' }
  const { name } = await server.call(contract.restore, { token, params, headers })
  expect(name).toBe('North shops - відновлено')
})

it('the bin does not give a device back over the plan’s limit, and a device keeps its key', async () => {
  const { token, scope } = await newShop(server)
  const kept = await makeDevice(scope)
  await server.call(deleteDevice, { token, body: { uid: kept.uid } })
  const add = () =>
    server.call(addDevice, { token, params: { contentType: 'audio' }, body: { name: 'More' } })
  const others = [await add(), await add(), await add()]
  expect(await restore(token, 'devices', kept.uid)).toEqual({ code: 400, reason: 'device-limit', limit: 3 })
  await server.call(deleteDevice, { token, body: { uid: others[0]?.uid } })
  expect((await restore(token, 'devices', kept.uid)).code).toBe(200)
  const card = await server.call(readDevice, { token, params: { id: kept.uid } })
  expect(card.licenseKey).toBe(kept.licenseKey)
})

it('who may lets the user who deleted an item restore it for ten minutes, then only admins', async () => {
  const shop = await newShop(server)
  const [mine, other] = [await signedInUser(shop.scope), await signedInUser(shop.scope)]
  const ask = (token: string, uid: string) =>
    server.ask(contract.restore, { token, params: { contentType: 'groups', uid } })
  const [one, two] = [await shop.group(), await shop.group()]
  for (const uid of [one, two]) await server.call(deleteGroup, { token: mine.token, body: { uid } })
  expect((await ask(other.token, one)).statusCode).toBe(403)
  expect((await ask(mine.token, one)).statusCode).toBe(200)
  server.clock.now = new Date(began.getTime() + 11 * 60_000)
  expect((await ask(mine.token, two)).statusCode).toBe(403)
  expect((await ask(shop.token, two)).statusCode).toBe(200)
  const list = { token: mine.token, params: { x: 'groups' } }
  expect((await server.ask(contract.listBin, list)).statusCode).toBe(403)
  const remove = { token: mine.token, params: { x: 'groups', uid: one } }
  expect((await server.ask(contract.purge, remove)).statusCode).toBe(403)
})

it('who may purges after the subscription has ended, and restores nothing then', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const uid = await shop.group()
  await server.call(deleteGroup, { token, body: { uid } })
  const { jobs } = server.database
  await jobs.setSubscription(shop.email, 'trial', new Date(began.getTime() - 1000), began)
  const params = { contentType: 'groups', uid }
  expect((await server.ask(contract.restore, { token, params })).statusCode).toBe(403)
  expect(await purge(token, 'groups', uid)).toEqual({ code: 200, uid })
  expect(await bin(token, 'groups')).toMatchObject({ total: 0 })
})

it('purging frees a media item only when nothing in the bin needs it', async () => {
  const { token, scope } = await newShop(server)
  const media = await makeMedia(scope, { name: 'Spring sale' })
  const body = { name: 'Morning mix' }
  const added = await server.call(addPlaylist, { token, params: { contentType: 'audio' }, body })
  const playlist = added.uid ?? ''
  await server.call(addTrack, { token, params: { track: media.uid, playlist } })
  await server.call(deletePlaylist, { token, body: { uid: playlist } })
  const mine = { token, params: { contentType: 'melodies' }, body: { uid: media.uid } }
  expect((await server.call(deleteMedia, mine)).code).toBe(200)
  expect(await dependents(token, 'media', media.uid)).toMatchObject([
    { kind: 'playlists', uid: playlist, isInBin: true, isBlocking: false },
  ])
  expect(await restore(token, 'playlists', playlist)).toMatchObject({ code: 400, names: ['Spring sale'] })
  expect(await purge(token, 'media', media.uid)).toEqual({ code: 921, names: ['Morning mix'] })
  expect((await purge(token, 'playlists', playlist)).code).toBe(200)
  expect((await purge(token, 'media', media.uid)).code).toBe(200)
  const gone = { token, params: { contentType: 'melodies', uid: media.uid } }
  expect((await server.ask(readMedia, gone)).statusCode).toBe(404)
  const rows = await scope.reads.selectFrom('mediaFiles').select('sha256').execute()
  expect(rows).toEqual([])
})

it('purging refuses what a publication in the bin names, and what is not in the bin', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const { group, uid } = await readyPublication(shop)
  const params = { x: 'groups', uid: group }
  expect((await server.ask(contract.purge, { token, params })).statusCode).toBe(404)
  await server.call(deletePublication, { token, body: { uid } })
  await server.call(deleteGroup, { token, body: { uid: group } })
  expect(await purge(token, 'groups', group)).toEqual({ code: 409, names: ['On the air'] })
  expect((await purge(token, 'publications', uid)).code).toBe(200)
  expect((await purge(token, 'groups', group)).code).toBe(200)
})

it('dependents of an item shows admins what else names an item: profiles, update channels, streamers', async () => {
  const { token, scope, group } = await newShop(server)
  const uid = await group()
  const device = (await makeDevice(scope)).uid
  const profile = { name: 'Evenings', type: 'audio' as const, settings: {}, groupUids: [uid] }
  const { uid: profileUid } = await server.call(editProfile, { token, body: profile })
  const channel = { name: 'Stable', groupUids: [uid] }
  const { uid: channelUid } = await server.call(addChannel, { token, body: channel })
  const streamer = await signedInUser(scope, { role: 'streamer', linkedDeviceUid: device })
  const loses = { isInBin: false, isBlocking: false }
  expect(await dependents(token, 'groups', uid)).toEqual([
    { kind: 'profiles', uid: profileUid, name: 'Evenings', state: 'paused', ...loses },
    { kind: 'channels', uid: channelUid, name: 'Stable', state: 'open', ...loses },
  ])
  expect(await dependents(token, 'devices', device)).toEqual([
    { kind: 'users', uid: streamer.uid, name: streamer.email, state: null, ...loses },
  ])
  const manager = await signedInUser(scope)
  expect(await dependents(manager.token, 'groups', uid)).toEqual([])
  await server.call(deleteGroup, { token, body: { uid } })
  expect((await purge(token, 'groups', uid)).code).toBe(200)
})

it('dependents of an item are listed before it is deleted', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const { group, playlist, uid } = await readyPublication(shop)
  const device = (await makeDevice(shop.scope)).uid
  await server.call(addToGroup, { token, params: { device, group } })
  await shop.turn(uid)
  expect(await dependents(token, 'groups', group)).toMatchObject([
    { kind: 'publications', uid, state: 'active', isBlocking: true },
    { kind: 'devices', uid: device, isBlocking: false },
  ])
  expect(await dependents(token, 'playlists', playlist)).toMatchObject([{ uid, isBlocking: true }])
  expect(await dependents(token, 'devices', device)).toMatchObject([{ uid: group, isBlocking: true }])
  expect(await dependents(token, 'publications', uid)).toMatchObject([{ uid: group, isBlocking: true }])
})
