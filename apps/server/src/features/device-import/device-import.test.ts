import { readAudit } from '@floorcast/contract/audit.ts'
import { importDevices } from '@floorcast/contract/device-import.ts'
import { addDevice, deleteDevice, readDevice } from '@floorcast/contract/devices.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { readEffectiveTags } from '@floorcast/contract/tag-calls.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { importRows as shops, newImportShop } from '@floorcast/testing/import-shop.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerDeviceImport } from './device-import-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerDeviceImport, registerTags, registerAudit],
  })
})

const newShop = (planKey?: string) => newImportShop(server, planKey)

it('an import adds a thousand devices with keys, in their groups, and records each', async () => {
  const shop = await newShop()
  const [north, south] = [await shop.newGroup('North'), await shop.newGroup('South')]
  const rows = shops(1000).map((row, n) => ({
    ...row,
    ...(n % 2 ? { group: ' north ' } : { groupUid: south }),
  }))
  const { code, done = [], added, skipped } = await shop.add(rows)
  expect({ code, added, skipped, done: new Set(done).size }).toEqual({
    code: 200,
    added: 1000,
    skipped: 0,
    done: 1000,
  })
  const { items, total } = await shop.list({ sort: 'storeNumber', size: 2 })
  expect(total).toBe(1000)
  expect(items).toMatchObject([
    {
      uid: done[0],
      name: 'Shop 1',
      storeNumber: '1',
      kind: 'audio',
      group: { uid: south },
      connectivity: 'neverup',
    },
    { uid: done[1], name: 'Shop 2', storeNumber: '2', group: { uid: north, name: 'North' } },
  ])
  const card = await server.call(readDevice, { token: shop.token, params: { id: done[999] ?? '' } })
  expect(card.licenseKey).toMatch(/^[2-9A-HJKMNP-TW-Z]{5}(-[2-9A-HJKMNP-TW-Z]{5}){5}$/)
  const history = (id: string) =>
    server.call(readAudit, { token: shop.token, params: { id }, query: { size: 10 } })
  expect((await history(done[1] ?? '')).items).toMatchObject([
    {
      class: 'add',
      changes: { name: [null, 'Shop 2'], storeNumber: [null, '2'], groupUid: [null, north] },
    },
  ])
  expect((await history(north)).items).toMatchObject([
    { class: 'add-devices', changes: { devices: [null, 500] } },
    { class: 'add' },
  ])
})

it('an import gives each new device the tags of its place, in one history entry', async () => {
  const shop = await newShop()
  const tags = {
    city: 'Oslo',
    address: 'Storgata 1',
    country: 'Norway',
    timeZone: 'Europe/Oslo',
    openingTime: '09:00',
    closingTime: '20:30',
  }
  const { done = [] } = await shop.add([
    { name: 'Shop 1', tags },
    { name: 'Shop 2' },
    { name: 'Shop 3', tags: { city: 'Bergen' } },
  ])
  const tagsOf = async (uid = '') =>
    Object.fromEntries(
      (await server.call(readEffectiveTags, { token: shop.token, params: { uid } })).tags.map(
        ({ key, value }) => [key, value],
      ),
    )
  expect(await Promise.all(done.map(tagsOf))).toEqual([tags, {}, { city: 'Bergen' }])
  const { items } = await server.call(readAudit, { token: shop.token, params: { id: done[0] ?? '' } })
  expect(items).toMatchObject([{ class: 'add', changes: { city: [null, 'Oslo'] } }])
})

it('an import refuses a place that is wrong by its row, and places of who is no admin', async () => {
  const shop = await newShop()
  const places = [{ timeZone: 'Mars/Base' }, { openingTime: '9:00' }, { city: '' }, { timeZone: 'UTC' }]
  expect(await shop.faults(places.map((tags, n) => ({ name: `Shop ${n}`, tags })))).toEqual([
    'rows.0.tags.timeZone time-zone',
    'rows.1.tags.openingTime time-of-day',
    'rows.2.tags.city empty',
  ])
  const { token } = await signedInUser(shop.scope)
  const ask = (tags?: object) =>
    server.ask(importDevices, {
      token,
      params: { contentType: 'audio' },
      body: { importUid: uuidV7(), rows: [{ line: 1, name: 'Shop 1', tags }] },
    })
  expect([(await ask({ city: 'Oslo' })).statusCode, (await ask()).statusCode]).toEqual([403, 200])
})

it('an import marks the manifest of each new device', async () => {
  const shop = await newShop()
  const { done = [] } = await shop.add(shops(3))
  const manifests = await shop.scope.reads
    .selectFrom('deviceManifests')
    .select('deviceUid')
    .where('deviceUid', 'in', done)
    .execute()
  expect(manifests).toHaveLength(3)
})

it('an import names each bad row with the reason and stores nothing', async () => {
  const shop = await newShop()
  await shop.newGroup('Screens', 'video')
  await Promise.all([shop.newGroup('Twins'), shop.newGroup('TWINS')])
  expect(
    await shop.faults([{ name: 'ab' }, { name: 'Shop 1', storeNumber: 'x'.repeat(33) }, { name: 'Shop 2' }]),
  ).toEqual(['rows.0.name too-short', 'rows.1.storeNumber too-long'])
  const groups = ['Nowhere', 'Screens', 'Twins', ''].map((group, n) => ({ name: `Shop ${n}`, group }))
  expect(await shop.faults(groups)).toEqual([
    'rows.0.group unknown',
    'rows.1.group group-kind',
    'rows.2.group ambiguous',
  ])
  expect(await shop.faults([{ name: 'Shop 7' }, { name: 'SHOP 7' }, { line: 1, name: 'Shop 8' }])).toEqual([
    'rows.1.name twice',
    'rows.2.line twice',
  ])
  expect(await shop.faults(shops(1001))).toEqual(['rows too-many'])
  expect(await shop.faults([])).toEqual(['rows empty'])
  expect((await shop.list()).total).toBe(0)
})

it('an import takes a video device in a group of either kind', async () => {
  const shop = await newShop()
  const [screens, sounds] = [await shop.newGroup('Screens', 'video'), await shop.newGroup('Sounds')]
  await shop.add(
    [
      { name: 'Shop 1', group: 'Screens' },
      { name: 'Shop 2', group: 'Sounds' },
    ],
    { kind: 'video' },
  )
  for (const id of [screens, sounds])
    expect(await server.call(readGroup, { token: shop.token, params: { id } })).toMatchObject({
      deviceCount: 1,
    })
})

it("an import adds nothing above the plan's limit", async () => {
  const shop = await newShop('trial')
  expect(await shop.add(shops(4))).toEqual({ code: 400, reason: 'device-limit', limit: 3 })
  expect((await shop.list()).total).toBe(0)
  await shop.add(shops(3))
  expect(await shop.add([{ name: 'Shop 4' }])).toMatchObject({ code: 400 })
})

it("an import knows no group of another client's", async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const groupUid = await other.newGroup('Theirs')
  expect(
    await shop.faults([
      { name: 'Shop 1', groupUid },
      { name: 'Shop 2', group: 'Theirs' },
    ]),
  ).toEqual(['rows.0.groupUid unknown', 'rows.1.group unknown'])
})

it('an import needs full rights', async () => {
  const shop = await newShop()
  const { token } = await signedInUser(shop.scope, { rights: 'view' })
  const body = { importUid: uuidV7(), rows: [{ line: 1, name: 'Shop 1' }] }
  const answer = await server.ask(importDevices, { token, params: { contentType: 'audio' }, body })
  expect(answer.statusCode).toBe(403)
})

it('a device that exists already is told by its row, or skipped; a name alone is no device', async () => {
  const shop = await newShop()
  const [first = ''] = (await shop.add([{ name: 'Till radio', storeNumber: 'B2' }])).done ?? []
  const again = [
    { name: 'till RADIO', storeNumber: 'b2' },
    { name: 'Till radio', storeNumber: 'B3' },
  ]
  expect(await shop.faults(again)).toEqual(['rows.0.name exists'])
  const { done = [], ...counts } = await shop.add(again, { existing: 'skip' })
  expect([done[0], counts]).toEqual([first, { code: 200, added: 1, skipped: 1, skippedLines: [1] }])
  expect((await shop.list()).total).toBe(2)
})

it('a device that exists already is another one if an accent or a zero of the name differs', async () => {
  const shop = await newShop()
  await shop.add([{ name: 'Málaga 7', storeNumber: 'B2' }])
  const names = ['Malaga 7', 'Málaga 07', 'Ｍálaga 7']
  const alike = names.map(name => ({ name, storeNumber: 'B2' }))
  expect(await shop.add(alike)).toMatchObject({ code: 200, added: 3, skipped: 0 })
  expect(await shop.faults([{ name: 'MÁLAGA 7', storeNumber: 'b2' }])).toEqual(['rows.0.name exists'])
})

it('a device that exists already does not count in the bin', async () => {
  const shop = await newShop()
  const [uid = ''] = (await shop.add(shops(1))).done ?? []
  await server.call(deleteDevice, { token: shop.token, body: { uid } })
  expect(await shop.add(shops(1))).toMatchObject({ added: 1 })
})

it('a device that exists already is added once by two people who import the same file at the same time', async () => {
  const shop = await newShop()
  const answers = await Promise.all([1, 2].map(() => shop.ask(shops(300))))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  const refused = answers.find(({ statusCode }) => statusCode === 422)
  expect(refused?.json<Problem>().errors).toHaveLength(300)
  expect((await shop.list()).total).toBe(300)
})

it('a device that exists already keeps to the limit beside single devices that are added at the same time', async () => {
  const shop = await newShop('trial')
  const single = () =>
    server.call(addDevice, {
      token: shop.token,
      params: { contentType: 'audio' },
      body: { name: 'Till radio' },
    })
  await Promise.all([shop.add(shops(2)), single(), single(), shop.add(shops(2, 3))])
  expect((await shop.list()).total).toBeLessThanOrEqual(3)
})

it('a call that is repeated adds nothing twice and answers with the same devices', async () => {
  const shop = await newShop()
  const importUid = uuidV7()
  const once = await shop.add(shops(5), { importUid })
  expect(await shop.add(shops(5), { importUid })).toEqual(once)
  const at = await Promise.all([1, 2].map(() => shop.add(shops(9), { importUid })))
  expect(at.map(({ added, skipped }) => [added, skipped])).toEqual([
    [9, 0],
    [9, 0],
  ])
  expect((await shop.list()).total).toBe(9)
})
