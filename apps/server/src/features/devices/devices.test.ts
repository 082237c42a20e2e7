import * as contract from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup } from '@floorcast/contract/groups.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { hashToken } from '../../platform/auth/token.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from './devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerDevices, registerGroups] })
})

async function newShop() {
  const client = await server.newClient()
  const { token } = client
  const add = (name = 'Till radio') =>
    server.call(contract.addDevice, { token, params: { contentType: 'audio' }, body: { name } })
  const card = (id: string) => server.call(contract.readDevice, { token, params: { id } })
  return { ...client, add, card, newDevice: async () => (await add()).uid ?? '' }
}
type Shop = Awaited<ReturnType<typeof newShop>>

async function bind(licenseKey: string, boxUid: string, deviceToken: string) {
  const use = { licenseKey, boxUid, tokenHash: hashToken(deviceToken), model: 'Box', runUid: null }
  const uses = [{ ...use, formerSessionUid: null }]
  return (await server.database.auth.bindLicenses(uses, server.clock.now))[0]
}

const heard = (shop: Shop, deviceUid: string, minutesAgo: number) =>
  server.database.ingest.write(writes =>
    writes
      .insertInto('deviceStates')
      .values({
        deviceUid,
        clientId: shop.scope.clientId,
        lastContactAt: new Date(server.clock.now.getTime() - minutesAgo * 60_000),
        nowPlaying: JSON.stringify({
          name: 'Morning tune',
          mediaUid: null,
          contentType: null,
          startedAt: server.clock.now.toISOString(),
          durationSeconds: null,
        }),
      })
      .onConflict(conflict =>
        conflict.column('deviceUid').doUpdateSet(eb => ({ lastContactAt: eb.ref('excluded.lastContactAt') })),
      )
      .execute(),
  )

it('the license key is shown with its install line until a player binds it, and opens nothing for another one afterwards', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  const { licenseKey, ...unbound } = await shop.card(uid)
  expect(licenseKey).toMatch(/^[2-9A-HJKMNP-TW-Z]{5}(-[2-9A-HJKMNP-TW-Z]{5}){5}$/)
  const line = 'curl -fsSL https://shop.example/agent/install.sh | sh -s --'
  expect(unbound).toMatchObject({ installLine: `${line} --key ${licenseKey}`, reinstallLine: null })
  await bind(licenseKey ?? '', uuidV7(), 'player token')
  const bound = { licenseKey, installLine: null, reinstallLine: line, model: 'Box' }
  expect(await shop.card(uid)).toMatchObject(bound)
  expect(await bind(licenseKey ?? '', uuidV7(), 'another box')).toMatchObject({ outcome: 'taken' })
})

it('the install line names the streaming host of the client where each has its own', async () => {
  const STREAM_URL = 'http://{client}.stream.example'
  const byClient = await testServer({ features: [registerDevices], environment: { STREAM_URL } })
  const { token, scope } = await byClient.newClient()
  const { uid, licenseKey } = await makeDevice(scope)
  const { installLine } = await byClient.call(contract.readDevice, { token, params: { id: uid } })
  const options = `--key ${licenseKey} --server http://${scope.clientId}.stream.example --insecure`
  expect(installLine).toBe(`curl -fsSL https://shop.example/agent/install.sh | sh -s -- ${options}`)
})

it('the license key is hidden from users who may only view until a player binds it', async () => {
  const shop = await newShop()
  const [uid, { token }] = [await shop.newDevice(), await signedInUser(shop.scope, { rights: 'view' })]
  const seen = () => server.call(contract.readDevice, { token, params: { id: uid } })
  expect(await seen()).toMatchObject({ licenseKey: null, installLine: null })
  const { licenseKey } = await shop.card(uid)
  await bind(licenseKey ?? '', uuidV7(), 'player')
  expect(await seen()).toMatchObject({ licenseKey, installLine: null, reinstallLine: null })
})

it('the license key a new one ends the former token and may be bound by another player', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  const { licenseKey } = await shop.card(uid)
  await bind(licenseKey ?? '', uuidV7(), 'first player')
  const reset = await server.call(contract.resetLicense, { token: shop.token, params: { uid } })
  expect(await server.database.auth.deviceByToken(hashToken('first player'))).toBeNull()
  expect(reset.licenseKey).not.toBe(licenseKey)
  expect((await shop.card(uid)).licenseKey).toBe(reset.licenseKey)
  expect(await bind(licenseKey ?? '', uuidV7(), 'second')).toMatchObject({ outcome: 'unknown' })
  expect(await bind(reset.licenseKey ?? '', uuidV7(), 'second')).toMatchObject({ deviceUid: uid })
})

it("the plan's limit is kept when many are added at once", async () => {
  const shop = await newShop()
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => shop.add()))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(3)
  for (const refused of answers.filter(({ code }) => code !== 200))
    expect(refused).toEqual({ code: 400, reason: 'device-limit', limit: 3 })
})

it("the plan's limit has room again when one goes to the bin", async () => {
  const shop = await newShop()
  const [uid = ''] = await Promise.all([1, 2, 3].map(() => shop.newDevice()))
  expect((await shop.add()).code).toBe(400)
  await server.call(contract.deleteDevice, { token: shop.token, body: { uid } })
  expect((await shop.add()).code).toBe(200)
})

it.each([
  [60, 'online'],
  [61, 'linkdown'],
  [24 * 60, 'linkdown'],
  [24 * 60 + 1, 'linklost'],
])('connectivity %i minutes after the last contact: %s', async (minutes, connectivity) => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  expect((await shop.card(uid)).connectivity).toBe('neverup')
  await heard(shop, uid, minutes)
  const card = await shop.card(uid)
  expect(card.connectivity).toBe(connectivity)
  expect(card).toMatchObject({ activity: connectivity === 'online' ? 'late' : null, nowPlaying: null })
  const list = await server.call(contract.listDevices, { token: shop.token, query: { connectivity } })
  expect(list.items.map(device => device.uid)).toEqual([uid])
})

it('connectivity is never up again after the heartbeat is reset', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  await heard(shop, uid, 1)
  await server.call(contract.resetHeartbeat, { token: shop.token, params: { id: uid } })
  expect(await shop.card(uid)).toMatchObject({ connectivity: 'neverup', lastContactAt: null })
})

it('a device plays at 70 until its slider is moved', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  expect((await shop.card(uid)).volume).toBe(70)
  for (const volume of [35, 0]) {
    await server.call(contract.editDevice, { token: shop.token, body: { uid, volume } })
    expect((await shop.card(uid)).volume).toBe(volume)
  }
  const answer = await server.ask(contract.editDevice, { token: shop.token, body: { uid, volume: 101 } })
  expect(answer.statusCode).toBe(422)
})

it('a device is not deleted while it is in a group: 409', async () => {
  const shop = await newShop()
  const { token } = shop
  const device = await shop.newDevice()
  const group = await server.call(addGroup, {
    token,
    params: { contentType: 'audio' },
    body: { name: 'Shops' },
  })
  await server.call(addToGroup, { token, params: { device, group: group.uid } })
  const refused = { code: 409, reason: 'device-in-a-group' }
  expect(await server.call(contract.deleteDevice, { token, body: { uid: device } })).toEqual(refused)
  const free = await server.call(contract.listFreeDevices, { token, params: { x: 'all' } })
  expect(free.items).toEqual([])
  const listed = await server.call(contract.listDevices, { token, query: { group: group.uid } })
  expect(listed.items).toMatchObject([{ uid: device, group: { uid: group.uid, name: 'Shops' } }])
})

it('a device shows the event numbers that never came', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  const bootId = uuidV7()
  await server.database.ingest.write(writes =>
    writes
      .insertInto('deviceBoots')
      .values({
        deviceUid: uid,
        bootUid: bootId,
        clientId: shop.scope.clientId,
        received: '{[3,5),[6,10)}',
        firstSeenAt: server.clock.now,
        lastSeenAt: server.clock.now,
      })
      .execute(),
  )
  expect((await shop.card(uid)).gaps).toEqual([
    { bootId, from: 1, to: 2 },
    { bootId, from: 5, to: 5 },
  ])
})

it("the shop's own number is trimmed, kept, changed and cleared", async () => {
  const shop = await newShop()
  const { uid = '' } = await server.call(contract.addDevice, {
    token: shop.token,
    params: { contentType: 'audio' },
    body: { name: 'Till radio', storeNumber: '  0415/b ' },
  })
  expect(await shop.card(uid)).toMatchObject({ storeNumber: '0415/b' })
  for (const storeNumber of ['№ 7', '']) {
    await server.call(contract.editDevice, { token: shop.token, body: { uid, storeNumber } })
    expect(await shop.card(uid)).toMatchObject({ storeNumber })
  }
})

it.each([
  ['7'.repeat(33), 'too-long'],
  ['<7>', 'special-characters'],
])("the shop's own number is not %s: %s", async (storeNumber, message) => {
  const shop = await newShop()
  const answer = await server.ask(contract.addDevice, {
    token: shop.token,
    params: { contentType: 'audio' },
    body: { name: 'Till radio', storeNumber },
  })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ errors: [{ path: 'storeNumber', message }] })
})

it("the shop's own number is searched, and sorts as numbers do; devices without one come last", async () => {
  const shop = await newShop()
  const sorted = ['2', '0010', '101', '9'.repeat(32), 'b2', 'B10', 'c']
  for (const storeNumber of ['B10', '', 'c', '101', '2', sorted[3] ?? '', 'b2', '0010'])
    await makeDevice(shop.scope, { storeNumber })
  const list = async (query: object) => {
    const { items } = await server.call(contract.listDevices, { token: shop.token, query })
    return items.map(({ storeNumber }) => storeNumber)
  }
  expect(await list({ sort: 'storeNumber' })).toEqual([...sorted, ''])
  expect(await list({ sort: 'storeNumber', dir: 'desc' })).toEqual([...sorted.toReversed(), ''])
  expect(await list({ search: 'b1' })).toEqual(['B10'])
})

it('the history of changes says who changed what, with values before and after', async () => {
  const shop = await newShop()
  const uid = await shop.newDevice()
  await server.call(contract.editDevice, {
    token: shop.token,
    body: { uid, name: 'Front door', volume: 20 },
  })
  const rows = await shop.scope.reads
    .selectFrom('auditEntries')
    .select(['action', 'thingName', 'userName', 'changes'])
    .where('thingUid', '=', uid)
    .orderBy('uid')
    .execute()
  expect(rows).toMatchObject([
    { action: 'add', thingName: 'Till radio', userName: shop.email },
    { action: 'edit', changes: { name: ['Till radio', 'Front door'], volume: [null, '20'] } },
  ])
})

it('logs hold each kind separately, newest first, between two moments', async () => {
  const shop = await newShop()
  const deviceUid = await shop.newDevice()
  const at = (minutes: number) => new Date(server.clock.now.getTime() + minutes * 60_000).toISOString()
  await server.database.ingest.write(async writes => {
    for (const sequence of [1, 2, 3])
      await writes
        .insertInto('deviceLogs')
        .values({
          day: at(0).slice(0, 10),
          deviceUid,
          bootUid: deviceUid,
          sequence,
          clientId: shop.scope.clientId,
          eventUid: uuidV7(),
          receivedAt: at(10),
          deviceName: 'Till radio',
          kind: sequence === 3 ? 'playlist' : 'debug',
          at: at(sequence),
          details: JSON.stringify({ level: 'info', code: 'start', message: `message ${sequence}` }),
        })
        .execute()
  })
  const log = (kind: string, query: object = {}) =>
    server.call(contract.listDeviceLog, { token: shop.token, params: { id: deviceUid, kind }, query })
  const debug = await log('debug')
  expect(debug.items).toMatchObject([
    {
      eventTime: at(2),
      receiveTime: at(10),
      status: 'info',
      class: 'start',
      description: 'message 2',
      track: null,
    },
    { eventTime: at(1), description: 'message 1' },
  ])
  expect((await log('debug', { to: at(1) })).items).toHaveLength(1)
  expect((await log('playlist', { search: '"message 3"' })).total).toBe(1)
  expect(await log('heartbeat')).toMatchObject({ items: [], total: 0 })
  expect(await log('update')).toMatchObject({ items: [] })
  expect(await log('playtrack')).toMatchObject({ items: [] })
})
