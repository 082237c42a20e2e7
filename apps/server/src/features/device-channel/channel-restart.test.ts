import { parseRestartReason } from '@floorcast/contract/device-messages.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerDevices } from '../devices/devices-routes.ts'

test('a server that stops closes channels slice by slice, tells each device when to come back, and opens no other', async () => {
  const server = await testServer({ hasOwnDatabase: true, features: [registerDevices, registerDeviceHost] })
  const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
  const { token, scope } = await newShop(server)
  const devices = []
  for (let number = 0; number < 55; number += 1) {
    const { uid, licenseKey } = await makeDevice(scope)
    const player = await openPlayer(server, licenseKey)
    const channel = await openChannel(origin, uid, player.token)
    channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
    await channel.hear(1)
    devices.push({ uid, player, channel })
  }
  const order: number[] = []
  for (const [number, { channel }] of devices.entries()) void channel.closed.then(() => order.push(number))
  const leaving = server.http.shutdown.leave(new AbortController().signal)
  const waits = new Set<number>()
  for (const { channel } of devices) {
    expect(await channel.closed).toBe(1012)
    waits.add(parseRestartReason(await channel.closeReason) ?? Number.NaN)
  }
  await leaving
  expect(Math.max(...waits)).toBeLessThanOrEqual(1)
  expect(waits.size).toBeGreaterThan(10)
  expect(order.slice(50).toSorted((one, other) => one - other)).toEqual([50, 51, 52, 53, 54])
  const [{ uid, player } = { uid: '', player: { token: '' } }] = devices
  await expect(openChannel(origin, uid, player.token)).rejects.toThrow('HTTP 503')
  // Calls are answered, and no device is shown as disconnected meanwhile.
  const { total } = await server.call(listDevices, { token, query: { connectivity: 'online' } })
  expect(total).toBe(55)
})
