import {
  changeManyGroups,
  changeManyPlaylists,
  changeManyPublications,
  previewManyGroups,
  previewManyMedia,
  previewManyPlaylists,
  previewManyPublications,
} from '@floorcast/contract/bulk-calls.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { addTrack, readPlaylist } from '@floorcast/contract/playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await wholeServer()
})

/** A client with a publication that is on, and a free group and playlist. */
async function newStates() {
  const shop = await newShop(server)
  const { uid: publication, group, playlist } = await readyPublication(shop)
  await shop.turn(publication)
  const [freeGroup, freePlaylist] = [await shop.group(), await shop.playlist()]
  return { ...shop, shop, publication, group, playlist, freeGroup, freePlaylist }
}

it('many groups are activated and paused; one in force stays, and says why before and after', async () => {
  const { token, group, freeGroup } = await newStates()
  const items = { uids: [group, freeGroup] }
  const preview = (action: 'activate' | 'pause' | 'delete') =>
    server.call(previewManyGroups, { token, body: { items, action } })
  const change = (action: 'activate' | 'pause' | 'delete') =>
    server.call(changeManyGroups, { token, body: { items, action } })
  const states = async () => [
    (await server.call(readGroup, { token, params: { id: group } })).state,
    (await server.call(readGroup, { token, params: { id: freeGroup } })).state,
  ]
  expect(await preview('activate')).toEqual({
    count: 1,
    offline: 0,
    leftOut: [{ reason: 'already-so', count: 1 }],
  })
  expect((await change('activate')).code).toBe(200)
  expect(await states()).toEqual(['active', 'active'])
  expect((await preview('pause')).leftOut).toEqual([{ reason: 'in-force-cannot-be-paused', count: 1 }])
  expect(await change('pause')).toMatchObject({
    code: 1,
    done: [freeGroup],
    failed: [{ uid: group, code: 1, reason: 'in-force-cannot-be-paused', names: ['On the air'] }],
  })
  expect(await states()).toEqual(['active', 'paused'])
  expect((await preview('delete')).leftOut).toEqual([{ reason: 'in-use', count: 1 }])
  expect(await change('delete')).toMatchObject({ done: [freeGroup], failed: [{ uid: group, code: 409 }] })
})

it('many playlists are activated but for empty ones, and paused but for those on the air', async () => {
  const { token, playlist, freePlaylist, emptyPlaylist } = await newStates()
  const empty = await emptyPlaylist()
  const items = { uids: [playlist, freePlaylist, empty] }
  const preview = (action: 'activate' | 'pause' | 'delete') =>
    server.call(previewManyPlaylists, { token, body: { items, action } })
  const change = (action: 'activate' | 'pause' | 'delete') =>
    server.call(changeManyPlaylists, { token, body: { items, action } })
  const state = async (id: string) => (await server.call(readPlaylist, { token, params: { id } })).state
  expect(new Set((await preview('activate')).leftOut)).toEqual(
    new Set([
      { reason: 'already-so', count: 1 },
      { reason: 'playlist-empty', count: 1 },
    ]),
  )
  expect(await change('activate')).toMatchObject({
    code: 400,
    failed: [{ uid: empty, reason: 'playlist-empty' }],
  })
  expect([await state(freePlaylist), await state(empty)]).toEqual(['active', 'paused'])
  expect(await preview('pause')).toMatchObject({ count: 1 })
  expect(await change('pause')).toMatchObject({ failed: [{ uid: playlist, code: 1 }] })
  expect([await state(playlist), await state(freePlaylist)]).toEqual(['active', 'paused'])
  expect(await preview('delete')).toMatchObject({ count: 2, leftOut: [{ reason: 'in-use', count: 1 }] })
})

it('many publications are turned on where group and playlist are ready, and off', async () => {
  const { shop, token, publication, group, playlist, freeGroup, freePlaylist } = await newStates()
  const taken = (await shop.publish(group, playlist)).uid ?? ''
  const unready = (await shop.publish(freeGroup, freePlaylist)).uid ?? ''
  const ready = (await readyPublication(shop)).uid
  const items = { uids: [publication, taken, unready, ready] }
  const preview = (action: 'turn-on' | 'turn-off' | 'delete') =>
    server.call(previewManyPublications, { token, body: { items, action } })
  const change = (action: 'turn-on' | 'turn-off' | 'delete') =>
    server.call(changeManyPublications, { token, body: { items, action } })
  const plan = await preview('turn-on')
  expect(plan.count).toBe(1)
  expect(new Set(plan.leftOut)).toEqual(
    new Set([
      { reason: 'already-so', count: 1 },
      { reason: 'group-taken', count: 1 },
      { reason: 'group-paused', count: 1 },
    ]),
  )
  const { failed } = await change('turn-on')
  expect(new Map(failed?.map(({ uid, code }) => [uid, code]))).toEqual(
    new Map([
      [taken, 1],
      [unready, 2],
    ]),
  )
  expect((await shop.card(ready)).state).toBe('active')
  expect((await preview('delete')).leftOut).toEqual([{ reason: 'turn-it-off-first', count: 2 }])
  expect(await preview('turn-off')).toMatchObject({ count: 2 })
  expect((await change('turn-off')).code).toBe(200)
  expect([(await shop.card(ready)).state, (await shop.card(publication)).state]).toEqual([
    'disabled',
    'disabled',
  ])
})

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

it('a selection whose items all fail has the code of the failures, 303 if these differ of publications', async () => {
  const { shop, token, group, playlist, freeGroup, freePlaylist } = await newStates()
  const turnOn = async (...uids: string[]) =>
    (await server.call(changeManyPublications, { token, body: { items: { uids }, action: 'turn-on' } })).code
  const taken = (await shop.publish(group, playlist)).uid ?? ''
  expect(await turnOn(taken)).toBe(1)
  const paused = (await shop.publish(freeGroup, freePlaylist)).uid ?? ''
  expect(await turnOn(paused)).toBe(2)
  expect(await turnOn(taken, paused)).toBe(303)
  await shop.turnGroup(freeGroup)
  expect(await turnOn(paused)).toBe(3)
  const empty = await shop.emptyPlaylist()
  await shop.turnPlaylist(empty)
  const silent = (await shop.publish(freeGroup, empty)).uid ?? ''
  expect(await turnOn(silent)).toBe(-2)
})

it('a selection whose items all fail has the code of the failures, 303 if these differ of groups', async () => {
  const { token, group } = await newStates()
  const items = { uids: [group, UNKNOWN] }
  expect((await server.call(changeManyGroups, { token, body: { items, action: 'delete' } })).code).toBe(303)
})

it('a selection whose items all fail has the code of the failures, 303 if these differ of playlists', async () => {
  const { token, playlist } = await newStates()
  const remove = async (...uids: string[]) =>
    (await server.call(changeManyPlaylists, { token, body: { items: { uids }, action: 'delete' } })).code
  expect(await remove(playlist)).toBe(409)
  expect(await remove(playlist, UNKNOWN)).toBe(303)
})

it('many media are counted before they are deleted: those in playlists stay', async () => {
  const { token, scope, freePlaylist } = await newStates()
  const [held, free] = [await makeMedia(scope), await makeMedia(scope)]
  await server.call(addTrack, { token, params: { track: held.uid, playlist: freePlaylist } })
  const preview = (items: object) =>
    server.call(previewManyMedia, {
      token,
      params: { contentType: 'melodies' },
      body: { items, action: 'delete' },
    })
  expect(await preview({ uids: [held.uid, free.uid] })).toEqual({
    count: 1,
    offline: 0,
    leftOut: [{ reason: 'in-use', count: 1 }],
  })
  expect(await preview({ filter: { used: 'unused' }, except: [] })).toMatchObject({ count: 1, leftOut: [] })
})

it('many media of another client are not counted', async () => {
  const [mine, theirs] = [await newStates(), await newStates()]
  const { token } = mine
  const media = await makeMedia(theirs.scope)
  const body = { items: { uids: [media.uid] }, action: 'delete' as const }
  const params = { contentType: 'melodies' as const }
  expect((await server.call(previewManyMedia, { token, params, body })).count).toBe(0)
  const groups = { items: { uids: [theirs.freeGroup] }, action: 'activate' as const }
  expect((await server.call(previewManyGroups, { token, body: groups })).count).toBe(0)
  expect((await server.call(changeManyGroups, { token, body: groups })).done).toEqual([])
  const playlists = { items: { uids: [theirs.freePlaylist] }, action: 'activate' as const }
  expect((await server.call(changeManyPlaylists, { token, body: playlists })).done).toEqual([])
  const publications = { items: { uids: [theirs.publication] }, action: 'turn-off' as const }
  expect((await server.call(changeManyPublications, { token, body: publications })).done).toEqual([])
  expect((await theirs.card(theirs.publication)).state).toBe('active')
})
