import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, openPlayer, openChannel } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { expect, test, vi } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerGroups, registerAlerts, registerDeviceHost],
})
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

async function openShop() {
  const shop = await newShop(server)
  const group = await shop.group()
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  const heard = async () => {
    const { alerts } = await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
    return alerts.map(alert => alert.kind)
  }
  const change = (call: typeof beginAlert | typeof endAlert, target: string, alerttype: string) => {
    server.clock.now = new Date(server.clock.now.getTime() + 1000)
    return server.call(call, { token: shop.token, params: { uid: target, alerttype } })
  }
  /** Inserts an alert without a notice to servers. */
  const insertSilently = (kind: AlertKind) =>
    shop.scope.write(writes =>
      writes
        .insertInto('alerts')
        .values({ uid: uuidV7(), clientId: shop.scope.clientId, kind, beganAt: server.clock.now })
        .execute(),
    )
  return { ...shop, group, uid, player, heard, change, insertSilently }
}

test('a heartbeat’s answer follows the beginning and the end of an alert, and no other client’s', async () => {
  const [one, other] = [await openShop(), await openShop()]
  expect([await one.heard(), await other.heard()]).toEqual([[], []])
  await one.change(beginAlert, 'all', 'air')
  await eventually(async () => expect(await one.heard()).toEqual(['air']))
  await one.change(beginAlert, one.uid, 'chemical')
  await eventually(async () => expect(await one.heard()).toEqual(['chemical', 'air']))
  await one.change(endAlert, 'all', 'air')
  await eventually(async () => expect(await one.heard()).toEqual(['chemical']))
  expect(await other.heard()).toEqual([])
})

test('the list is read once, and again after a minute without any notice', async () => {
  const { heard, insertSilently } = await openShop()
  expect(await heard()).toEqual([])
  await insertSilently('air')
  expect(await heard()).toEqual([])
  const later = performance.now() + 61_000
  vi.spyOn(performance, 'now').mockImplementation(() => later)
  expect(await heard()).toEqual(['air'])
})

test('the list is read again after the bus lost its connection', async () => {
  const { heard, insertSilently } = await openShop()
  expect(await heard()).toEqual([])
  await insertSilently('nuclear')
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floorcast_bus' and datname = current_database()`,
    ),
  )
  await eventually(async () => expect(await heard()).toEqual(['nuclear']))
})

test('an alert of a group is heard by the devices that are in it now, whenever their channels were opened', async () => {
  const { scope, uid, player, group, change } = await openShop()
  const channel = await openChannel(origin, uid, player.token)
  const answers = () => channel.heard.filter(message => message.type === 'heartbeat-answer')
  const heard = async () => {
    const before = answers().length
    channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
    await eventually(() => expect(answers().length).toBe(before + 1))
    return answers()
      .at(-1)
      ?.answer.alerts.map(alert => alert.kind)
  }
  const move = (groupUid: string | null) =>
    scope.write(async writes => {
      await writes.updateTable('devices').set({ groupUid }).where('uid', '=', uid).execute()
      await invalidateManifests(writes, { devices: [uid] })
    })
  await change(beginAlert, group, 'air')
  await eventually(async () => expect(await heard()).toEqual(['air']))
  await move(null)
  await eventually(async () => expect(await heard()).toEqual([]))
  await move(group)
  await eventually(async () => expect(await heard()).toEqual(['air']))
})
