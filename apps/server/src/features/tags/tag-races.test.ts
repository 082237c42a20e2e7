import { readAudit } from '@floorcast/contract/audit.ts'
import * as contract from '@floorcast/contract/tag-calls.ts'
import { meanwhile } from '@floorcast/testing/concurrently.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerTags } from './tags-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const ROUNDS = 12
const server = await testServer({
  hasOwnDatabase: true,
  features: [registerGroups, registerTags, registerAudit],
})
const { token, scope } = await newShop(server)

interface Entry {
  contentType: string
  uid: string
  key: string
  value: string
}
const entry = (uid: string, value: string, key = 'city'): Entry => ({
  contentType: 'device',
  uid,
  key,
  value,
})
const importTags = (body: readonly Entry[]) => server.ask(contract.importTags, { token, body })
const newDevice = async () => (await makeDevice(scope)).uid
const newDevices = (count: number) => Promise.all(Array.from({ length: count }, newDevice))
const answerOf = (answer: Awaited<ReturnType<typeof importTags>>) => ({
  status: answer.statusCode,
  ...answer.json<{ data?: { code: number; added?: number; changed?: number; reason?: string } }>().data,
})

/** The values that the audit tells of a device's tag, oldest first. */
async function told(device: string, key = 'city') {
  const { items } = await server.call(readAudit, { token, params: { id: device } })
  return items.toReversed().flatMap(item => (item.changes[key] ? [[item.class, ...item.changes[key]]] : []))
}
async function valueOf(device: string) {
  const tags = await server.call(contract.listTags, { token, params: { contentType: 'device', uid: device } })
  return tags.find(({ key }) => key === 'city')?.value
}

it('two imports of one new tag follow one another: no value is lost, and the audit tells of both', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const device = await newDevice()
    const answers = await Promise.all(['Oslo', 'Rome'].map(city => importTags([entry(device, city)])))
    expect(answers.map(answerOf).toSorted((a, b) => (b.added ?? 0) - (a.added ?? 0))).toEqual([
      { status: 200, code: 200, added: 1, changed: 0 },
      { status: 200, code: 200, added: 0, changed: 1 },
    ])
    const last = await valueOf(device)
    const first = last === 'Oslo' ? 'Rome' : 'Oslo'
    expect(await told(device)).toEqual([
      ['add-tag', null, first],
      ['edit-tag', first, last],
    ])
  }
})

it('two imports of the same tags in opposite orders both succeed', async () => {
  const devices = await newDevices(20)
  const file = (value: string) =>
    devices.flatMap(device => [entry(device, value), entry(device, value, 'street')])
  for (let round = 0; round < ROUNDS; round += 1) {
    const [there, back] = [file(`there ${round}`), file(`back ${round}`).toReversed()]
    const answers = await Promise.all([importTags(there), importTags(back)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const values = new Set(await Promise.all(devices.map(valueOf)))
    expect(values.size).toBe(1)
  }
})

it('imports of other keys of the same owners, of groups and of the client, do not wait for each other in a circle', async () => {
  const { token: mine, scope: shop, group } = await newShop(server)
  const owners = [
    { contentType: 'device', uid: (await makeDevice(shop)).uid },
    { contentType: 'group', uid: await group() },
    { contentType: 'client', uid: shop.clientId },
    { contentType: 'device', uid: (await makeDevice(shop)).uid },
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = (keys: string[]) =>
      owners.flatMap(owner => keys.map(key => ({ ...owner, key, value: `round ${round}` })))
    const bodies = [file(['city', 'street']), file(['floor', 'city']).toReversed(), file(['street', 'floor'])]
    const answers = await Promise.all(
      bodies.map(body => server.ask(contract.importTags, { token: mine, body })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  }
})

it('an import and a tag that is added or deleted at once: each answer is true', async () => {
  const params = (uid: string) => ({ token, params: { contentType: 'device', uid } })
  for (let round = 0; round < ROUNDS; round += 1) {
    const device = await newDevice()
    const [imported, added] = await Promise.all([
      importTags([entry(device, 'Oslo')]),
      server.ask(contract.addTag, { ...params(device), body: { key: 'city', value: 'Rome' } }),
    ])
    // The import was first and the other is refused, or the import changed the other's value.
    expect([
      [1, 'tag-exists', 'Oslo'],
      [0, undefined, 'Oslo'],
    ]).toContainEqual([answerOf(imported).added, answerOf(added).reason, await valueOf(device)])
    const [again, deleted] = await Promise.all([
      importTags([entry(device, 'Bern')]),
      server.ask(contract.deleteTag, { ...params(device), body: { key: 'city' } }),
    ])
    expect([
      [0, 200, undefined],
      [1, 200, 'Bern'],
    ]).toContainEqual([answerOf(again).added, answerOf(deleted).code, await valueOf(device)])
  }
})

// PostgreSQL looks for a circle once, a second after a wait began. On a machine that stalls for that long nobody finds it.
it('a call that PostgreSQL ends because of a deadlock runs again', { retry: 3 }, async () => {
  const [first = '', second = ''] = (await newDevices(2)).toSorted()
  const answer = await meanwhile(server, {
    // The test's own transaction must not be the one that is ended.
    lock: `set local deadlock_timeout = '20s'; select from devices where uid = '${second}' for update`,
    call: () => importTags([entry(first, 'Oslo'), entry(second, 'Oslo')]),
    change: superuser => superuser.query(`select from devices where uid = '${first}' for update`),
  })
  expect(answerOf(answer)).toEqual({ status: 200, code: 200, added: 2, changed: 0 })
  expect(await told(first)).toEqual([['add-tag', null, 'Oslo']])
})
