import { deleteManyPublications, deleteUnusedPublications } from '@floorcast/contract/publications.ts'
import { deleteManyDevices, listDevices } from '@floorcast/contract/devices.ts'
import { deleteManyGroups, deleteUnusedGroups, listGroups } from '@floorcast/contract/groups.ts'
import { deleteManyMedia, deleteUnusedMedia, listMedia } from '@floorcast/contract/media.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { addTrack, deleteManyPlaylists, deleteUnusedPlaylists } from '@floorcast/contract/playlists.ts'
import { makeDevice, makeGroup, makeMedia } from '@floorcast/testing/factories.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { uuidV7 } from './uuid-v7.ts'
import { beforeAll, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await wholeServer()
})

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

it('deleting many of devices does the rest when some are in groups: 409, all the same', async () => {
  const { token, scope } = await newShop(server)
  const groupUid = await makeGroup(scope)
  const [free, bound] = [await makeDevice(scope), await makeDevice(scope, { groupUid, name: 'Bound' })]
  const body = { uids: [bound.uid, free.uid, free.uid] }
  expect(await server.call(deleteManyDevices, { token, body })).toEqual({
    code: 409,
    done: [free.uid],
    failed: [{ uid: bound.uid, name: 'Bound', code: 409, reason: 'device-in-a-group' }],
  })
  expect((await server.call(listDevices, { token })).total).toBe(1)
})

it('deleting many by a filter takes all pages of it and leaves the excepted', async () => {
  const { token, scope } = await newShop(server)
  for (let n = 0; n < 203; n += 1) await makeGroup(scope, { name: `Row ${n}` })
  const kept = await makeGroup(scope, { name: 'Row kept' })
  await makeGroup(scope, { name: 'Other' })
  const body = { filter: { search: 'row' }, except: [kept] }
  const answer = await server.call(deleteManyGroups, { token, body })
  expect([answer.code, answer.done?.length, answer.failed]).toEqual([200, 203, []])
  const left = await server.call(listGroups, { token, params: { x: 'all' }, query: { sort: 'name' } })
  expect(left.items.map(({ name }) => name)).toEqual(['Other', 'Row kept'])
})

it('deleting many does a thousand a call, says how many are left and goes on behind the last', async () => {
  const { token, scope } = await newShop(server)
  const { clientId } = scope
  const named = { clientId, kind: 'audio' as const, createdAt: new Date(), changedAt: new Date() }
  const uids = Array.from({ length: 1004 }, () => uuidV7()).toSorted()
  await scope.write(async writes => {
    const rows = uids.map((uid, nr) => ({ ...named, uid, name: `Row ${nr}` }))
    await writes.insertInto('groups').values(rows).execute()
  })
  const except = [uids[0] ?? '', uids[1003] ?? '']
  const body = { filter: { search: 'row' }, except }
  const first = await server.call(deleteManyGroups, { token, body })
  expect(first).toMatchObject({ code: 200, remaining: 2, after: uids[1000], failed: [] })
  expect(first.done).toEqual(uids.slice(1, 1001))
  const second = await server.call(deleteManyGroups, { token, body: { ...body, after: first.after } })
  expect(second).toEqual({ code: 200, done: uids.slice(1001, 1003), failed: [] })
  expect((await server.call(deleteUnusedGroups, { token })).done).toEqual(except)
})

it('deleting many says 303 when reasons differ', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const on = await readyPublication(shop)
  await shop.turn(on.uid)
  const off = await readyPublication(shop)
  const free = await shop.emptyPlaylist()
  const uids = [on.playlist, off.playlist, free]
  expect(await server.call(deleteManyPlaylists, { token, body: { uids } })).toEqual({
    code: 303,
    done: [free],
    failed: [
      { uid: on.playlist, name: 'Morning mix', code: 409, names: ['On the air'] },
      { uid: off.playlist, name: 'Morning mix', code: 921, names: ['On the air'] },
    ],
  })
  const publications = { uids: [on.uid, off.uid] }
  expect(await server.call(deleteManyPublications, { token, body: publications })).toMatchObject({
    code: 400,
    done: [off.uid],
    failed: [{ uid: on.uid, name: 'On the air', code: 400 }],
  })
})

it('deleting many keeps to one client and to one content type', async () => {
  const [mine, theirs] = [await newShop(server), await newShop(server)]
  const foreign = await makeMedia(theirs.scope)
  const [ad, melody] = [await makeMedia(mine.scope, { contentType: 'ads' }), await makeMedia(mine.scope)]
  const uids = [foreign.uid, ad.uid, melody.uid, UNKNOWN]
  const params = { contentType: 'melodies' }
  const answer = await server.call(deleteManyMedia, { token: mine.token, params, body: { uids } })
  expect(answer.done).toEqual([melody.uid])
  expect(answer.failed).toEqual([foreign.uid, ad.uid, UNKNOWN].map(uid => ({ uid, name: '', code: 400 })))
  expect((await server.call(listMedia, { token: theirs.token, params })).total).toBe(1)
})

it.each([
  [{ uids: [] }, 'uids', 'wrong'],
  [{ uids: Array(1001).fill(UNKNOWN) as string[] }, 'uids', 'too-many'],
  [{ uids: ['x'] }, 'uids.0', 'wrong'],
  [{ filter: { state: 'nope' } }, 'filter.state', 'wrong'],
  [{ filter: {}, except: [1] }, 'except.0', 'wrong'],
  [{ filter: {} }, 'all', 'all-items'],
  [{ filter: { search: ' "" ' }, except: [UNKNOWN] }, 'all', 'all-items'],
  [{ filter: { kind: 'all' }, all: false }, 'all', 'wrong'],
  [{ uids: [UNKNOWN], filter: {} }, 'filter', 'unknown'],
  [{}, 'uids', 'empty'],
])('deleting many refuses a body that says not clearly what: 422 (%#)', async (body, path, message) => {
  const { token } = await newShop(server)
  const answer = await server.ask(deleteManyGroups, { token, body })
  expect(answer.statusCode).toBe(422)
  expect(answer.json<Problem>().errors).toMatchObject([{ path, message }])
})

it('deleting many takes everything only when it is told so', async () => {
  const { token, scope } = await newShop(server)
  const [kept, ...uids] = [await makeGroup(scope), await makeGroup(scope), await makeGroup(scope)]
  const body = { filter: { search: '' }, except: [kept] }
  expect((await server.ask(deleteManyGroups, { token, body })).statusCode).toBe(422)
  const answer = await server.call(deleteManyGroups, { token, body: { ...body, all: true } })
  expect(answer.done?.toSorted()).toEqual(uids.toSorted())
})

it.each([
  ['devices', deleteManyDevices, {}],
  ['groups', deleteManyGroups, {}],
  ['media', deleteManyMedia, { contentType: 'melodies' }],
  ['playlists', deleteManyPlaylists, {}],
  ['publications', deleteManyPublications, {}],
] as const)(
  'deleting many of %s refuses a filter that the list has not, and deletes nothing',
  async (_, call, params) => {
    const shop = await newShop(server)
    await readyPublication(shop)
    const filter = { serach: 'no such name' }
    const answer = await server.ask(call, { token: shop.token, params, body: { filter } })
    expect(answer.statusCode).toBe(422)
    expect(answer.json<Problem>().errors).toMatchObject([
      { path: 'filter.serach', message: 'unknown', didYouMean: 'search' },
    ])
  },
)

it('deleting the unused takes what nothing uses, of each kind', async () => {
  const shop = await newShop(server)
  const { token, scope } = shop
  const on = await readyPublication(shop)
  await shop.turn(on.uid)
  const off = await readyPublication(shop)
  const [group, playlist] = [await shop.group(), await shop.emptyPlaylist()]
  const unused = async (call: typeof deleteUnusedGroups) => (await server.call(call, { token })).done
  expect(await unused(deleteUnusedGroups)).toEqual([group])
  expect(await unused(deleteUnusedPlaylists)).toEqual([playlist])
  expect(await unused(deleteUnusedPublications)).toEqual([off.uid])
  expect((await unused(deleteUnusedPlaylists))?.length).toBe(1)
  const free = await makeMedia(scope)
  const held = await makeMedia(scope)
  const mix = await shop.emptyPlaylist()
  await server.call(addTrack, { token, params: { track: held.uid, playlist: mix } })
  const params = { contentType: 'melodies' }
  const answer = await server.call(deleteUnusedMedia, { token, params })
  expect(answer).toMatchObject({ code: 200, failed: [] })
  expect(answer.done).toContain(free.uid)
  expect(answer.done).not.toContain(held.uid)
  expect(await server.call(deleteUnusedMedia, { token, params })).toEqual({
    code: 200,
    done: [],
    failed: [],
  })
})
