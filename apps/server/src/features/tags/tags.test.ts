import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as contract from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerTags } from './tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerGroups, registerTags, registerDeviceHost] })
})

/** A device in a group, with tag calls bound to its client. */
async function taggedShop() {
  const shop = await newShop(server)
  const { token } = shop
  const { uid: device, licenseKey } = await makeDevice(shop.scope)
  const group = await shop.group()
  await server.call(addToGroup, { token, params: { device, group } })
  const of = (contentType: string, uid: string) => ({ token, params: { contentType, uid } })
  const add = (contentType: string, uid: string, body: object) =>
    server.ask(contract.addTag, { ...of(contentType, uid), body })
  const policy = (resultpolicy: string) =>
    server.call(contract.setTagPolicy, { token, params: { uid: device, resultpolicy } })
  return { ...shop, device, group, licenseKey, of, add, policy }
}
const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors

it('tags are added, changed, listed by key and deleted', async () => {
  const { of, add, device } = await taggedShop()
  const own = of('device', device)
  await add('device', device, { key: 'floor', value: ' 2nd ', description: 'By the stairs' })
  await add('device', device, { key: 'city', value: 'Oslo' })
  expect((await add('device', device, { key: 'city', value: 'Bergen' })).json()).toEqual({
    data: { code: 400, reason: 'tag-exists' },
  })
  const edit = (body: object) => server.call(contract.editTag, { ...own, body })
  expect(await edit({ key: 'city', value: 'Bergen' })).toEqual({ code: 200 })
  expect(await edit({ key: 'country', value: 'NO' })).toEqual({ code: 400, reason: 'no-such-tag' })
  expect(await server.call(contract.listTags, own)).toMatchObject([
    { key: 'city', value: 'Bergen', description: '' },
    { key: 'floor', value: '2nd', description: 'By the stairs' },
  ])
  const remove = (key: string) => server.call(contract.deleteTag, { ...own, body: { key } })
  expect(await remove('floor')).toEqual({ code: 200 })
  expect(await remove('floor')).toEqual({ code: 400, reason: 'no-such-tag' })
  expect(await remove('volume')).toEqual({ code: 400, reason: 'volume-already-default' })
})

it.each([
  ['volume', '101', 'volume'],
  ['volume', '7.5', 'volume'],
  ['openingTime', '24:00', 'time-of-day'],
  ['closingTime', '9:00', 'time-of-day'],
  ['timeZone', 'Mars/Olympus', 'time-zone'],
  ['timeZone', 'IST', 'time-zone'],
  ['timeZone', '+01:00', 'time-zone'],
  ['latitude', '90.5', 'latitude'],
  ['longitude', 'east', 'longitude'],
  ['audience', 'many', 'audience'],
  ['audience', '-1', 'audience'],
  ['audience', '1,2,3', 'audience'],
  ['audience', '1.5', 'audience'],
  ['zone', 'cellar', 'store-zone'],
])('tags refuses %s %s: 422 at the value', async (key, value, message) => {
  const { add, device } = await taggedShop()
  const answer = await add('device', device, { key, value })
  expect(answer.statusCode).toBe(422)
  expect(errorsOf(answer)).toMatchObject([{ path: 'value', message }])
})

it.each([
  ['ab', 'too-short'],
  ['a'.repeat(151), 'too-long'],
  ['The <b>seat', 'special-characters'],
])('tags keep to the rule of descriptions: %s', async (description, message) => {
  const { add, device } = await taggedShop()
  const answer = await add('device', device, { key: 'city', value: 'Oslo', description })
  expect(answer.statusCode).toBe(422)
  expect(errorsOf(answer)).toMatchObject([{ path: 'description', message }])
})

it('tags of another client, or of what is not there, are not found', async () => {
  const [mine, theirs] = [await taggedShop(), await taggedShop()]
  for (const params of [
    { contentType: 'device', uid: theirs.device },
    { contentType: 'group', uid: mine.device },
    { contentType: 'device', uid: 'own' },
    { contentType: 'client', uid: theirs.scope.clientId },
  ])
    expect((await server.ask(contract.listTags, { token: mine.token, params })).statusCode).toBe(404)
})

it('what a device plays by is the tags in force, which reach its manifest', async () => {
  const shop = await taggedShop()
  const player = await openPlayer(server, shop.licenseKey)
  const manifest = () => server.call(readManifest, { token: player.token, params: player.params })
  await shop.add('client', 'own', { key: 'timeZone', value: 'Europe/Oslo' })
  await shop.add('client', 'own', { key: 'volume', value: '20' })
  await shop.add('group', shop.group, { key: 'volume', value: '40' })
  await shop.add('group', shop.group, { key: 'openingTime', value: '08:00' })
  await shop.add('group', shop.group, { key: 'closingTime', value: '22:30' })
  const playing = { timeZone: 'Europe/Oslo', openingTime: '08:00', closingTime: '22:30' }
  expect((await manifest()).device).toMatchObject({ ...playing, volume: 40 })
  await shop.add('device', shop.device, { key: 'volume', value: '60' })
  expect((await manifest()).device.volume).toBe(60)
  expect(await shop.policy('group')).toMatchObject({ code: 200, policy: 'group' })
  expect((await manifest()).device.volume).toBe(40)
  const { tags } = await shop.policy('client')
  expect(tags).toContainEqual({ key: 'volume', value: '20', level: 'client' })
  expect(tags).toContainEqual({ key: 'openingTime', value: '08:00', level: 'group' })
  expect((await manifest()).device.volume).toBe(20)
  const read = { token: shop.token, params: { uid: shop.device } }
  expect(await server.call(contract.readEffectiveTags, read)).toEqual({ policy: 'client', tags })
  await server.call(contract.deleteTag, { ...shop.of('client', 'own'), body: { key: 'volume' } })
  expect((await manifest()).device.volume).toBe(40)
})

it('a policy set many times at once is set', async () => {
  const { policy } = await taggedShop()
  const words = ['group', 'client', 'device', 'group', 'client', 'device']
  const answers = await Promise.all(words.map(policy))
  expect(answers.map(answer => answer.policy)).toEqual(words)
})

it('an import sets all, by uid or name', async () => {
  const { token, device, group, of, add } = await taggedShop()
  await add('device', device, { key: 'city', value: 'Oslo' })
  const body = [
    { contentType: 'device', uid: device, key: 'city', value: 'Bergen' },
    { contentType: 'device', name: 'Till radio', key: 'floor', value: '1' },
    { contentType: 'group', name: 'North shops', key: 'volume', value: '55' },
    { contentType: 'client', key: 'country', value: 'NO', description: 'Norway' },
  ]
  expect(await server.call(contract.importTags, { token, body })).toEqual({
    code: 200,
    added: 3,
    changed: 1,
  })
  const values = async (kind: string, uid: string) =>
    (await server.call(contract.listTags, of(kind, uid))).map(({ key, value }) => `${key}=${value}`)
  expect(await values('device', device)).toEqual(['city=Bergen', 'floor=1'])
  expect(await values('group', group)).toEqual(['volume=55'])
  expect(await values('client', 'own')).toEqual(['country=NO'])
})

it('an import sets none when one is wrong, and says which and why', async () => {
  const { token, scope, device, of } = await taggedShop()
  await makeDevice(scope)
  const good = { contentType: 'device', uid: device, key: 'city', value: 'Bergen' }
  const ask = (body: unknown[]) => server.ask(contract.importTags, { token, body })
  const wrong = await ask([good, { ...good, key: 'volume', value: 'loud' }, { ...good, value: '' }])
  expect(wrong.statusCode).toBe(422)
  expect(errorsOf(wrong)).toMatchObject([
    { path: '1.value', message: 'volume' },
    { path: '2.value', message: 'empty' },
  ])
  const named = { contentType: 'device', key: 'city', value: 'Oslo' }
  const unknown = await ask([good, { ...named, name: 'Nowhere' }, { ...named, name: 'Till radio' }])
  expect(errorsOf(unknown)).toMatchObject([
    { path: '1.name', message: 'unknown' },
    { path: '2.name', message: 'ambiguous' },
  ])
  const foreign = await ask([good, { ...good, uid: (await taggedShop()).device }])
  expect(errorsOf(foreign)).toMatchObject([{ path: '1.uid', message: 'unknown' }])
  expect((await ask([named])).statusCode).toBe(422)
  expect(await server.call(contract.listTags, of('device', device))).toEqual([])
})
