import { randomUUID } from 'node:crypto'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, it } from 'vitest'
import { registerDevices } from './devices-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDevices, registerDashboard, registerDeviceHost] })

it('counts the devices that are online and silent by what they reported, and lists those that are counted', async () => {
  const shop = await server.newClient()
  const bootId = randomUUID()
  let sequence = 0
  const open = async (name: string) => openPlayer(server, (await makeDevice(shop.scope, { name })).licenseKey)
  type Player = Awaited<ReturnType<typeof open>>
  const report = (player: Player, why: string | null, minutesAgo: number) => {
    const status = why === null ? ('began' as const) : ('silent' as const)
    const at = new Date(server.clock.now.getTime() - minutesAgo * 60_000).toISOString()
    const none = { publicationUid: null, playlistUid: null, playlistName: null, revision: null }
    const event = {
      kind: 'playlist' as const,
      id: randomUUID(),
      bootId,
      sequence: (sequence += 1),
      at,
      ...none,
    }
    return server.call(sendEvents, { ...player, body: [{ ...event, status, why }] })
  }
  const nowPlaying = {
    name: 'Song',
    mediaUid: null,
    contentType: null,
    startedAt: server.clock.now.toISOString(),
    offsetSeconds: 0,
    durationSeconds: 20,
  }
  const beat = (player: Player, more: Parameters<typeof makeHeartbeat>[0] = {}) =>
    server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ bootId, ...more }) })

  const closed = await open('Closed')
  await report(closed, 'closed', 1)
  // A report that comes late changes nothing.
  await report(closed, 'empty', 9)
  await beat(closed)
  const empty = await open('Empty')
  await report(empty, null, 5)
  await report(empty, 'empty', 3)
  await beat(empty)
  await beat(await open('Muted'), { nowPlaying, volume: 0 })
  const back = await open('Unknown')
  await report(back, 'empty', 5)
  await report(back, null, 2)
  await beat(back)
  await beat(await open('Playing'), { nowPlaying })
  await makeDevice(shop.scope, { name: 'Never up' })

  const { devices, silent, attention } = await server.call(readQuickMetrics, { token: shop.token })
  expect(devices).toEqual({ online: 5, linkdown: 0, linklost: 0, neverup: 1, playing: 1, silent: 4, late: 0 })
  expect(silent).toEqual(['closed', 'empty', 'muted', 'unknown'].map(reason => ({ reason, devices: 1 })))
  const reasons = attention.filter(({ about }) => about === 'silent').map(({ reason }) => reason)
  expect(reasons).toEqual(['empty', 'muted', 'unknown'])
  const listed = async (filter: string) => {
    const query = { silent: filter, sort: 'name' }
    return (await server.call(listDevices, { token: shop.token, query })).items.map(({ name }) => name)
  }
  for (const name of ['Closed', 'Empty', 'Muted', 'Unknown'])
    expect(await listed(name.toLowerCase())).toEqual([name])
  expect(await listed('any')).toEqual(['Closed', 'Empty', 'Muted', 'Unknown'])
  expect(await listed('none')).toEqual(['Playing'])
  expect(await listed('outside-dates')).toEqual([])
})
