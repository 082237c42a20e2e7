import * as contract from '@floorcast/contract/publications.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { listMediaGroups, readMedia } from '@floorcast/contract/media.ts'
import {
  changePlaylistState,
  deletePlaylist,
  readPlaylist,
  readPlaylistWithTracks,
} from '@floorcast/contract/playlists.ts'
import { listDependents } from '@floorcast/contract/recycle-bin.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from './publications-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerGroups, registerLibrary, registerPlaylists, registerPublications, registerRecycleBin],
  })
})
const minutes = (count: number) => new Date(server.clock.now.getTime() + count * 60_000).toISOString()

it('a delayed start waits beside the one in force, one at most, and takes over at its moment', async () => {
  const shop = await newShop(server)
  const now = await readyPublication(shop)
  const [next, third] = [await readyPublication(shop, now.group), await readyPublication(shop, now.group)]
  await shop.turn(now.uid)
  expect((await shop.delay(next.uid, minutes(30))).json()).toEqual({ data: { code: 0 } })
  expect((await shop.delay(third.uid, minutes(40))).json()).toEqual({
    data: { code: 1, names: ['On the air'] },
  })
  const states = async () => [(await shop.card(now.uid)).state, (await shop.card(next.uid)).state]
  expect(await states()).toEqual(['active', 'delayed'])
  server.clock.now = new Date(server.clock.now.getTime() + 30 * 60_000)
  expect(await states()).toEqual(['disabled', 'active'])
  const { token } = shop
  const list = await server.call(contract.listPublications, {
    token,
    params: { x: 'all' },
    query: { state: 'active' },
  })
  expect(list.items.map(({ uid }) => uid)).toEqual([next.uid])
  expect(await server.call(readGroup, { token, params: { id: now.group } })).toMatchObject({
    publication: { uid: next.uid },
  })
  expect(await shop.turn(now.uid, 'disabled')).toEqual({ code: 1, names: ['On the air'] })
  expect(await shop.turn(next.uid, 'active')).toEqual({ code: 9 })
  expect(await states()).toEqual(['disabled', 'disabled'])
})

it('a delayed start leaves the former off in every respect: it, its playlist and its media are free', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const former = await readyPublication(shop)
  const next = await readyPublication(shop, former.group)
  await shop.turn(former.uid)
  await shop.delay(next.uid, minutes(30))
  const playlist = async (id: string) => server.call(readPlaylist, { token, params: { id } })
  const { items } = await server.call(readPlaylistWithTracks, { token, params: { id: former.playlist } })
  const media = { contentType: 'melodies', uid: items[0]?.mediaUid }
  const groups = async () => [
    (await server.call(readMedia, { token, params: media })).usedInGroups,
    (await server.call(listMediaGroups, { token, params: media })).total,
  ]
  const pause = () => server.call(changePlaylistState, { token, params: { id: former.playlist } })
  const remove = () => server.call(deletePlaylist, { token, body: { uid: former.playlist } })
  expect([(await playlist(former.playlist)).isInForce, ...(await groups())]).toEqual([true, 1, 1])
  expect([(await pause()).code, (await remove()).code]).toEqual([1, 409])
  server.clock.now = new Date(server.clock.now.getTime() + 30 * 60_000)
  expect([(await playlist(former.playlist)).isInForce, ...(await groups())]).toEqual([false, 0, 0])
  expect((await playlist(next.playlist)).isInForce).toBe(true)
  expect([(await remove()).code, (await pause()).code]).toEqual([921, 9])
  const depends = { token, params: { x: 'publications', uid: former.uid } }
  expect(await server.call(listDependents, depends)).toMatchObject([{ isBlocking: false }])
  const body = { uid: former.uid }
  expect(await server.call(contract.deletePublication, { token, body })).toEqual({ code: 200 })
  expect((await remove()).code).toBe(200)
  expect((await shop.card(next.uid)).state).toBe('active')
  expect((await shop.turnGroup(former.group)).code).toBe(1)
})

it('a delayed start is moved to another moment, or turned off with 8', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  await shop.delay(uid, minutes(10))
  await shop.delay(uid, '2099-05-01T09:00:00+03:00')
  expect(await shop.card(uid)).toMatchObject({ state: 'delayed', startsAt: '2099-05-01T06:00:00.000Z' })
  expect(await shop.turn(uid, 'delayed')).toEqual({ code: 8 })
  expect(await shop.card(uid)).toMatchObject({ state: 'disabled', startsAt: null })
})

it('a delayed start may be a wall time, in force by the group’s own zone', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  const tag = {
    key: 'timeZone',
    value: 'Asia/Tokyo',
    createdAt: server.clock.now,
    changedAt: server.clock.now,
  }
  await shop.scope.write(writes =>
    writes
      .insertInto('tags')
      .values({ ...tag, uid, clientId: shop.scope.clientId })
      .execute(),
  )
  const inTokyo = (ahead: number) => minutes(9 * 60 + ahead).slice(0, 19)
  await shop.delay(uid, inTokyo(5))
  expect(await shop.card(uid)).toMatchObject({ state: 'delayed', startsAt: inTokyo(5) })
  server.clock.now = new Date(server.clock.now.getTime() + 6 * 60_000)
  expect((await shop.card(uid)).state).toBe('active')
})

it('a delayed start checks what turning on checks: 2, 3, -2', async () => {
  const shop = await newShop(server)
  const { uid, group, playlist } = await readyPublication(shop)
  const delayed = async () => (await shop.delay(uid, minutes(10))).json<{ data: unknown }>().data
  await shop.turnPlaylist(playlist)
  expect(await delayed()).toEqual({ code: 3, names: ['Morning mix'] })
  await shop.turnGroup(group)
  expect(await delayed()).toEqual({ code: 2, names: ['North shops'] })
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  expect(await shop.turn(uid)).toEqual({ code: 0 })
  expect(await delayed()).toEqual({ code: -2, reason: 'turn-it-off-first' })
  expect((await shop.card(uid)).state).toBe('active')
})

it.each([
  ['an instant that is past', () => minutes(-1), 400],
  ['a wall time that is past in every zone', () => minutes(-13 * 60).slice(0, 19), 400],
  ['no time at all', () => 'tomorrow', 422],
  ['the 31st of June', () => '2099-06-31T09:00:00Z', 422],
])('a delayed start %s is refused', async (_, start, status) => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  expect((await shop.delay(uid, start())).statusCode).toBe(status)
  expect((await shop.card(uid)).state).toBe('disabled')
})

it('a delayed start takes one of many at once for a group', async () => {
  const shop = await newShop(server)
  const first = await readyPublication(shop)
  const others = await Promise.all([1, 2, 3].map(() => readyPublication(shop, first.group)))
  const answers = await Promise.all([first, ...others].map(({ uid }) => shop.delay(uid, minutes(60))))
  const codes = answers.map(answer => answer.json<{ data: { code: number } }>().data.code)
  expect(codes.toSorted((a, b) => a - b)).toEqual([0, 1, 1, 1])
})
