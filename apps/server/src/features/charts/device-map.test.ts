import { readDeviceMap } from '@floorcast/contract/charts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerCharts } from './charts-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerDevices, registerCharts] })
})

const NOON = Date.parse('2026-11-21T12:00:00Z')
const at = (ms: number) => new Date(NOON + ms).toISOString()
const setClock = (ms: number) => (server.clock.now = new Date(NOON + ms))

it('the map shows devices by coordinates, else by country, and lists those that are nowhere', async () => {
  setClock(0)
  const shop = await server.newClient()
  const group = await makeGroup(shop.scope)
  const names = ['Berlin', 'Potsdam', 'Lyon', 'Somewhere', 'Nowhere']
  const uids = new Map<string, string>()
  for (const name of names) {
    const { uid } = await makeDevice(shop.scope, { name, groupUid: group })
    uids.set(name, uid)
  }
  const tag = (device: string | null, key: string, value: string) =>
    shop.scope.write(writes =>
      writes
        .insertInto('tags')
        .values({
          uid: uuidV7(),
          clientId: shop.scope.clientId,
          deviceUid: device === null ? null : (uids.get(device) ?? null),
          groupUid: null,
          key,
          value,
          createdAt: at(0),
          changedAt: at(0),
        })
        .execute(),
    )
  await tag('Berlin', 'latitude', '52.52')
  await tag('Berlin', 'longitude', '13.4')
  await tag('Potsdam', 'latitude', '52.4')
  await tag('Potsdam', 'longitude', '13.06')
  await tag('Lyon', 'country', 'فرنسا')
  await tag('Somewhere', 'country', 'Atlantis')
  const map = await server.call(readDeviceMap, { token: shop.token })
  expect(map.clusters).toMatchObject([
    { country: 'FR', place: 'country:FR', devices: 1, neverup: 1, device: { name: 'Lyon' } },
    { country: null, place: 'area:48,8,56,16', devices: 2, neverup: 2, device: null },
  ])
  expect(map.notOnMap).toMatchObject({ devices: 2, place: 'none' })
  expect(map.notOnMap.first.map(({ name }) => name)).toEqual(['Nowhere', 'Somewhere'])
  const near = await server.call(readDeviceMap, { token: shop.token, query: { zoom: 6, group } })
  expect(near.clusters.map(({ devices }) => devices)).toEqual([1, 1, 1])

  for (const { place, devices } of [...map.clusters, ...near.clusters, map.notOnMap]) {
    const found = await server.call(listDevices, { token: shop.token, query: { place } })
    expect([place, found.total, found.items.length]).toEqual([place, devices, devices])
  }
})
