import { readAudit } from '@floorcast/contract/audit.ts'
import { previewManyBinned, purgeMany, restoreMany } from '@floorcast/contract/bulk-calls.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { addToGroup, deleteGroup, listGroups } from '@floorcast/contract/groups.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { binCallsOf, binDevices, binGroups, binMedia, binPublication } from '@floorcast/testing/test-bin.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerRecycleBin } from './recycle-bin-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [
      registerDevices,
      registerGroups,
      registerLibrary,
      registerPlaylists,
      registerPublications,
      registerRecycleBin,
      registerAudit,
    ],
  })
})

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

it('restoring many gives back all that match but some, and marks a name that was taken', async () => {
  const shop = await newShop(server)
  const { preview, restore } = binCallsOf(server, shop.token)
  const [one, two, kept] = await binGroups(server, shop, ['North shops', 'North kiosks', 'North towers'])
  await shop.group()
  const items = { filter: { search: 'north' }, except: [kept ?? ''] }
  expect(await preview('groups', items, 'restore')).toEqual({ count: 2, offline: 0, leftOut: [] })
  expect(await restore('groups', items)).toEqual({ code: 200, done: [one, two], failed: [] })
  const { items: groups } = await server.call(listGroups, {
    token: shop.token,
    params: { x: 'all' },
    query: { sort: 'name' },
  })
  expect(groups.map(({ name }) => name)).toEqual(['North kiosks', 'North shops', 'North shops - restored'])
})

it('restoring many leaves publications and playlists whose needs are in the bin, and says so before and after', async () => {
  const shop = await newShop(server)
  const { preview, restore } = binCallsOf(server, shop.token)
  const { uid, group, playlist } = await binPublication(server, shop)
  const items = { uids: [uid] }
  expect(await preview('publications', items, 'restore')).toEqual({
    count: 0,
    offline: 0,
    leftOut: [{ reason: 'restore-these-first', count: 1 }],
  })
  const names = ['North shops', 'Morning mix']
  expect(await restore('publications', items)).toEqual({
    code: 400,
    done: [],
    failed: [{ uid, name: 'On the air', code: 400, reason: 'restore-these-first', names }],
  })
  expect((await restore('groups', { uids: [group] })).code).toBe(200)
  expect((await restore('playlists', { uids: [playlist] })).code).toBe(200)
  expect(await restore('publications', items)).toEqual({ code: 200, done: [uid], failed: [] })
  expect((await shop.card(uid)).state).toBe('disabled')
})

it('restoring many names a playlist whose media are in the bin, once for each item', async () => {
  const shop = await newShop(server)
  const { preview, restore } = binCallsOf(server, shop.token)
  const { playlist, needed } = await binMedia(server, shop)
  expect((await preview('playlists', { uids: [playlist] }, 'restore')).leftOut).toEqual([
    { reason: 'restore-these-first', count: 1 },
  ])
  expect((await restore('playlists', { uids: [playlist] })).failed).toMatchObject([
    { names: ['Spring sale'] },
  ])
  expect((await restore('media', { uids: [needed] })).code).toBe(200)
  expect((await restore('playlists', { uids: [playlist] })).code).toBe(200)
})

it('restoring many gives back as many devices as the plan allows, over a batch too', async () => {
  const shop = await newShop(server)
  const { preview, restore, list } = binCallsOf(server, shop.token)
  const uids = await binDevices(server, shop, 3)
  for (const name of ['Bar', 'Café']) await makeDevice(shop.scope, { name })
  expect(await preview('devices', { uids }, 'restore')).toEqual({
    count: 1,
    offline: 0,
    leftOut: [{ reason: 'device-limit', count: 2 }],
  })
  const answer = await restore('devices', { uids })
  const why = { code: 400, reason: 'device-limit', limit: 3 }
  expect(answer).toEqual({
    code: 400,
    done: uids.slice(0, 1),
    failed: [
      { uid: uids[1], name: 'Till 2', ...why },
      { uid: uids[2], name: 'Till 3', ...why },
    ],
  })
  expect((await server.call(listDevices, { token: shop.token })).total).toBe(3)
  expect((await list('devices')).total).toBe(2)
})

it('restoring many gives back a whole batch and what is after it, each recorded', async () => {
  const shop = await newShop(server)
  const { token, scope } = shop
  const { clientId } = scope
  const now = server.clock.now
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), now)
  const times = { createdAt: now, changedAt: now, deletedAt: now }
  const rows = Array.from({ length: 103 }, (_, n) => ({
    ...times,
    uid: uuidV7(),
    clientId,
    kind: 'audio' as const,
    name: `Aisle ${n}`,
    licenseKey: `KEY-${uuidV7()}`,
  }))
  await scope.write(writes => writes.insertInto('devices').values(rows).execute())
  const { restore } = binCallsOf(server, token)
  const { code, done, failed } = await restore('devices', { filter: {}, all: true })
  expect([code, done?.length, failed]).toEqual([200, 103, []])
  const last = rows.at(-1)?.uid ?? ''
  const { items } = await server.call(readAudit, { token, params: { id: last } })
  expect(items.map(entry => entry.class)).toEqual(['restore'])
})

it('restoring many gives a group its devices back', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const { uid: device } = await makeDevice(shop.scope)
  const group = await shop.group()
  await server.call(addToGroup, { token, params: { device, group } })
  await server.call(deleteGroup, { token, body: { uid: group } })
  const { restore } = binCallsOf(server, token)
  expect((await restore('groups', { uids: [group] })).code).toBe(200)
  expect((await server.call(listDevices, { token, query: { group } })).total).toBe(1)
})

it('restoring many lets users who are no admins restore what they deleted, by uid', async () => {
  const shop = await newShop(server)
  const mine = await signedInUser(shop.scope)
  const { restore } = binCallsOf(server, mine.token)
  const [own, other] = [await shop.group(), await shop.group()]
  await server.call(deleteGroup, { token: mine.token, body: { uid: own } })
  await server.call(deleteGroup, { token: shop.token, body: { uid: other } })
  expect(await restore('groups', { uids: [own, other] })).toEqual({
    code: -1,
    done: [own],
    failed: [{ uid: other, name: 'North shops', code: -1 }],
  })
  expect((await restore('groups', { uids: [other, UNKNOWN] })).code).toBe(303)
  for (const [endpoint, body] of [
    [restoreMany, { filter: { search: 'north' } }],
    [purgeMany, { uids: [other] }],
    [previewManyBinned, { items: { uids: [other] }, action: 'restore' }],
  ] as const) {
    const answer = await server.ask(endpoint, { token: mine.token, params: { x: 'groups' }, body })
    expect(answer.statusCode).toBe(403)
  }
})
