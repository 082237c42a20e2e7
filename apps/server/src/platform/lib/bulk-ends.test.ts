import { deleteManyPublications, deleteUnusedPublications } from '@floorcast/contract/publications.ts'
import { deleteManyDevices } from '@floorcast/contract/devices.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { deleteManyGroups, deleteUnusedGroups } from '@floorcast/contract/groups.ts'
import { deleteManyMedia, deleteUnusedMedia } from '@floorcast/contract/media.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { addTrack, deleteManyPlaylists, deleteUnusedPlaylists } from '@floorcast/contract/playlists.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { meanwhile } from '@floorcast/testing/concurrently.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, readyPublication, type Shop } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'

const server = await wholeServer()
const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

/** A group and playlist that are free, and some that publications on and off hold. */
async function usedShop() {
  const shop = await newShop(server)
  const on = await readyPublication(shop)
  await shop.turn(on.uid)
  const off = await readyPublication(shop)
  return { shop, on, off }
}

const ask = async (shop: Shop, endpoint: Endpoint, given: { uids?: string[]; contentType?: string } = {}) =>
  (await server.call(endpoint, {
    token: shop.token,
    ...(given.contentType ? { params: { contentType: given.contentType } } : {}),
    ...(given.uids ? { body: { uids: given.uids } } : {}),
  })) as Outcome

it('deleting many ends in one code of devices', async () => {
  const { shop, on } = await usedShop()
  const free = await makeDevice(shop.scope)
  const bound = await makeDevice(shop.scope, { groupUid: on.group })
  const codeOf = async (...uids: string[]) => (await ask(shop, deleteManyDevices, { uids })).code
  expect(await codeOf(free.uid)).toBe(200)
  expect(await codeOf(bound.uid)).toBe(409)
  expect(await codeOf(UNKNOWN)).toBe(400)
  expect(await codeOf(bound.uid, UNKNOWN)).toBe(303)
})

it('deleting many ends in one code of groups', async () => {
  const { shop, on } = await usedShop()
  const codeOf = async (...uids: string[]) => (await ask(shop, deleteManyGroups, { uids })).code
  expect(await codeOf(await shop.group())).toBe(200)
  expect(await codeOf(on.group)).toBe(409)
  expect(await codeOf(UNKNOWN)).toBe(400)
  expect(await codeOf(on.group, UNKNOWN)).toBe(303)
})

it('deleting many ends in one code of playlists', async () => {
  const { shop, on, off } = await usedShop()
  const codeOf = async (...uids: string[]) => (await ask(shop, deleteManyPlaylists, { uids })).code
  expect(await codeOf(await shop.emptyPlaylist())).toBe(200)
  expect(await codeOf(on.playlist)).toBe(409)
  expect(await codeOf(off.playlist)).toBe(921)
  expect(await codeOf(UNKNOWN)).toBe(400)
  expect(await codeOf(on.playlist, off.playlist)).toBe(303)
})

it('deleting many ends in one code of publications', async () => {
  const { shop, on, off } = await usedShop()
  const codeOf = async (...uids: string[]) => (await ask(shop, deleteManyPublications, { uids })).code
  expect(await codeOf(off.uid)).toBe(200)
  expect(await codeOf(on.uid, UNKNOWN)).toBe(400)
})

it('deleting many ends in one code of media', async () => {
  const { shop } = await usedShop()
  const [free, held] = [await makeMedia(shop.scope), await makeMedia(shop.scope)]
  const params = { track: held.uid, playlist: await shop.emptyPlaylist() }
  await server.call(addTrack, { token: shop.token, params })
  const codeOf = async (...uids: string[]) =>
    (await ask(shop, deleteManyMedia, { uids, contentType: 'melodies' })).code
  expect(await codeOf(free.uid)).toBe(200)
  expect(await codeOf(held.uid)).toBe(921)
  expect(await codeOf(UNKNOWN)).toBe(400)
  expect(await codeOf(held.uid, UNKNOWN)).toBe(303)
})

/** Items that become used or deleted between the search and the deletion. */
interface Turn {
  used: string[]
  gone: string[]
}

const trashed = (table: string, uids: string[]) =>
  `update ${table} set deleted_at = now() where uid = any('{${uids.join()}}')`

/** Deletes the unused of one kind while some of them come into use and others go. */
const deleteMeanwhile = (
  shop: Shop,
  given: {
    endpoint: Endpoint
    contentType?: string
    table: string
    use: (uid: string) => string
    turn: Turn
  },
) =>
  meanwhile(server, {
    lock: `select from ${given.table} where uid = any('{${[...given.turn.used, ...given.turn.gone].join()}}') for update`,
    call: () => ask(shop, given.endpoint, given),
    change: async superuser => {
      for (const uid of given.turn.used) await superuser.query(given.use(uid))
      await superuser.query(trashed(given.table, given.turn.gone))
    },
  })

const publication = (shop: Shop, row: { group: string; playlist: string; state: string }) =>
  `insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at, changed_at)
     values (gen_random_uuid(), '${shop.scope.clientId}', 'audio', 'Meanwhile', '${row.group}', '${row.playlist}', '${row.state}',
       now(), now(), now())`

it('deleting the unused leaves groups that come into use, or go, meanwhile', async () => {
  const shop = await newShop(server)
  const playlist = await shop.emptyPlaylist()
  const run = async (turn: Turn) =>
    deleteMeanwhile(shop, {
      endpoint: deleteUnusedGroups,
      table: 'groups',
      use: group => publication(shop, { group, playlist, state: 'disabled' }),
      turn,
    })
  const used = await shop.group()
  expect(await run({ used: [used], gone: [] })).toEqual({
    code: 409,
    done: [],
    failed: [{ uid: used, name: 'North shops', code: 409, names: ['Meanwhile'] }],
  })
  expect((await run({ used: [], gone: [await shop.group()] })).code).toBe(400)
  expect((await run({ used: [await shop.group()], gone: [await shop.group()] })).code).toBe(303)
})

it('deleting the unused leaves playlists that come into use, or go, meanwhile', async () => {
  const shop = await newShop(server)
  const run = async (turn: Turn, state = 'disabled') => {
    const group = await shop.group()
    const use = (playlist: string) => publication(shop, { group, playlist, state })
    return (await deleteMeanwhile(shop, { endpoint: deleteUnusedPlaylists, table: 'playlists', use, turn }))
      .code
  }
  expect(await run({ used: [await shop.emptyPlaylist()], gone: [] })).toBe(921)
  expect(await run({ used: [await shop.emptyPlaylist()], gone: [] }, 'active')).toBe(409)
  expect(await run({ used: [], gone: [await shop.emptyPlaylist()] })).toBe(400)
  expect(await run({ used: [await shop.emptyPlaylist()], gone: [await shop.emptyPlaylist()] })).toBe(303)
})

it('deleting the unused leaves publications that are turned on meanwhile', async () => {
  const shop = await newShop(server)
  const { uid } = await readyPublication(shop)
  const answer = await deleteMeanwhile(shop, {
    endpoint: deleteUnusedPublications,
    table: 'publications',
    use: on => `update publications set state = 'active', activated_at = now() where uid = '${on}'`,
    turn: { used: [uid], gone: [] },
  })
  const failed = { uid, name: 'On the air', code: 400, reason: 'turn-it-off-first' }
  expect(answer).toEqual({ code: 400, done: [], failed: [failed] })
  expect((await shop.card(uid)).state).toBe('active')
})

it('deleting the unused leaves media that a playlist takes, or that go, meanwhile', async () => {
  const shop = await newShop(server)
  const newMedia = async () => (await makeMedia(shop.scope)).uid
  const run = async (turn: Turn) => {
    const playlist = await shop.emptyPlaylist()
    const use = (media: string) =>
      `insert into playlist_items (uid, client_id, playlist_uid, media_uid, position, repeat_count)
         values (gen_random_uuid(), '${shop.scope.clientId}', '${playlist}', '${media}', 1, 1)`
    const of = { endpoint: deleteUnusedMedia, contentType: 'melodies', table: 'media_items' }
    return (await deleteMeanwhile(shop, { ...of, use, turn })).code
  }
  expect(await run({ used: [await newMedia()], gone: [] })).toBe(921)
  expect(await run({ used: [], gone: [await newMedia()] })).toBe(400)
  expect(await run({ used: [await newMedia()], gone: [await newMedia()] })).toBe(303)
})
