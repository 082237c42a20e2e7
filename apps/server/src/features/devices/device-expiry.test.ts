import { readAudit } from '@floorcast/contract/audit.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { editDevice, readDevice } from '@floorcast/contract/devices.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from './devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [
      registerDevices,
      registerGroups,
      registerPlaylists,
      registerPublications,
      registerAudit,
      registerDeviceHost,
    ],
  })
})

async function shopWithDevice() {
  const shop = await newShop(server)
  const { token, scope } = shop
  const { uid: publication, group } = await readyPublication(shop)
  await shop.turn(publication)
  const { uid, licenseKey } = await makeDevice(scope, { groupUid: group })
  const card = async () => {
    const { expiresAt, ownExpiresAt, isExpired } = await server.call(readDevice, {
      token,
      params: { id: uid },
    })
    return { expiresAt, ownExpiresAt, isExpired }
  }
  const edit = (expiresAt: unknown, by = token) =>
    server.ask(editDevice, { token: by, body: { uid, expiresAt } })
  const day = (days: number) => new Date(server.clock.now.getTime() + days * 86_400_000).toISOString()
  return { ...shop, uid, licenseKey, publication, card, edit, day }
}

it('a device’s expiry is the subscription’s end unless an admin sets an earlier day', async () => {
  const { token, uid, card, edit, day } = await shopWithDevice()
  const subscription = await card()
  expect(subscription).toMatchObject({ isExpired: false, ownExpiresAt: null })
  expect((await edit(day(2))).json()).toEqual({ data: { code: 200 } })
  expect(await card()).toEqual({ expiresAt: day(2), ownExpiresAt: day(2), isExpired: false })
  await edit(day(100_000))
  expect(await card()).toEqual({ ...subscription, ownExpiresAt: day(100_000) })
  await edit(null)
  expect(await card()).toEqual(subscription)
  const { items } = await server.call(readAudit, { token, params: { id: uid }, query: { size: 3 } })
  expect(items.map(({ changes }) => changes)).toEqual([
    { expiresAt: [day(100_000), null] },
    { expiresAt: [day(2), day(100_000)] },
    { expiresAt: [null, day(2)] },
  ])
})

it('a device’s expiry marks the device, which plays on', async () => {
  const { licenseKey, publication, card, edit, day } = await shopWithDevice()
  await edit(day(-1))
  expect(await card()).toEqual({ expiresAt: day(-1), ownExpiresAt: day(-1), isExpired: true })
  const { publications } = await server.call(readManifest, await openPlayer(server, licenseKey))
  expect(publications.map(({ uid }) => uid)).toEqual([publication])
})

it('a device’s expiry is not a manager’s to set, and must be a moment', async () => {
  const { scope, card, edit, day } = await shopWithDevice()
  const before = await card()
  const manager = await signedInUser(scope)
  expect((await edit(day(1), manager.token)).statusCode).toBe(403)
  expect((await edit(null, manager.token)).statusCode).toBe(403)
  expect((await edit('tomorrow')).statusCode).toBe(422)
  expect(await card()).toEqual(before)
})
