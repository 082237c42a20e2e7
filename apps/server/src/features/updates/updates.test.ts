import * as deploys from '@floorcast/contract/deploy-packages.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { addToGroup, removeFromGroup } from '@floorcast/contract/groups.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { listUpdateDevices } from '@floorcast/contract/updates.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop } from '@floorcast/testing/test-updates.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerGroups, registerUpdates, registerDeviceHost] })
})

it('what devices are to install is a released package, deployed and on, of an open channel; each of the three takes it away', async () => {
  const shop = await newUpdateShop(server)
  const player = await shop.player()
  const packageUid = await shop.addPackage({ version: '2.780.0' })
  const file = await shop.upload(packageUid, { bytes: Buffer.from('player 2.780') })
  const channel = await shop.addChannel()
  const deployed = await shop.deploy(packageUid, channel)
  expect(await shop.rotateDeployPackage(deployed, 'paused')).toMatchObject({
    code: -2,
    reason: 'package-not-released',
    names: ['Player'],
  })
  expect(await shop.rotatePackage(packageUid, 'draft')).toEqual({ code: 9, state: 'testing' })
  expect(await shop.rotatePackage(packageUid, 'testing')).toEqual({ code: 0, state: 'released' })
  expect(await player.update()).toBeUndefined()
  expect(await shop.rotateDeployPackage(deployed, 'paused')).toEqual({ code: 0, state: 'active' })
  const offered = {
    packageUid,
    name: 'Player',
    category: 'Program',
    version: '2.780.0',
    channelName: 'Pilot shops',
    isForced: false,
  }
  expect(await player.update()).toMatchObject({
    ...offered,
    files: [{ uid: file.uid, name: 'player.tar' }],
  })
  expect(await shop.rotateDeployPackage(deployed, 'active')).toEqual({ code: 0, state: 'forced' })
  expect(await player.update()).toMatchObject({ ...offered, isForced: true })

  expect(await shop.rotateChannel(channel, 'open')).toEqual({ code: 9, state: 'frozen' })
  expect(await player.update()).toBeUndefined()
  expect(await shop.rotateChannel(channel, 'frozen')).toEqual({ code: 0, state: 'open' })
  expect(await player.update()).toBeDefined()
  expect(await shop.rotatePackage(packageUid, 'released')).toEqual({ code: 9, state: 'draft' })
  expect(await player.update()).toBeUndefined()
  await shop.rotatePackage(packageUid)
  await shop.rotatePackage(packageUid)
  expect(await player.update()).toBeDefined()
  expect(await shop.rotateDeployPackage(deployed, 'forced')).toEqual({ code: 9, state: 'paused' })
  expect(await player.update()).toBeUndefined()
})

it('what devices are to install changes the manifest when it changes, and at no other time', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const player = await shop.player()
  const before = await player.etag()
  const packageUid = await shop.released()
  const channel = await shop.addChannel()
  const deployed = await shop.deploy(packageUid, channel)
  expect(await player.etag()).toBe(before)
  await shop.rotateDeployPackage(deployed)
  const offered = await player.etag()
  expect(offered).not.toBe(before)
  const body = { uid: channel, description: 'Ten shops that try it first' }
  await server.call(channels.editChannel, { token, body })
  await shop.deploy(await shop.addPackage(), channel)
  const [file] = (await shop.card(packageUid)).files
  const rename = { uid: file?.uid, name: 'Another name' }
  await server.call(files.editUpdateFile, { token, body: rename })
  expect(await player.etag()).toBe(offered)
  await server.call(channels.editChannel, { token, body: { uid: channel, name: 'Pilots' } })
  expect((await player.update())?.channelName).toBe('Pilots')
  await server.call(deploys.deleteDeployPackage, { token, body: { uid: deployed } })
  const without = JSON.stringify({ ...(await player.manifest()), generation: 0 })
  expect(without).not.toContain('update')
})

it('what devices are to install is a forced one before all, then the highest version by its numbers', async () => {
  const shop = await newUpdateShop(server)
  const player = await shop.player()
  const channel = await shop.addChannel()
  const made: string[] = []
  for (const version of ['2.9.0', '2.10.0', '2.10.0-rc.1']) {
    const deployed = await shop.deploy(await shop.released({ version }), channel)
    await shop.rotateDeployPackage(deployed)
    made.push(deployed)
  }
  expect((await player.update())?.version).toBe('2.10.0')
  await shop.rotateDeployPackage(made[0] ?? '')
  expect(await player.update()).toMatchObject({ version: '2.9.0', isForced: true })
})

it('what devices are to install is no version below the one that the device has, unless it is forced', async () => {
  const shop = await newUpdateShop(server)
  const player = await shop.player()
  const report = (programVersion: string) =>
    server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat({ programVersion }) })
  const offered = async () =>
    (await server.call(listUpdateDevices, { token: shop.token })).items[0]?.offered?.version
  await report('2.10.0')
  const deployed = await shop.deploy(await shop.released({ version: '2.9.9' }), await shop.addChannel())
  await shop.rotateDeployPackage(deployed)
  expect([await player.update(), await offered()]).toEqual([undefined, undefined])
  await shop.rotateDeployPackage(deployed)
  expect(await player.update()).toMatchObject({ version: '2.9.9', isForced: true })
  expect(await offered()).toBe('2.9.9')
  const higher = await shop.deploy(await shop.released({ version: '2.10.1' }), await shop.addChannel())
  await shop.rotateDeployPackage(higher)
  await shop.rotateDeployPackage(deployed)
  expect(await player.update()).toMatchObject({ version: '2.10.1', isForced: false })
})

it('what devices are to install follows the groups that a channel names, and the group that a device is in', async () => {
  const shop = await newUpdateShop(server)
  const { token, groupUid } = shop
  const player = await shop.player()
  const channel = await shop.addChannel({ groupUids: [] })
  await shop.rotateDeployPackage(await shop.deploy(await shop.released(), channel))
  expect(await player.update()).toBeUndefined()
  const name = (groupUids: string[]) =>
    server.call(channels.editChannel, { token, body: { uid: channel, groupUids } })
  await name([groupUid, await shop.group()])
  expect(await player.update()).toBeDefined()
  await server.call(removeFromGroup, { token, params: { device: shop.device.uid, group: groupUid } })
  expect(await player.update()).toBeUndefined()
  await server.call(addToGroup, { token, params: { device: shop.device.uid, group: groupUid } })
  expect(await player.update()).toBeDefined()
  await name([])
  expect(await player.update()).toBeUndefined()
})

it('rotation refuses a click that was made on another state: 409', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const id = await shop.released()
  const channel = await shop.addChannel()
  const deployed = await shop.deploy(id, channel)
  const stale = [
    server.ask(packages.rotatePackage, { token, params: { id }, query: { from: 'draft' } }),
    server.ask(channels.rotateChannel, { token, params: { id: channel }, query: { from: 'frozen' } }),
    server.ask(deploys.rotateDeployPackage, {
      token,
      params: { id: deployed },
      query: { from: 'forced' },
    }),
  ]
  for (const answer of stale) expect((await answer).statusCode).toBe(409)
  const wrong = { token, params: { id }, query: { from: 'open' } }
  expect((await server.ask(packages.rotatePackage, wrong)).statusCode).toBe(422)
})

it('rotation is code -1 for view rights, and nothing for managers', async () => {
  const shop = await newUpdateShop(server)
  const id = await shop.released()
  const viewer = await signedInUser(shop.scope, { role: 'admin', rights: 'view' })
  const params = { id }
  expect(await server.call(packages.rotatePackage, { token: viewer.token, params })).toEqual({ code: -1 })
  expect((await server.call(packages.readPackage, { token: viewer.token, params })).permissions.mayEdit).toBe(
    false,
  )
  const manager = await signedInUser(shop.scope)
  expect((await server.ask(packages.rotatePackage, { token: manager.token, params })).statusCode).toBe(403)
  expect((await shop.card(id)).state).toBe('released')
})

it('rotation lets no package out of its draft without a file', async () => {
  const shop = await newUpdateShop(server)
  const id = await shop.addPackage()
  expect(await shop.rotatePackage(id)).toEqual({ code: -2, reason: 'package-empty' })
  expect((await shop.card(id)).state).toBe('draft')
})
