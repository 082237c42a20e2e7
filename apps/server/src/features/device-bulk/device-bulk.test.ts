import { readAudit } from '@floorcast/contract/audit.ts'
import { changeManyDevices, previewManyDevices, type DeviceAction } from '@floorcast/contract/bulk-calls.ts'
import { listDeviceCommands, sendCommand } from '@floorcast/contract/device-commands.ts'
import { editDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { addTag, listTags } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceBulk } from './device-bulk-routes.ts'
import { registerDeviceCommands } from '../device-commands/device-commands-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [
      registerDevices,
      registerDeviceBulk,
      registerDeviceCommands,
      registerGroups,
      registerTags,
      registerAudit,
    ],
  })
})

const passMinutes = (minutes: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000)
}

const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

async function newFleet(names: readonly string[] = ['Lisboa 1', 'Lisboa 2', 'Porto']) {
  const shop = await newShop(server)
  const { token, scope } = shop
  const uids: string[] = []
  for (const name of names) uids.push((await makeDevice(scope, { name })).uid)
  const change = (items: object, action: DeviceAction) =>
    server.call(changeManyDevices, { token, body: { items, action } })
  const preview = (items: object, action: DeviceAction) =>
    server.call(previewManyDevices, { token, body: { items, action } })
  const card = (id: string) => server.call(readDevice, { token, params: { id } })
  const groupsOf = async () => {
    const { items } = await server.call(listDevices, { token, query: { sort: 'name' } })
    return items.map(({ group }) => group?.uid ?? null)
  }
  const written = async (id: string) => {
    const { items } = await server.call(readAudit, { token, params: { id } })
    return items.map(entry => ({ action: entry.class, changes: entry.changes }))
  }
  return { ...shop, uids, change, preview, card, groupsOf, written }
}

it('many devices join a group; those in another one and those that it cannot take are counted before and named after', async () => {
  const { uids, scope, group, change, preview, groupsOf, written } = await newFleet(['A', 'B'])
  const [video, other] = [await group('video'), await group()]
  const taken = await makeDevice(scope, { name: 'C', kind: 'video', groupUid: other })
  const free = await makeDevice(scope, { name: 'D', kind: 'video' })
  const inside = await makeDevice(scope, { name: 'E', kind: 'video', groupUid: video })
  const items = { uids: [...uids, taken.uid, free.uid, inside.uid, UNKNOWN] }
  const action: DeviceAction = { do: 'join', groupUid: video }
  const plan = await preview(items, action)
  expect(plan).toMatchObject({ count: 1, offline: 1 })
  expect(new Set(plan.leftOut)).toEqual(
    new Set([
      { reason: 'kind-does-not-fit', count: 2 },
      { reason: 'device-in-a-group', count: 1 },
      { reason: 'already-so', count: 1 },
    ]),
  )
  const answer = await change(items, action)
  expect(answer).toMatchObject({ code: 303, done: [free.uid] })
  expect(new Set(answer.failed)).toEqual(
    new Set([
      { uid: uids[0], name: 'A', code: 400, reason: 'kind-does-not-fit' },
      { uid: uids[1], name: 'B', code: 400, reason: 'kind-does-not-fit' },
      { uid: taken.uid, name: 'C', code: 409, reason: 'device-in-a-group' },
      { uid: UNKNOWN, name: '', code: 400 },
    ]),
  )
  expect(await groupsOf()).toEqual([null, null, other, video, video])
  expect((await change({ uids: [taken.uid] }, action)).code).toBe(409)
  expect(await written(free.uid)).toEqual([{ action: 'join-group', changes: { groupUid: [null, video] } }])
  expect((await written(video))[0]).toEqual({ action: 'add-devices', changes: { devices: [null, 1] } })
})

it('many devices leave their groups, each group with one entry of its own', async () => {
  const { uids, scope, group, change, preview, groupsOf, written, token } = await newFleet(['A'])
  const [north, south] = [await group(), await group()]
  const members = [north, north, south].map(groupUid => makeDevice(scope, { name: 'M', groupUid }))
  const inGroups = (await Promise.all(members)).map(({ uid }) => uid)
  const items = { uids: [...uids, ...inGroups] }
  expect(await preview(items, { do: 'leave' })).toMatchObject({
    count: 3,
    leftOut: [{ reason: 'device-not-in-group', count: 1 }],
  })
  const { done = [], failed } = await change(items, { do: 'leave' })
  expect(new Set(done)).toEqual(new Set(inGroups))
  expect(failed).toEqual([{ uid: uids[0], name: 'A', code: 400, reason: 'device-not-in-group' }])
  expect(await groupsOf()).toEqual([null, null, null, null])
  expect((await written(north))[0]).toEqual({ action: 'remove-devices', changes: { devices: [2, null] } })
  expect(await server.call(readGroup, { token, params: { id: south } })).toMatchObject({ deviceCount: 0 })
})

it('many devices get a volume, except where a tag of the group has precedence', async () => {
  const { uids, scope, group, change, preview, card, written, token } = await newFleet(['A'])
  const loud = await group()
  await server.call(addTag, {
    token,
    params: { contentType: 'group', uid: loud },
    body: { key: 'volume', value: '90' },
  })
  const bound = await makeDevice(scope, { name: 'B', groupUid: loud })
  await scope.write(writes =>
    writes.updateTable('devices').set({ tagPolicy: 'group' }).where('uid', '=', bound.uid).execute(),
  )
  const items = { uids: [...uids, bound.uid] }
  const action: DeviceAction = { do: 'volume', volume: 35 }
  expect((await preview(items, action)).leftOut).toEqual([{ reason: 'volume-by-policy', count: 1 }])
  await change({ uids }, { do: 'volume', volume: 20 })
  expect(await change(items, action)).toMatchObject({
    done: uids,
    failed: [{ name: 'B', reason: 'volume-by-policy' }],
  })
  expect([(await card(uids[0] ?? '')).volume, (await card(bound.uid)).volume]).toEqual([35, 90])
  expect((await written(uids[0] ?? ''))[0]).toEqual({ action: 'edit', changes: { volume: ['20', '35'] } })
})

it('many devices get back the volumes that they had, those that nobody has changed since', async () => {
  const { uids, change, preview, card, written, token, scope } = await newFleet(['A', 'B', 'C'])
  const [one = '', two = '', three = ''] = uids
  const volumes = async () => [(await card(one)).volume, (await card(two)).volume, (await card(three)).volume]
  await change({ uids: [one] }, { do: 'volume', volume: 20 })
  passMinutes(1)
  await change({ uids }, { do: 'volume', volume: 35 })
  passMinutes(1)
  await server.call(editDevice, { token, body: { uid: three, volume: 40 } })
  const undo: DeviceAction = { do: 'undo-volume', volume: 35 }
  expect(await preview({ uids }, undo)).toMatchObject({
    count: 2,
    leftOut: [{ reason: 'volume-changed-since', count: 1 }],
  })
  const other = await signedInUser(scope, { role: 'manager' })
  const asOther = { token: other.token, body: { items: { uids }, action: undo } }
  expect(await server.call(changeManyDevices, asOther)).toMatchObject({ done: [] })
  passMinutes(1)
  expect(await change({ uids }, undo)).toMatchObject({
    done: [one, two],
    failed: [{ uid: three, name: 'C', code: 400, reason: 'volume-changed-since' }],
  })
  expect(await volumes()).toEqual([20, 70, 40])
  expect((await written(one))[0]).toEqual({ action: 'edit', changes: { volume: ['35', '20'] } })
  expect((await written(two))[0]).toEqual({ action: 'edit', changes: { volume: ['35', null] } })
  passMinutes(1)
  // Once is enough.
  expect((await change({ uids }, undo)).done).toEqual([])
  expect(await volumes()).toEqual([20, 70, 40])
})

it('many devices keep a volume that was set more than ten minutes ago', async () => {
  const { uids, change, card } = await newFleet(['A'])
  await change({ uids }, { do: 'volume', volume: 35 })
  passMinutes(11)
  expect((await change({ uids }, { do: 'undo-volume', volume: 35 })).done).toEqual([])
  expect((await card(uids[0] ?? '')).volume).toBe(35)
})

it('many devices get a tag; an existing one gets the new value', async () => {
  const { uids, change, written, token } = await newFleet(['A', 'B'])
  const [one = '', two = ''] = uids
  const params = { contentType: 'device' as const, uid: one }
  await server.call(addTag, { token, params, body: { key: 'city', value: 'Porto' } })
  const tag = { key: 'city', value: 'Lisboa', description: '' }
  expect((await change({ uids }, { do: 'tag', tag })).code).toBe(200)
  expect(await server.call(listTags, { token, params })).toMatchObject([{ key: 'city', value: 'Lisboa' }])
  expect((await written(one))[0]).toEqual({ action: 'edit-tag', changes: { city: ['Porto', 'Lisboa'] } })
  expect((await written(two))[0]).toEqual({ action: 'add-tag', changes: { city: [null, 'Lisboa'] } })
})

it('many devices restart, except those with ten commands waiting', async () => {
  const { uids, change, preview, token } = await newFleet(['A', 'B'])
  const [full = '', free = ''] = uids
  for (let n = 0; n < 10; n += 1)
    await server.call(sendCommand, { token, params: { uid: full }, body: { command: 'identify' } })
  expect(await preview({ uids }, { do: 'restart' })).toEqual({
    count: 1,
    offline: 1,
    leftOut: [{ reason: 'too-many-commands', count: 1 }],
  })
  expect(await change({ uids }, { do: 'restart' })).toMatchObject({
    done: [free],
    failed: [{ uid: full, reason: 'too-many-commands' }],
  })
  const { commands } = await server.call(listDeviceCommands, { token, params: { uid: free } })
  expect(commands).toMatchObject([{ command: 'restart', state: 'waiting' }])
})

it('many devices go to the recycle bin by the filter of the list, except one', async () => {
  const { uids, change, preview, groupsOf } = await newFleet()
  const items = { filter: { search: 'lisboa' }, except: [uids[0]] }
  expect(await preview(items, { do: 'delete' })).toMatchObject({ count: 1, leftOut: [] })
  expect(await change(items, { do: 'delete' })).toEqual({ code: 200, done: [uids[1]], failed: [] })
  expect(await groupsOf()).toHaveLength(2)
})

it('many devices by a filter are a thousand a call, and counted before the database has statistics of them', async () => {
  const { change, preview, scope, email } = await newFleet([])
  await server.database.jobs.setSubscription(email, 'professional', new Date('2099-01-01'), new Date())
  const count = 10_200
  const now = new Date()
  const row = { clientId: scope.clientId, kind: 'audio' as const, createdAt: now, changedAt: now }
  const all = Array.from({ length: count }, (_, n) => ({
    ...row,
    uid: `01933d4e-0000-7000-8000-${String(n).padStart(12, '0')}`,
    name: `Shop ${n}`,
    licenseKey: `BULK${n}`,
  }))
  await scope.write(async writes => {
    for (let from = 0; from < count; from += 1000)
      await writes
        .insertInto('devices')
        .values(all.slice(from, from + 1000))
        .execute()
  })
  const items = { filter: { search: 'shop' }, except: [] }
  const action: DeviceAction = { do: 'volume', volume: 30 }
  expect((await preview(items, action)).count).toBe(count)
  const first = await change(items, action)
  expect([first.done?.length, first.remaining]).toEqual([1000, count - 1000])
  const undo: DeviceAction = { do: 'undo-volume', volume: 30 }
  passMinutes(1)
  expect((await preview(items, undo)).count).toBe(1000)
  expect((await change({ uids: first.done }, undo)).done).toHaveLength(1000)
  expect((await preview(items, undo)).count).toBe(0)
  const last = await change({ ...items, after: all[count - 201]?.uid }, action)
  expect([last.done?.length, last.remaining]).toEqual([200, undefined])
})

it('many devices are refused to users who may only view, and tags to those who are no admins', async () => {
  const { uids, scope, card } = await newFleet(['A'])
  const items = { uids }
  const status = async (token: string, action: DeviceAction) =>
    (await server.ask(changeManyDevices, { token, body: { items, action } })).statusCode
  const viewer = await signedInUser(scope, { role: 'admin', rights: 'view' })
  expect(await status(viewer.token, { do: 'volume', volume: 10 })).toBe(403)
  const manager = await signedInUser(scope, { role: 'manager' })
  const tag = { key: 'city', value: 'Porto', description: '' }
  expect(await status(manager.token, { do: 'tag', tag })).toBe(403)
  expect(await status(manager.token, { do: 'volume', volume: 10 })).toBe(200)
  expect((await card(uids[0] ?? '')).volume).toBe(10)
})

it('many devices are refused with a wrong tag, an unknown group, and without a filter', async () => {
  const { uids, token } = await newFleet(['A'])
  const status = async (body: object) =>
    (await server.ask(changeManyDevices, { token, body: body })).statusCode
  const items = { uids }
  expect(await status({ items, action: { do: 'tag', tag: { key: 'volume', value: 'loud' } } })).toBe(422)
  expect(await status({ items, action: { do: 'tag', tag: { key: 'timeZone', value: 'Mars/Base' } } })).toBe(
    422,
  )
  expect(await status({ items, action: { do: 'join', groupUid: UNKNOWN } })).toBe(404)
  expect(await status({ items: { filter: {} }, action: { do: 'delete' } })).toBe(422)
})

it("many devices are refused of another client, whose groups take none of one's own", async () => {
  const [mine, theirs] = [await newFleet(['Mine']), await newFleet(['Theirs'])]
  const items = { uids: theirs.uids }
  const actions: DeviceAction[] = [
    { do: 'leave' },
    { do: 'volume', volume: 1 },
    { do: 'tag', tag: { key: 'city', value: 'Nowhere', description: '' } },
    { do: 'restart' },
    { do: 'delete' },
  ]
  for (const action of actions) {
    expect((await mine.preview(items, action)).count).toBe(0)
    expect((await mine.change(items, action)).done).toEqual([])
  }
  expect((await theirs.card(theirs.uids[0] ?? '')).volume).toBe(70)
  const body = {
    items: { uids: mine.uids },
    action: { do: 'join', groupUid: await theirs.group() } as const,
  }
  expect((await server.ask(changeManyDevices, { token: mine.token, body })).statusCode).toBe(404)
})
