import { purgeMany, restoreMany } from '@floorcast/contract/bulk-calls.ts'
import { deleteGroup } from '@floorcast/contract/groups.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeGroup } from '@floorcast/testing/factories.ts'
import { binCallsOf, binGroups, binMedia, binPublication } from '@floorcast/testing/test-bin.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerRecycleBin } from './recycle-bin-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [registerGroups, registerLibrary, registerPlaylists, registerPublications, registerRecycleBin],
  })
})

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

it('purging many of media frees their storage, as the preview says; one that a playlist in the bin needs stays', async () => {
  const shop = await newShop(server)
  const { preview, purge } = binCallsOf(server, shop.token)
  const { needed, free, ad, playlist } = await binMedia(server, shop)
  const everything = { filter: {}, all: true } as const
  expect(await preview('media', everything, 'purge')).toEqual({
    count: 2,
    offline: 0,
    leftOut: [{ reason: 'needed-in-bin', count: 1 }],
    freedBytes: 8_000_000,
  })
  const stays = { uid: needed, name: 'Spring sale', code: 921, names: ['Morning mix'] }
  expect(await purge('media', everything)).toEqual({ code: 921, done: [free, ad], failed: [stays] })
  expect(await purge('media', { uids: [needed, UNKNOWN] })).toEqual({
    code: 303,
    done: [],
    failed: [stays, { uid: UNKNOWN, name: '', code: 400 }],
  })
  const files = await shop.scope.reads.selectFrom('mediaFiles').select('mediaUid').execute()
  expect(files).toEqual([{ mediaUid: needed }])
  expect((await purge('playlists', { uids: [playlist] })).code).toBe(200)
  expect(await purge('media', everything)).toEqual({ code: 200, done: [needed], failed: [] })
})

it('purging many of groups leaves those that a publication in the bin names', async () => {
  const shop = await newShop(server)
  const { preview, purge } = binCallsOf(server, shop.token)
  const { group, uid } = await binPublication(server, shop)
  const [free = ''] = await binGroups(server, shop, ['South shops'])
  const items = { uids: [group, free] }
  expect(await preview('groups', items, 'purge')).toEqual({
    count: 1,
    offline: 0,
    leftOut: [{ reason: 'needed-in-bin', count: 1 }],
  })
  expect(await purge('groups', items)).toEqual({
    code: 409,
    done: [free],
    failed: [{ uid: group, name: 'North shops', code: 409, names: ['On the air'] }],
  })
  expect((await purge('publications', { uids: [uid] })).code).toBe(200)
  expect((await purge('groups', { uids: [group] })).code).toBe(200)
  expect(await purge('groups', { uids: [group] })).toMatchObject({ code: 400, done: [] })
})

it('purging many leaves what is not in the bin, and what another client has in its bin', async () => {
  const [mine, theirs] = [await newShop(server), await newShop(server)]
  const [live, [foreign = '']] = [await mine.group(), await binGroups(server, theirs, ['Foreign shops'])]
  const { purge, restore, preview } = binCallsOf(server, mine.token)
  const items = { uids: [live, foreign] }
  expect((await preview('groups', items, 'purge')).count).toBe(0)
  for (const act of [purge, restore])
    expect(await act('groups', items)).toMatchObject({ code: 400, done: [] })
  expect((await binCallsOf(server, theirs.token).list('groups')).total).toBe(1)
})

it('purging many empties the bin a thousand a call, each item recorded', async () => {
  const shop = await newShop(server)
  const { token, scope } = shop
  const { clientId } = scope
  const at = server.clock.now
  const uids = Array.from({ length: 1004 }, () => uuidV7()).toSorted()
  const rows = uids.map((uid, n) => ({
    uid,
    clientId,
    kind: 'audio' as const,
    name: `Row ${n}`,
    createdAt: at,
    changedAt: at,
    deletedAt: at,
  }))
  await scope.write(writes => writes.insertInto('groups').values(rows).execute())
  const { purge, preview, list } = binCallsOf(server, token)
  const body = { filter: {}, all: true } as const
  expect((await preview('groups', body, 'purge')).count).toBe(1004)
  const first = await purge('groups', body)
  expect(first).toMatchObject({ code: 200, remaining: 4, after: uids[999], failed: [] })
  expect(first.done).toHaveLength(1000)
  const second = await purge('groups', { ...body, after: first.after ?? '' })
  expect(second).toMatchObject({ code: 200, done: uids.slice(1000), failed: [] })
  expect((await list('groups')).total).toBe(0)
  const audited = await scope.reads
    .selectFrom('auditEntries')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('action', '=', 'purge')
    .executeTakeFirst()
  expect(Number(audited?.count)).toBe(1004)
})

it('purging many works after the subscription has ended; restoring does not', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const [uid = ''] = await binGroups(server, shop, ['West shops'])
  const ended = new Date(server.clock.now.getTime() - 1000)
  await server.database.jobs.setSubscription(shop.email, 'trial', ended, server.clock.now)
  const restored = await server.ask(restoreMany, { token, params: { x: 'groups' }, body: { uids: [uid] } })
  expect(restored.statusCode).toBe(403)
  expect((await binCallsOf(server, token).purge('groups', { uids: [uid] })).code).toBe(200)
})

it('the bin is filtered by media type, or by kind, and a filter of the other finds nothing', async () => {
  const shop = await newShop(server)
  const { list, preview } = binCallsOf(server, shop.token)
  const { ad } = await binMedia(server, shop)
  const video = await makeGroup(shop.scope, { kind: 'video', name: 'Screens' })
  await server.call(deleteGroup, { token: shop.token, body: { uid: video } })
  await binGroups(server, shop, ['Sound only'])
  expect((await list('media', { mediaType: 'ads' })).items.map(({ uid }) => uid)).toEqual([ad])
  expect((await list('groups', { kind: 'video' })).items.map(({ uid }) => uid)).toEqual([video])
  expect([
    (await list('media', { kind: 'audio' })).total,
    (await list('groups', { mediaType: 'ads' })).total,
  ]).toEqual([0, 0])
  const ads = { filter: { mediaType: 'ads' } }
  expect((await preview('media', ads, 'purge')).count).toBe(1)
})

it('the bin is not emptied by a forgotten filter', async () => {
  const { token } = await newShop(server)
  for (const endpoint of [restoreMany, purgeMany]) {
    const answer = await server.ask(endpoint, { token, params: { x: 'media' }, body: { filter: {} } })
    expect(answer.statusCode).toBe(422)
    expect(answer.json<Problem>().errors).toMatchObject([{ path: 'all', message: 'all-items' }])
  }
})
