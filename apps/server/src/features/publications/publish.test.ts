import { readAudit } from '@floorcast/contract/audit.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { listGroups, readGroup } from '@floorcast/contract/groups.ts'
import { readPlaylist } from '@floorcast/contract/playlists.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { previewPublish, publish, type PublishPlan } from '@floorcast/contract/publish.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from './publications-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [
      registerDevices,
      registerGroups,
      registerPlaylists,
      registerPublications,
      registerAudit,
      registerDeviceHost,
    ],
  })
})

type Draft = BodyOf<typeof publish>
const inHours = (hours: number) => new Date(server.clock.now.getTime() + hours * 3_600_000).toISOString()

async function newPublisher() {
  const shop = await newShop(server)
  const { token, scope } = shop
  const preview = (body: Draft): Promise<PublishPlan> => server.call(previewPublish, { token, body })
  const put = (body: Draft) => server.call(publish, { token, body })
  const device = async (given: Parameters<typeof makeDevice>[1] = {}) => (await makeDevice(scope, given)).uid
  const groupCard = (id: string) => server.call(readGroup, { token, params: { id } })
  const playlistState = async (id: string) =>
    (await server.call(readPlaylist, { token, params: { id } })).state
  const publications = async () =>
    (await server.call(listPublications, { token, params: { x: 'all' } })).items.map(one => one.uid)
  return { ...shop, preview, put, device, groupCard, playlistState, publications }
}

it('publishing activates the paused playlist and group and turns the publication on, as the preview says', async () => {
  const shop = await newPublisher()
  const [groupUid, playlistUid] = [await shop.group(), await shop.playlist()]
  await shop.device({ groupUid })
  expect(await shop.preview({ groupUid, playlistUid })).toMatchObject({
    playlist: { uid: playlistUid, isActivated: true },
    group: { uid: groupUid, name: 'North shops', isActivated: true },
    publication: null,
    follows: null,
    turnsOff: [],
    conflicts: [],
    devices: { count: 1, offline: 1, tooSmall: 0, inGroups: 0, otherKind: 0 },
    refusals: [],
  })
  expect([await shop.playlistState(playlistUid), await shop.publications()]).toEqual(['paused', []])
  const { code, uid = '' } = await shop.put({ groupUid, playlistUid })
  expect(code).toBe(0)
  expect(await shop.card(uid)).toMatchObject({
    name: 'Morning mix',
    state: 'active',
    groupState: 'active',
    playlistState: 'active',
  })
})

it('publishing is written down thing by thing', async () => {
  const shop = await newPublisher()
  const draft = { groupUid: await shop.group(), playlistUid: await shop.playlist() }
  const { uid } = await shop.put(draft)
  const { items } = await server.call(readAudit, { token: shop.token, params: { id: 'all' } })
  const written = items.slice(0, 4).map(one => `${one.class} ${one.type} ${one.thingUid}`)
  expect(new Set(written)).toEqual(
    new Set([
      `turn-on publication ${uid}`,
      `add publication ${uid}`,
      `activate playlist ${draft.playlistUid}`,
      `activate group ${draft.groupUid}`,
    ]),
  )
})

it('publishing makes a group of the chosen devices that are free and fit', async () => {
  const shop = await newPublisher()
  const playlistUid = await shop.playlist('video')
  const free = await shop.device({ kind: 'video' })
  const audio = await shop.device()
  const taken = await shop.device({ kind: 'video', groupUid: await shop.group('video') })
  const newGroup = { name: 'Screens', devices: { uids: [free, audio, taken] } }
  expect(await shop.preview({ playlistUid, newGroup })).toMatchObject({
    group: { uid: null, name: 'Screens', isActivated: true },
    devices: { count: 1, inGroups: 1, otherKind: 1 },
  })
  const { code, uid = '' } = await shop.put({ playlistUid, newGroup, name: 'Windows' })
  expect(code).toBe(0)
  const { group, name, kind } = await shop.card(uid)
  expect([name, kind, group.name]).toEqual(['Windows', 'video', 'Screens'])
  expect(await shop.groupCard(group.uid)).toMatchObject({ state: 'active', kind: 'video', deviceCount: 1 })
  const members = await server.call(listDevices, { token: shop.token, query: { group: group.uid } })
  expect(members.items.map(device => device.uid)).toEqual([free])
})

it('publishing makes a group of all devices that a filter finds, except some', async () => {
  const shop = await newPublisher()
  const playlistUid = await shop.playlist()
  const names = ['Lisboa 1', 'Lisboa 2', 'Lisboa 3', 'Porto']
  const uids: string[] = []
  for (const name of names) uids.push(await shop.device({ name }))
  const devices = { filter: { search: 'lisboa' }, except: [uids[1] ?? ''] }
  const draft = { playlistUid, newGroup: { name: 'Lisboa', devices } }
  expect((await shop.preview(draft)).devices.count).toBe(2)
  const { group } = await shop.card((await shop.put(draft)).uid ?? '')
  expect((await shop.groupCard(group.uid)).deviceCount).toBe(2)
})

it('publishing turns the publication on that the group has of this playlist, instead of a second one', async () => {
  const shop = await newPublisher()
  const { uid, group, playlist } = await readyPublication(shop)
  const draft = { groupUid: group, playlistUid: playlist }
  expect((await shop.preview(draft)).publication).toEqual({ uid, name: 'On the air' })
  expect(await shop.put({ ...draft, name: 'Another' })).toEqual({ code: 0, uid })
  expect(await shop.publications()).toEqual([uid])
})

it('publishing says beforehand how many devices are offline, and how many have less storage than the files need', async () => {
  const shop = await newPublisher()
  const groupUid = await shop.group()
  const sizes = [1, 32_000_000_000]
  for (const memorySizeBytes of sizes) {
    const { licenseKey } = await makeDevice(shop.scope, { groupUid })
    const { token, params } = await openPlayer(server, licenseKey)
    await server.call(sendHeartbeat, { token, params, body: makeHeartbeat({ memorySizeBytes }) })
  }
  await shop.device({ groupUid })
  const { devices } = await shop.preview({ groupUid, playlistUid: await shop.playlist() })
  expect(devices).toEqual({ count: 3, offline: 1, tooSmall: 1, inGroups: 0, otherKind: 0 })
})

it.each([
  { of: 'an empty playlist', reason: 'playlist-empty' as const },
  { of: 'a video for an audio group', reason: 'kind-does-not-fit' as const },
])('publishing says beforehand that $of is refused, and refuses it', async ({ reason }) => {
  const shop = await newPublisher()
  const groupUid = await shop.group()
  const playlistUid = reason === 'playlist-empty' ? await shop.emptyPlaylist() : await shop.playlist('video')
  const refusal = { code: -2, reason }
  expect((await shop.preview({ groupUid, playlistUid })).refusals).toEqual([refusal])
  expect(await shop.put({ groupUid, playlistUid })).toEqual(refusal)
  expect(await shop.playlistState(playlistUid)).toBe('paused')
  expect((await shop.groupCard(groupUid)).state).toBe('paused')
})

it('publishing says beforehand that another publication is on the air there; it replaces it when that one is named', async () => {
  const shop = await newPublisher()
  const { uid, group } = await readyPublication(shop)
  await shop.turn(uid)
  const draft = { groupUid: group, playlistUid: await shop.playlist() }
  const refusal = { code: 1, names: ['On the air'] }
  expect(await shop.preview(draft)).toMatchObject({
    conflicts: [{ uid, name: 'On the air', state: 'active', isSamePlaylist: false }],
    refusals: [refusal],
  })
  expect(await shop.put(draft)).toEqual(refusal)
  const replacing = { ...draft, turnsOff: [uid] }
  expect(await shop.preview(replacing)).toMatchObject({
    turnsOff: [{ uid, name: 'On the air' }],
    conflicts: [],
    refusals: [],
  })
  const next = await shop.put(replacing)
  expect((await shop.card(uid)).state).toBe('disabled')
  expect((await shop.card(next.uid ?? '')).state).toBe('active')
})

it('publishing says beforehand what it follows at a later moment, and that another one waits already', async () => {
  const shop = await newPublisher()
  const { uid, group } = await readyPublication(shop)
  await shop.turn(uid)
  const draft = { groupUid: group, playlistUid: await shop.playlist(), startsAt: inHours(2) }
  expect(await shop.preview(draft)).toMatchObject({ follows: { uid }, conflicts: [], refusals: [] })
  const first = await shop.put(draft)
  expect(await shop.card(first.uid ?? '')).toMatchObject({ state: 'delayed', startsAt: draft.startsAt })
  expect((await shop.card(uid)).state).toBe('active')
  const second = { ...draft, playlistUid: await shop.playlist(), startsAt: inHours(3) }
  expect((await shop.preview(second)).refusals).toEqual([{ code: 1, names: ['Morning mix'] }])
  expect(await shop.put(second)).toMatchObject({ code: 1 })
  const moved = await shop.put({ ...second, turnsOff: [first.uid ?? ''] })
  expect(moved.code).toBe(0)
  expect((await shop.card(first.uid ?? '')).state).toBe('disabled')
})

it('publishing says beforehand the same once a moment has passed that nobody has stored', async () => {
  const shop = await newPublisher()
  const former = await readyPublication(shop)
  await shop.turn(former.uid)
  const next = await readyPublication(shop, former.group)
  await shop.delay(next.uid, inHours(1))
  server.clock.now = new Date(server.clock.now.getTime() + 3_600_000)
  const draft = { groupUid: former.group, playlistUid: await shop.playlist() }
  expect((await shop.preview(draft)).conflicts.map(({ uid }) => uid)).toEqual([next.uid])
  expect((await shop.put({ ...draft, turnsOff: [next.uid] })).code).toBe(0)
  expect((await shop.card(next.uid)).state).toBe('disabled')
  expect((await shop.card(former.uid)).state).toBe('disabled')
})

it('publishing refuses the past, no group, two groups, and a publication of another group', async () => {
  const shop = await newPublisher()
  const other = await readyPublication(shop)
  const draft = { groupUid: await shop.group(), playlistUid: await shop.playlist() }
  const newGroup = { name: 'Screens', devices: { uids: [await shop.device()] } }
  const status = async (body: object) => (await server.ask(publish, { token: shop.token, body })).statusCode
  expect(await status({ ...draft, startsAt: inHours(-1) })).toBe(400)
  expect(await status({ playlistUid: draft.playlistUid })).toBe(422)
  expect(await status({ ...draft, newGroup })).toBe(422)
  expect(await status({ ...draft, turnsOff: [other.uid] })).toBe(404)
})

it('publishing refuses a new group of more than 20,000 devices', async () => {
  const shop = await newPublisher()
  const now = server.clock.now
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), now)
  const row = { clientId: shop.scope.clientId, kind: 'audio' as const, createdAt: now, changedAt: now }
  const chain = Array.from({ length: 20_001 }, (_, n) => ({
    ...row,
    uid: `01933d4e-0001-7000-8000-${String(n).padStart(12, '0')}`,
    name: `Shop ${n}`,
    licenseKey: `CHAIN${n}`,
  }))
  await shop.scope.write(async writes => {
    for (let from = 0; from < chain.length; from += 5000)
      await writes
        .insertInto('devices')
        .values(chain.slice(from, from + 5000))
        .execute()
  })
  const newGroup = { name: 'All', devices: { filter: { search: 'shop' }, except: [] } }
  const draft = { playlistUid: await shop.playlist(), newGroup }
  const refusal = { code: 400, reason: 'too-many-devices', limit: 20_000 }
  expect(await shop.preview(draft)).toMatchObject({ devices: { count: 20_001 }, refusals: [refusal] })
  expect(await shop.put(draft)).toEqual(refusal)
  expect(await shop.publications()).toEqual([])
})

it('publishing refuses a user who may only view, who may look at the preview; nothing changes', async () => {
  const shop = await newPublisher()
  const body = { groupUid: await shop.group(), playlistUid: await shop.playlist() }
  const { token } = await signedInUser(shop.scope, { role: 'manager', rights: 'view' })
  expect((await server.ask(publish, { token, body })).statusCode).toBe(403)
  expect((await server.call(previewPublish, { token, body })).refusals).toEqual([])
  expect(await shop.publications()).toEqual([])
})

it("publishing refuses another client's playlist, group, devices and publications", async () => {
  const [shop, theirs] = [await newPublisher(), await newPublisher()]
  const [groupUid, playlistUid] = [await shop.group(), await shop.playlist()]
  const foreign = await readyPublication(theirs)
  const status = async (body: object) => (await server.ask(publish, { token: shop.token, body })).statusCode
  expect(await status({ groupUid: foreign.group, playlistUid })).toBe(404)
  expect(await status({ groupUid, playlistUid: foreign.playlist })).toBe(404)
  expect(await status({ groupUid, playlistUid, turnsOff: [foreign.uid] })).toBe(404)
  const device = await theirs.device()
  const newGroup = { name: 'Taken', devices: { uids: [device] } }
  expect((await shop.preview({ playlistUid, newGroup })).devices.count).toBe(0)
  await shop.put({ playlistUid, newGroup })
  const free = await server.call(listDevices, { token: theirs.token, query: {} })
  expect(free.items.find(({ uid }) => uid === device)?.group).toBeNull()
  const groups = await server.call(listGroups, { token: theirs.token, params: { x: 'all' } })
  expect(groups.items.map(({ name }) => name)).not.toContain('Taken')
})
