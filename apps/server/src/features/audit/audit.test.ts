import { readAudit } from '@floorcast/contract/audit.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import { addToGroup, deleteGroup, editGroup } from '@floorcast/contract/groups.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerAudit } from './audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerDevices, registerGroups, registerTags, registerAudit] })
})

it('the audit records who changed what, with the fields before and after', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const [uid, other] = [await shop.group(), await shop.group()]
  const manager = await signedInUser(shop.scope)
  const body = { uid, name: 'South shops' }
  await server.call(editGroup, { token: manager.token, body })
  const of = (id: string, query = {}) => server.call(readAudit, { token, params: { id }, query })
  const mine = await of(uid)
  expect(mine.total).toBe(2)
  expect(mine.items[0]).toMatchObject({
    type: 'group',
    class: 'edit',
    description: 'South shops',
    comment: manager.email,
    userUid: manager.uid,
    thingUid: uid,
    changes: { name: ['North shops', 'South shops'] },
    playlist: null,
  })
  expect(mine.items[0]?.request).toBeTruthy()
  expect(await of(manager.uid)).toMatchObject({ total: 1, items: [{ thingUid: uid }] })
  expect((await of('all', { search: 'group add' })).items.map(({ thingUid }) => thingUid)).toEqual([
    other,
    uid,
  ])
  expect(await of('all', { size: 1, page: 2 })).toMatchObject({ page: 2, items: [{ thingUid: other }] })
})

it('the audit names the items whose uids are in the changes, as long as they are there', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const group = await shop.group()
  const body = { name: 'Till radio' }
  const { uid: device = '' } = await server.call(addDevice, {
    token,
    params: { contentType: 'audio' },
    body,
  })
  await server.call(addToGroup, { token, params: { device, group } })
  const named = async (of = token) => {
    const { items } = await server.call(readAudit, { token: of, params: { id: device } })
    return items.map(entry => [entry.class, entry.named])
  }
  const reference = { uid: group, name: 'North shops', kind: 'group', contentType: null }
  expect(await named()).toEqual([
    ['join-group', [reference]],
    ['add', []],
  ])
  await server.call(editGroup, { token, body: { uid: group, name: 'South shops' } })
  expect((await named())[0]).toEqual(['join-group', [{ ...reference, name: 'South shops' }]])
  await server.call(deleteGroup, { token, body: { uid: group } })
  expect(await named()).toEqual([
    ['leave-group', []],
    ['join-group', []],
    ['add', []],
  ])
})

it('the audit names no item of another client', async () => {
  const [mine, theirs] = [await newShop(server), await newShop(server)]
  const params = { contentType: 'device', uid: (await makeDevice(mine.scope)).uid }
  const tag = { key: 'note', value: await theirs.group() }
  await server.call(addTag, { token: mine.token, params, body: tag })
  const { items } = await server.call(readAudit, { token: mine.token, params: { id: params.uid } })
  expect(items).toMatchObject([{ changes: { note: [null, tag.value] }, named: [] }])
})

it('the audit filters by kinds of items and by users', async () => {
  const shop = await newShop(server)
  const manager = await signedInUser(shop.scope)
  const [group, other] = [await shop.group(), await shop.group()]
  await server.call(editGroup, { token: manager.token, body: { uid: other, name: 'West shops' } })
  const body = { name: 'Till radio' }
  await server.call(addDevice, { token: shop.token, params: { contentType: 'audio' }, body })
  const of = async (query: object) => {
    const { items } = await server.call(readAudit, { token: shop.token, params: { id: 'all' }, query })
    return items.map(({ type, class: action, thingUid }) => `${type} ${action} ${thingUid}`)
  }
  expect(await of({ type: 'group' })).toEqual([
    `group edit ${other}`,
    `group add ${other}`,
    `group add ${group}`,
  ])
  expect(await of({ type: 'group,device' })).toHaveLength(4)
  expect(await of({ user: manager.uid })).toEqual([`group edit ${other}`])
  expect(await of({ user: manager.uid, type: 'device' })).toEqual([])
  const ask = (query: object) => server.ask(readAudit, { token: shop.token, params: { id: 'all' }, query })
  expect((await ask({ type: 'shop' })).statusCode).toBe(422)
  expect((await ask({ user: 'somebody' })).statusCode).toBe(422)
})

it('the audit filters by time: from a moment, until before another', async () => {
  const shop = await newShop(server)
  const began = server.clock.now
  const at = (minutes: number) => new Date(began.getTime() + minutes * 60_000)
  const uids: string[] = []
  for (const minutes of [1, 2, 3]) {
    server.clock.now = at(minutes)
    uids.push(await shop.group())
  }
  const query = { from: at(2).toISOString(), to: at(3).toISOString() }
  const { items } = await server.call(readAudit, { token: shop.token, params: { id: 'all' }, query })
  expect(items.map(({ thingUid }) => thingUid)).toEqual([uids[1]])
})

it('the audit is for admins of the client', async () => {
  const [mine, theirs] = [await newShop(server), await newShop(server)]
  const uid = await mine.group()
  const ask = (token: string, id: string) => server.ask(readAudit, { token, params: { id } })
  expect((await ask(theirs.token, uid)).statusCode).toBe(404)
  expect((await ask((await signedInUser(mine.scope)).token, 'all')).statusCode).toBe(403)
  expect((await ask(mine.token, 'some')).statusCode).toBe(422)
})
