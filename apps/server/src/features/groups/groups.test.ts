import type { EditState } from '@floorcast/contract/groups.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import { editProfile, readProfileCard } from '@floorcast/contract/device-profiles.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import * as contract from '@floorcast/contract/groups.ts'
import { addTag, listTags } from '@floorcast/contract/tag-calls.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from './groups-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerTags, registerDeviceProfiles, registerAudit],
  })
  const owner = await server.newClient()
  token = owner.token
  await server.database.jobs.setSubscription(owner.email, 'professional', new Date('2099-01-01'), new Date())
})

const newGroup = async (name = 'North shops', kind: Kind = 'audio') =>
  (await server.call(contract.addGroup, { token, params: { contentType: kind }, body: { name } })).uid ?? ''
const newDevice = async (kind: Kind = 'audio') =>
  (await server.call(addDevice, { token, params: { contentType: kind }, body: { name: 'Till radio' } }))
    .uid ?? ''
const card = (id: string) => server.call(contract.readGroup, { token, params: { id } })
const toggle = (id: string, from?: EditState) =>
  server.ask(contract.changeGroupState, { token, params: { id }, query: { from } })
const join = (device: string, group: string) =>
  server.call(contract.addToGroup, { token, params: { device, group } })
const leave = (device: string, group: string) =>
  server.call(contract.removeFromGroup, { token, params: { device, group } })

it('a group is made paused and empty, and found by name, also without its accents', async () => {
  const uid = await newGroup('Éclair & Söhne')
  expect(await card(uid)).toMatchObject({
    name: 'Éclair & Söhne',
    description: '',
    kind: 'audio',
    state: 'paused',
    isUsed: false,
    deviceCount: 0,
    publication: null,
    permissions: { mayEdit: true, mayDelete: true },
  })
  for (const search of ['"éclair & söhne"', 'eclair sohne']) {
    const list = await server.call(contract.listGroups, {
      token,
      params: { x: 'audio' },
      query: { search },
    })
    expect(list).toMatchObject({ total: 1, page: 1, size: 10, items: [{ uid }] })
  }
})

it('a group changes while it is paused, and not while active', async () => {
  const id = await newGroup()
  const edit = (body: object) => server.call(contract.editGroup, { token, body: { uid: id, ...body } })
  expect(await edit({ name: 'South shops' })).toEqual({ code: 200 })
  await toggle(id)
  expect(await edit({ name: 'West shops' })).toEqual({ code: 400, reason: 'active-cannot-be-edited' })
  expect((await card(id)).name).toBe('South shops')
})

it('a group refuses a stale version: 409, and nothing is lost', async () => {
  const id = await newGroup()
  const { version } = await card(id)
  const edit = (name: string) => server.ask(contract.editGroup, { token, body: { uid: id, name, version } })
  const answers = await Promise.all([edit('First name'), edit('Second name')])
  expect(answers.map(answer => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await card(id)).version).toBe(version + 1)
})

it('a group takes many toggles from one state as one', async () => {
  const id = await newGroup()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => toggle(id, 'paused')))
  expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(1)
  expect(answers.filter(answer => answer.statusCode === 409)).toHaveLength(4)
  expect((await card(id)).state).toBe('active')
  expect((await toggle(id, 'active')).json()).toEqual({ data: { code: 9 } })
})

it('a group goes to the bin with its devices set free', async () => {
  const [group, device] = [await newGroup(), await newDevice()]
  await join(device, group)
  expect(await server.call(contract.deleteGroup, { token, body: { uid: group } })).toEqual({ code: 200 })
  expect((await server.ask(contract.readGroup, { token, params: { id: group } })).statusCode).toBe(404)
  expect((await server.call(readDevice, { token, params: { id: device } })).group).toBeNull()
})

it('membership is in the card of the group, page by page', async () => {
  const group = await newGroup()
  const members = await Promise.all([1, 2, 3].map(() => newDevice()))
  for (const device of members) await join(device, group)
  const page = async (query: object) =>
    (await server.call(contract.readGroup, { token, params: { id: group }, query })).devices
  const whole = await page({})
  expect(whole).toMatchObject({ total: 3, page: 1, size: 10 })
  expect(whole.items.map(({ uid }) => uid).toSorted()).toEqual(members.toSorted())
  const parts = [await page({ size: 2 }), await page({ page: 2, size: 2 })]
  expect(parts.flatMap(({ items }) => items)).toEqual(whole.items)
})

it('membership is of one group at most, even when two ask at once', async () => {
  const [one, two, device] = [await newGroup(), await newGroup(), await newDevice()]
  const answers = await Promise.all([
    join(device, one),
    join(device, two),
    join(device, one),
    join(device, two),
  ])
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  for (const refused of answers.filter(({ code }) => code !== 200))
    expect(refused).toEqual({ code: 409, reason: 'device-in-a-group' })
  const counts = await Promise.all([card(one), card(two)])
  expect(counts.reduce((sum, { deviceCount }) => sum + deviceCount, 0)).toBe(1)
})

it.each<[Kind, Kind, number]>([
  ['audio', 'audio', 200],
  ['video', 'audio', 200],
  ['video', 'video', 200],
  ['audio', 'video', 400],
])('membership of a %s device in a %s group: %i', async (deviceKind, groupKind, code) => {
  const [group, device] = [await newGroup('Kinds', groupKind), await newDevice(deviceKind)]
  const answer = await join(device, group)
  expect(answer).toEqual(code === 200 ? { code } : { code, reason: 'kind-does-not-fit' })
})

it('membership may change while the group is active; leaving another group is refused', async () => {
  const [group, other, device] = [await newGroup(), await newGroup(), await newDevice()]
  await toggle(group)
  expect((await join(device, group)).code).toBe(200)
  expect(await leave(device, other)).toEqual({ code: 400, reason: 'device-not-in-group' })
  expect((await leave(device, group)).code).toBe(200)
  expect((await card(group)).deviceCount).toBe(0)
})

it('membership is within one client', async () => {
  const other = await server.newClient()
  const theirs = await server.call(contract.addGroup, {
    token: other.token,
    params: { contentType: 'audio' },
    body: { name: 'Theirs' },
  })
  const params = { device: await newDevice(), group: theirs.uid ?? '' }
  expect((await server.ask(contract.addToGroup, { token, params })).statusCode).toBe(404)
  const edit = await server.ask(contract.editGroup, { token, body: { uid: theirs.uid, name: 'Mine now' } })
  expect(edit.statusCode).toBe(404)
})

it('a copy has the tags and profiles, and no devices', async () => {
  const [from, device] = [await newGroup('Harbour', 'video'), await newDevice('video')]
  await server.call(contract.editGroup, { token, body: { uid: from, description: 'By the sea' } })
  await toggle(from)
  await join(device, from)
  const tag = { key: 'city', value: 'Porto', description: 'The town' }
  await server.call(addTag, { token, params: { contentType: 'group', uid: from }, body: tag })
  const profile = { name: 'Loud', type: 'audio', groupUids: [from] } as const
  const { uid: profileUid = '' } = await server.call(editProfile, { token, body: profile })
  const body = { uid: from, name: 'Harbour two' }
  const { code, uid = '' } = await server.call(contract.copyGroup, { token, body })
  expect(code).toBe(200)
  expect(await card(uid)).toMatchObject({
    name: 'Harbour two',
    description: 'By the sea',
    kind: 'video',
    state: 'paused',
    deviceCount: 0,
    publication: null,
  })
  const tags = await server.call(listTags, { token, params: { contentType: 'group', uid } })
  expect(tags).toMatchObject([tag])
  const { groups } = await server.call(readProfileCard, { token, params: { id: profileUid } })
  expect(groups.map(group => group.name).toSorted()).toEqual(['Harbour', 'Harbour two'])
  const audit = await server.call(readAudit, { token, params: { id: uid } })
  expect(audit.items[0]).toMatchObject({
    changes: { copyOf: [null, from], tags: [null, 1], profiles: [null, 1] },
  })
  expect((await card(from)).deviceCount).toBe(1)
})

it('a copy is of a group of the same client only, with a name by the rules', async () => {
  const other = await server.newClient()
  const copy = (as: string, body: object) => server.ask(contract.copyGroup, { token: as, body })
  const uid = await newGroup()
  expect((await copy(other.token, { uid, name: 'Theirs' })).statusCode).toBe(404)
  expect((await copy(token, { uid, name: 'a' })).statusCode).toBe(422)
  expect((await copy(token, { uid })).statusCode).toBe(422)
})

it('the list pages, sorts and filters; a sort that it has not is 400', async () => {
  const { token: own } = await server.newClient()
  for (const name of ['Delta', 'alpha', 'Charlie', 'bravo'])
    await server.call(contract.addGroup, { token: own, params: { contentType: 'video' }, body: { name } })
  const list = (query: object, x = 'all') =>
    server.call(contract.listGroups, { token: own, params: { x }, query })
  const names = async (query: object) => (await list(query)).items.map(({ name }) => name)
  expect(await names({ sort: 'name' })).toEqual(['alpha', 'bravo', 'Charlie', 'Delta'])
  expect(await names({ sort: 'name', dir: 'desc', size: 2, page: 2 })).toEqual(['bravo', 'alpha'])
  expect(await list({ size: 3 })).toMatchObject({ total: 4, page: 1, size: 3 })
  expect(await list({ size: 3, page: 9 })).toMatchObject({ total: 4, items: [] })
  expect(await list({}, 'audio')).toMatchObject({ total: 0 })
  expect(await list({ state: 'active' })).toMatchObject({ total: 0 })
  expect(await names({ search: 'A R' })).toEqual(['bravo', 'Charlie'])
  expect(await names({ search: '100%' })).toEqual([])
  const wrong = { token: own, params: { x: 'all' }, query: { sort: 'constructor' } }
  expect((await server.ask(contract.listGroups, wrong)).statusCode).toBe(422)
})
