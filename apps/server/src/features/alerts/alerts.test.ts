import * as contract from '@floorcast/contract/alerts.ts'
import { readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { deleteGroup } from '@floorcast/contract/groups.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerAlerts } from './alerts-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [registerDevices, registerGroups, registerAlerts, registerRecycleBin, registerDeviceHost],
  })
})

async function alarmedShop() {
  const shop = await newShop(server)
  const { token } = shop
  const group = await shop.group()
  const inside = await makeDevice(shop.scope, { groupUid: group, name: 'Inside' })
  const outside = await makeDevice(shop.scope, { name: 'Outside' })
  const players = [await openPlayer(server, inside.licenseKey), await openPlayer(server, outside.licenseKey)]
  /** The alerts of each device, inside and outside the group, in its manifest and in the answer to a heartbeat. */
  const heard = async () =>
    Promise.all(
      players.map(async ({ token, params }) => {
        const { alerts } = await server.call(readManifest, { token, params })
        await eventually(async () => {
          const answer = await server.call(sendHeartbeat, { token, body: makeHeartbeat() })
          expect(answer.alerts.map(({ uid }) => uid)).toEqual(alerts.map(({ uid }) => uid))
        })
        return alerts.map(({ kind }) => kind)
      }),
    )
  const begin = (uid: string, alerttype: string, query = {}) => {
    server.clock.now = new Date(server.clock.now.getTime() + 1000)
    return server.call(contract.beginAlert, { token, params: { uid, alerttype }, query })
  }
  const end = (uid: string, alerttype: string) =>
    server.call(contract.endAlert, { token, params: { uid, alerttype } })
  return { ...shop, group, device: outside.uid, heard, begin, end }
}

it('an alert reaches the devices it is for, until its end', async () => {
  const { token, group, device, heard, begin, end } = await alarmedShop()
  await begin(group, 'air')
  expect(await heard()).toEqual([['air'], []])
  await begin(device, 'chemical', { drill: '1' })
  expect(await heard()).toEqual([['air'], ['chemical']])
  await begin('all', 'nuclear')
  expect(await heard()).toEqual([
    ['nuclear', 'air'],
    ['nuclear', 'chemical'],
  ])
  const open = await server.call(contract.listOpenAlerts, { token })
  expect(open.map(({ target }) => target)).toEqual([
    { kind: 'all', uid: null, name: null },
    { kind: 'device', uid: device, name: 'Outside' },
    { kind: 'group', uid: group, name: 'North shops' },
  ])
  expect(open[1]?.isDrill).toBe(true)
  expect((await end('all', 'nuclear')).code).toBe(200)
  expect((await end(group, 'air')).code).toBe(200)
  expect(await heard()).toEqual([[], ['chemical']])
  expect(await end(group, 'air')).toEqual({ code: 400, reason: 'no-open-alert' })
})

it('an alert begun many times at once is one', async () => {
  const { begin } = await alarmedShop()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => begin('all', 'air')))
  expect(new Set(answers.map(({ uid }) => uid)).size).toBe(1)
})

it('an alert ended many times at once ends once', async () => {
  const { begin, end } = await alarmedShop()
  for (let round = 0; round < 5; round += 1) {
    await begin('all', 'air')
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => end('all', 'air')))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 400)).toHaveLength(4)
  }
})

it('an alert that is real takes the place of a drill, and a drill never that of a real one', async () => {
  const { token, group, heard, begin, end } = await alarmedShop()
  const drill = await begin(group, 'air', { drill: '1' })
  const real = await begin(group, 'air')
  expect(real.uid).not.toBe(drill.uid)
  expect((await begin(group, 'air', { drill: '1' })).uid).toBe(real.uid)
  const open = await server.call(contract.listOpenAlerts, { token })
  expect(open).toMatchObject([{ uid: real.uid, isDrill: false }])
  expect(await heard()).toEqual([['air'], []])
  expect((await end(group, 'air')).uid).toBe(real.uid)
  expect(await heard()).toEqual([[], []])
})

it('an alert ends also when whom it was for is in the recycle bin, or purged', async () => {
  const { token, group, device, begin, end } = await alarmedShop()
  await begin(group, 'air')
  await begin(device, 'nuclear')
  await server.call(deleteGroup, { token, body: { uid: group } })
  await server.call(deleteDevice, { token, body: { uid: device } })
  expect((await end(group, 'air')).code).toBe(200)
  await server.call(purge, { token, params: { x: 'devices', uid: device } })
  expect((await end(device, 'nuclear')).code).toBe(200)
  expect(await server.call(contract.listOpenAlerts, { token })).toEqual([])
  expect(await end(group, 'air')).toEqual({ code: 400, reason: 'no-open-alert' })
  const params = { uid: group, alerttype: 'air' }
  expect((await server.ask(contract.beginAlert, { token, params })).statusCode).toBe(404)
})

it('an alert is for managers too, after the subscription’s end too, with full rights only', async () => {
  const { scope, email, group } = await alarmedShop()
  const manager = await signedInUser(scope)
  const viewer = await signedInUser(scope, { role: 'admin', rights: 'view' })
  const streamer = await signedInUser(scope, { role: 'streamer' })
  const now = server.clock.now
  await server.database.jobs.setSubscription(email, 'trial', new Date(now.getTime() - 1000), now)
  const ask = async (token: string) =>
    (await server.ask(contract.beginAlert, { token, params: { uid: group, alerttype: 'air' } })).statusCode
  expect(await Promise.all([manager, viewer, streamer].map(user => ask(user.token)))).toEqual([200, 403, 403])
})
