import { randomUUID } from 'node:crypto'
import * as deploys from '@floorcast/contract/deploy-packages.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import * as contract from '@floorcast/contract/updates.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop, type UpdateShop } from '@floorcast/testing/test-updates.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerUpdates, registerDeviceHost],
  })
})

/** A player that reports steps, each event with the next number of its boot. */
async function openReportingPlayer(shop: UpdateShop) {
  const player = await shop.player()
  const bootId = randomUUID()
  let sequence = 0
  const event = (step: string, more: object = {}) => ({
    kind: 'update',
    id: randomUUID(),
    bootId,
    sequence: ++sequence,
    at: server.clock.now.toISOString(),
    packageUid: null,
    version: '6.1.0',
    step,
    message: null,
    ...more,
  })
  const send = (events: object[]) =>
    server.call(sendEvents, { token: player.token, params: player.params, body: events })
  return { ...player, event, send }
}

const listed = async ({ token }: UpdateShop, query: object = {}) =>
  (await server.call(contract.listUpdateDevices, { token, query })).items

it('a device’s row says what it holds, what it is offered, its newest step and why it failed', async () => {
  const shop = await newUpdateShop(server)
  const player = await openReportingPlayer(shop)
  expect(await listed(shop)).toEqual([
    {
      uid: shop.device.uid,
      name: 'Till radio',
      group: { uid: shop.groupUid, name: 'North shops' },
      connectivity: 'neverup',
      activity: null,
      silentReason: null,
      isConnectionLost: false,
      lastContactAt: null,
      changesInSeconds: null,
      heldVersion: null,
      offered: null,
      step: null,
      stepVersion: null,
      stepAt: null,
      error: null,
    },
  ])
  const packageUid = await shop.released({ version: '6.1.0' })
  const channel = await shop.addChannel()
  await shop.rotateDeployPackage(await shop.deploy(packageUid, channel))
  const heartbeat = (programVersion: string) =>
    server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat({ programVersion }) })
  await heartbeat('6.0.0')
  const names = { packageUid, packageName: 'Player', channelName: 'Pilot shops' }
  const first = player.event('downloading', names)
  await player.send([first, player.event('downloaded', names), player.event('installing', names)])
  expect(await listed(shop)).toMatchObject([
    {
      connectivity: 'online',
      heldVersion: '6.0.0',
      offered: { packageUid, name: 'Player', version: '6.1.0', channelName: 'Pilot shops', isForced: false },
      step: 'installing',
      stepVersion: '6.1.0',
      error: null,
    },
  ])
  await player.send([player.event('returned', { ...names, message: 'No sound within 60 seconds' })])
  // Sent again it is a duplicate, and no step.
  expect(await player.send([first])).toMatchObject({ accepted: 0, duplicates: 1 })
  expect(await listed(shop, { step: 'returned', group: shop.groupUid, search: '"no sound"' })).toMatchObject([
    { step: 'returned', error: 'No sound within 60 seconds' },
  ])
  await player.send([player.event('failed', names)])
  expect(await listed(shop)).toMatchObject([{ step: 'failed', error: 'failed' }])
  await player.send([player.event('installed', names), player.event('healthy', names)])
  await heartbeat('6.1.0')
  expect(await listed(shop)).toMatchObject([{ heldVersion: '6.1.0', step: 'healthy', error: null }])
  const { items } = await server.call(deploys.listDeployPackages, { token: shop.token })
  expect(items).toMatchObject([{ deviceCount: 1, heldCount: 1 }])
})

it('the device’s log has every step with package, channel and version, as they were named then', async () => {
  const shop = await newUpdateShop(server)
  const player = await openReportingPlayer(shop)
  const names = { packageUid: randomUUID(), packageName: 'Player six', channelName: 'Pilot shops' }
  await player.send([
    player.event('downloading', names),
    player.event('refused', { ...names, message: 'The signature does not fit' }),
    player.event('installed', { packageUid: names.packageUid }),
  ])
  const log = (query: object) =>
    server.call(listDeviceLog, { token: shop.token, params: { id: shop.device.uid, kind: 'update' }, query })
  const { items, total } = await log({ search: '"player six" refused' })
  expect(total).toBe(1)
  expect(items).toMatchObject([
    {
      type: 'update',
      updatePackage: 'Player six',
      channel: 'Pilot shops',
      version: '6.1.0',
      status: 'refused',
      description: 'The signature does not fit',
    },
  ])
  const all = (await log({})).items
  expect(all.filter(entry => entry.updatePackage === 'Player six')).toHaveLength(2)
  expect(all.filter(entry => entry.updatePackage === names.packageUid)).toHaveLength(1)
})

it('a step that there is not is refused by name, and the others are stored', async () => {
  const shop = await newUpdateShop(server)
  const player = await openReportingPlayer(shop)
  const answer = await player.send([player.event('exploded'), player.event('downloaded')])
  expect([answer.code, answer.accepted, answer.refused.length]).toEqual([303, 1, 1])
  expect(answer.refused[0]?.why).toContain('step')
  expect(await listed(shop)).toMatchObject([{ step: 'downloaded' }])
})

it('devices are listed by pages, in order, none of another client', async () => {
  const [shop, theirs] = [await newUpdateShop(server), await newUpdateShop(server)]
  for (const name of ['Beta shop', 'Alpha shop']) await makeDevice(shop.scope, { name })
  const names = async (query: object) => (await listed(shop, query)).map(({ name }) => name)
  expect(await names({ sort: 'name' })).toEqual(['Alpha shop', 'Beta shop', 'Till radio'])
  expect(await names({ sort: 'name', page: 2, size: 2 })).toEqual(['Till radio'])
  expect(await names({ search: 'shop alpha' })).toEqual(['Alpha shop'])
  expect(await names({ group: theirs.groupUid })).toEqual([])
  for (const sort of ['group', 'heldVersion', 'step', 'stepAt']) expect(await names({ sort })).toHaveLength(3)
  expect((await listed(theirs)).map(({ uid }) => uid)).toEqual([theirs.device.uid])
})

it('the devices of a package are those of its channels; several steps are found together', async () => {
  const shop = await newUpdateShop(server)
  const [player, other] = [
    await openReportingPlayer(shop),
    await makeDevice(shop.scope, { name: 'Elsewhere' }),
  ]
  const packageUid = await shop.addPackage()
  expect(await listed(shop, { package: packageUid })).toEqual([])
  const deployUid = await shop.deploy(packageUid, await shop.addChannel())
  expect((await listed(shop, { package: packageUid })).map(({ uid }) => uid)).toEqual([shop.device.uid])
  await player.send([player.event('failed')])
  expect((await listed(shop, { step: 'failed,returned' })).map(({ uid }) => uid)).toEqual([shop.device.uid])
  expect(await listed(shop, { step: 'healthy,returned' })).toEqual([])
  expect((await listed(shop, { sort: 'name' })).map(({ uid }) => uid)).toEqual([other.uid, shop.device.uid])
  await server.call(deploys.deleteDeployPackage, { token: shop.token, body: { uid: deployUid } })
  expect(await listed(shop, { package: packageUid })).toEqual([])
})

it('a channel’s devices are counted once for each package on it, by the version that they report', async () => {
  const shop = await newUpdateShop(server)
  const player = await openReportingPlayer(shop)
  await makeDevice(shop.scope, { name: 'Never up', groupUid: shop.groupUid })
  const channel = await shop.addChannel()
  for (const version of ['6.1.0', '6.2.0']) await shop.deploy(await shop.addPackage({ version }), channel)
  const body = makeHeartbeat({ programVersion: '6.2.0' })
  await server.call(sendHeartbeat, { token: player.token, body })
  const { items } = await server.call(deploys.listDeployPackages, {
    token: shop.token,
    query: { sort: 'packageVersion' },
  })
  expect(items.map(row => [row.package.version, row.deviceCount, row.heldCount])).toEqual([
    ['6.1.0', 2, 0],
    ['6.2.0', 2, 1],
  ])
})
