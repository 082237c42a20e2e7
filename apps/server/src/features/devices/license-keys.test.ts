import { readAudit } from '@floorcast/contract/audit.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { importRows as shops, newImportShop } from '@floorcast/testing/import-shop.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from './devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerDeviceImport } from '../device-import/device-import-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerDeviceImport, registerAudit],
  })
})
const newShop = () => newImportShop(server)

const csvOf = (body: string) => body.replace('\uFEFF', '').trimEnd().split('\r\n')

it('the csv of license keys has the devices of an import in its order, quoted, and runs nothing in a spreadsheet', async () => {
  const shop = await newShop()
  await shop.newGroup('North, coast')
  const importUid = uuidV7()
  const rows = [
    { name: '-2+3', storeNumber: '+7', group: 'North, coast' },
    { name: 'Магазин', storeNumber: '0042' },
  ]
  const { done = [] } = await shop.add(rows, { importUid })
  await shop.add([{ name: 'Another' }])
  const { statusCode, headers, body, rawPayload } = await shop.keys({ importUid })
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ])
  expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const key = async (id = '') =>
    (await server.call(readDevice, { token: shop.token, params: { id } })).licenseKey
  expect(csvOf(body)).toEqual([
    'Name,Store number,Group,Licence key,Bound',
    `'-2+3,'+7,"North, coast",${await key(done[0])},no`,
    `Магазин,0042,,${await key(done[1])},no`,
  ])
  const { items } = await server.call(readAudit, {
    token: shop.token,
    params: { id: 'all' },
    query: { size: 1 },
  })
  expect(items).toMatchObject([{ class: 'export-license-keys', changes: { devices: [null, { importUid }] } }])
})

it('the csv of license keys has all devices of a filter, over several statements, and none of another client', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const group = await shop.newGroup('North')
  for (const part of [0, 1, 2])
    await shop.add(shops(1000, part * 1000 + 1).map(row => ({ ...row, groupUid: group })))
  await shop.add([{ name: 'Elsewhere' }])
  const lines = csvOf((await shop.keys({ filter: { group } })).body)
  expect(lines).toHaveLength(3001)
  expect(new Set(lines).size).toBe(3001)
  expect(lines[1]).toMatch(/^Shop 1,1,North,[^,]{35},no$/)
  expect(csvOf((await shop.keys({ filter: { search: 'elsewhere' } })).body)).toHaveLength(2)
  expect(csvOf((await other.keys({ filter: {} })).body)).toHaveLength(1)
})

it('the csv of license keys leaves the key out once a player has bound it', async () => {
  const shop = await newShop()
  const { done = [] } = await shop.add(shops(2))
  await shop.scope.write(writes =>
    writes
      .updateTable('devices')
      .set({ licenseBoundAt: server.clock.now })
      .where('uid', '=', done[0] ?? '')
      .execute(),
  )
  expect(csvOf((await shop.keys({ uids: done })).body).slice(1)).toEqual([
    'Shop 1,1,,,yes',
    expect.stringMatching(/^Shop 2,2,,[^,]{35},no$/),
  ])
})

it('the csv of license keys is refused for devices that do not exist, for streamers and for those who may only view', async () => {
  const shop = await newShop()
  expect((await shop.keys({ uids: [uuidV7()] })).statusCode).toBe(404)
  expect((await shop.keys({ importUid: uuidV7() })).statusCode).toBe(404)
  expect((await shop.keys({ filter: { colour: 'red' } })).statusCode).toBe(422)
  const { token } = await signedInUser(shop.scope, { role: 'streamer' })
  expect((await server.ask(exportLicenseKeys, { token, body: { filter: {} } })).statusCode).toBe(403)
  const viewer = await signedInUser(shop.scope, { role: 'admin', rights: 'view' })
  const refused = await server.ask(exportLicenseKeys, { token: viewer.token, body: { filter: {} } })
  expect(refused.json()).toMatchObject({ status: 403, code: 'rights' })
})
