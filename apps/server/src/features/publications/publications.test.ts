import type { Kind } from '@floorcast/contract/fields.ts'
import * as contract from '@floorcast/contract/publications.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import { addToGroup, deleteGroup, readGroup } from '@floorcast/contract/groups.ts'
import { deletePlaylist, editPlaylist, readPlaylist } from '@floorcast/contract/playlists.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from './publications-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerPlaylists, registerPublications],
  })
})
const minutes = (count: number) => new Date(server.clock.now.getTime() + count * 60_000).toISOString()

it('a publication is made disabled', async () => {
  const shop = await newShop(server)
  const { uid, group, playlist } = await readyPublication(shop)
  expect(await shop.card(uid)).toMatchObject({
    state: 'disabled',
    group: { uid: group, name: 'North shops' },
    playlist: { uid: playlist, name: 'Morning mix' },
    startsAt: null,
    readiness: null,
    permissions: { mayEdit: true, mayDelete: true },
  })
})

it.each<{ kind: Kind; group: Kind; playlist: Kind; code: number }>([
  { kind: 'audio', group: 'audio', playlist: 'audio', code: 200 },
  { kind: 'audio', group: 'video', playlist: 'audio', code: 200 },
  { kind: 'video', group: 'video', playlist: 'audio', code: 200 },
  { kind: 'video', group: 'video', playlist: 'video', code: 200 },
  { kind: 'audio', group: 'audio', playlist: 'video', code: 400 },
  { kind: 'audio', group: 'video', playlist: 'video', code: 400 },
  { kind: 'video', group: 'audio', playlist: 'audio', code: 400 },
])(
  'a publication of kind $kind for a group of $group with a playlist of $playlist: $code',
  async ({ kind, group, playlist, code }) => {
    const shop = await newShop(server)
    const answer = await shop.publish(await shop.group(group), await shop.emptyPlaylist(playlist), kind)
    expect(answer.code).toBe(code)
    expect(answer.reason).toBe(code === 200 ? undefined : 'kind-does-not-fit')
  },
)

it("a publication binds no other client's group or playlist", async () => {
  const [shop, other] = [await newShop(server), await newShop(server)]
  const [group, playlist] = [await shop.group(), await shop.playlist()]
  const bind = async (groupUid: string, playlistUid: string) =>
    (
      await server.ask(contract.addPublication, {
        token: shop.token,
        params: { contentType: 'audio' },
        body: { name: 'On the air', groupUid, playlistUid },
      })
    ).statusCode
  expect(await bind(await other.group(), playlist)).toBe(404)
  expect(await bind(group, await other.playlist())).toBe(404)
  expect(await bind(group, playlist)).toBe(200)
})

it('turning on checks in order: taken, group, playlist, content', async () => {
  const shop = await newShop(server)
  const [group, playlist, empty] = [await shop.group(), await shop.playlist(), await shop.emptyPlaylist()]
  const { uid = '' } = await shop.publish(group, playlist)
  expect(await shop.turn(uid)).toEqual({ code: 2, names: ['North shops'] })
  await shop.turnGroup(group)
  expect(await shop.turn(uid)).toEqual({ code: 3, names: ['Morning mix'] })
  await shop.turnPlaylist(playlist)
  await shop.turnPlaylist(empty)
  const { uid: hollow = '' } = await shop.publish(group, empty)
  expect(await shop.turn(hollow)).toEqual({ code: -2, reason: 'playlist-empty' })
  expect(await shop.turn(uid, 'disabled')).toEqual({ code: 0 })
  expect(await shop.turn(hollow)).toEqual({ code: 1, names: ['On the air'] })
  expect(await shop.card(uid)).toMatchObject({
    state: 'active',
    activatedAt: server.clock.now.toISOString(),
  })
})

it('turning on refuses a playlist whose dates are over', async () => {
  const shop = await newShop(server)
  const { uid, playlist } = await readyPublication(shop)
  await shop.turnPlaylist(playlist)
  const body = { uid: playlist, endDate: minutes(-3 * 24 * 60).slice(0, 10) }
  await server.call(editPlaylist, { token: shop.token, body })
  await shop.turnPlaylist(playlist)
  expect(await shop.turn(uid)).toEqual({ code: -2, reason: 'outside-dates' })
})

it('turning on takes one of many at once for a group', async () => {
  const shop = await newShop(server)
  const first = await readyPublication(shop)
  const others = await Promise.all([1, 2, 3].map(() => readyPublication(shop, first.group)))
  const uids = [first, ...others].map(({ uid }) => uid)
  const answers = await Promise.all(uids.map(uid => shop.turn(uid, 'disabled')))
  expect(answers.filter(answer => JSON.stringify(answer) === '{"code":0}')).toHaveLength(1)
  expect(answers.filter(answer => (answer as { code: number }).code === 1)).toHaveLength(3)
  const states = await Promise.all(uids.map(async uid => (await shop.card(uid)).state))
  expect(states.filter(state => state === 'active')).toHaveLength(1)
})

it('turning on of a state that is stale answers 409', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  const answers = await Promise.all([1, 2, 3].map(() => shop.toggle(uid, 'disabled')))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect(await shop.turn(uid, 'active')).toEqual({ code: 9 })
})

it('turning on is refused to view rights with -1', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  await shop.scope.write(writes => writes.updateTable('users').set({ rights: 'view' }).execute())
  expect(await shop.turn(uid)).toEqual({ code: -1 })
})

it('turning on raises the revision and marks the manifests of its group by one row', async () => {
  const shop = await newShop(server)
  const { uid, group } = await readyPublication(shop)
  const device = await server.call(addDevice, {
    token: shop.token,
    params: { contentType: 'audio' },
    body: { name: 'Till radio' },
  })
  await server.call(addToGroup, { token: shop.token, params: { device: device.uid, group } })
  const revision = async () =>
    (
      await shop.scope.reads
        .selectFrom('publications')
        .select('revision')
        .where('uid', '=', uid)
        .executeTakeFirst()
    )?.revision ?? 0
  const marks = () => shop.scope.reads.selectFrom('groupManifests').select(['groupUid', 'revision']).execute()
  const before = await revision()
  expect(await marks()).toEqual([])
  await shop.turn(uid)
  expect(await revision()).toBe(before + 1)
  expect(await marks()).toEqual([{ groupUid: group, revision: 1 }])
  await shop.turn(uid)
  expect(await marks()).toEqual([{ groupUid: group, revision: 2 }])
  await shop.turn(uid)
  expect(await shop.card(uid)).toMatchObject({
    readiness: { devices: 1, holding: 0, missing: 0, neverReported: 1 },
  })
})

it('while it is on its group and playlist cannot be paused, and neither can be deleted', async () => {
  const shop = await newShop(server)
  const { uid, group, playlist } = await readyPublication(shop)
  await shop.turn(uid)
  const { token } = shop
  const refused = { code: 1, reason: 'in-force-cannot-be-paused', names: ['On the air'] }
  expect(await shop.turnGroup(group)).toEqual(refused)
  expect(await shop.turnPlaylist(playlist)).toEqual(refused)
  const inUse = { code: 409, names: ['On the air'] }
  expect(await server.call(deleteGroup, { token, body: { uid: group } })).toEqual(inUse)
  expect(await server.call(deletePlaylist, { token, body: { uid: playlist } })).toEqual(inUse)
  const card = await server.call(readGroup, { token, params: { id: group } })
  expect(card).toMatchObject({ isInForce: true, publication: { uid }, playlist: { uid: playlist } })
  expect(await server.call(readPlaylist, { token, params: { id: playlist } })).toMatchObject({
    isUsed: true,
    isInForce: true,
    groups: [{ uid: group }],
  })
})

it('while it is on only its name and description change; it is not deleted', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  await shop.turn(uid)
  const edit = (body: object) =>
    server.call(contract.editPublication, { token: shop.token, body: { uid, ...body } })
  const refused = { code: 400, reason: 'turn-it-off-first' }
  expect(await edit({ name: 'Winter air' })).toEqual({ code: 200 })
  expect(await edit({ playlistUid: await shop.playlist() })).toEqual(refused)
  expect(await server.call(contract.deletePublication, { token: shop.token, body: { uid } })).toEqual(refused)
  await shop.turn(uid)
  expect(await server.call(contract.deletePublication, { token: shop.token, body: { uid } })).toEqual({
    code: 200,
  })
  expect(
    (await server.ask(contract.readPublication, { token: shop.token, params: { id: uid } })).statusCode,
  ).toBe(404)
})

it('while it is on a playlist that only a disabled one names answers 921', async () => {
  const shop = await newShop(server)
  const { playlist } = await readyPublication(shop)
  const answer = await server.call(deletePlaylist, { token: shop.token, body: { uid: playlist } })
  expect(answer).toEqual({ code: 921, names: ['On the air'] })
})

it('what may be picked are groups and playlists with their state, by kind', async () => {
  const shop = await newShop(server)
  const [group] = [await shop.group('video'), await shop.group(), await shop.emptyPlaylist()]
  const pick = (x: string) => server.call(contract.selectGroups, { token: shop.token, params: { x } })
  expect(await pick('video')).toEqual([{ uid: group, name: 'North shops', kind: 'video', state: 'paused' }])
  expect(await pick('all')).toHaveLength(2)
  expect(
    await server.call(contract.selectPlaylists, { token: shop.token, params: { x: 'audio' } }),
  ).toHaveLength(1)
})
