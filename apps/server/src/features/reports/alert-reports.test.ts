import { randomUUID } from 'node:crypto'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerReports } from './reports-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [registerGroups, registerReports, registerAlerts, registerDeviceHost],
})
/** In Berlin the month has ended. */
const BEGIN = Date.parse('2026-10-31T23:30:00Z')
const after = (seconds: number) => new Date(BEGIN + seconds * 1000)
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' }

type Name = 'alert1' | 'alert2' | 'alert3'

async function makeShops() {
  server.clock.now = after(-60)
  const client = await server.newClient()
  const { token, scope } = client
  const group = await makeGroup(scope, { name: 'North shops' })
  const add = async (name: string, groupUid?: string) => {
    const made = { name, storeNumber: `No ${name}`, at: after(-60), ...(groupUid && { groupUid }) }
    const { uid, licenseKey } = await makeDevice(scope, made)
    const player = await openPlayer(server, licenseKey)
    let sequence = 0
    /** Sends a step of an alert, `seconds` after BEGIN. */
    const step = (alertUid: string, name: 'received' | 'started' | 'ended', seconds: number) => {
      const at = after(seconds).toISOString()
      const head = { id: randomUUID(), bootId: player.boxId, sequence: (sequence += 1), at }
      const body = [{ ...head, kind: 'alert', alertUid, alertKind: 'air', step: name }]
      return server.call(sendEvents, { ...player, body })
    }
    return { uid, step }
  }
  const devices = { a: await add('A', group), b: await add('B', group), c: await add('C') }
  return { token, email: client.email, group, devices }
}

const read = async (token: string, name: Name, params: object) => {
  const { columns, rows } = await server.call(reportCalls[name].preview, { token, params })
  return rows.map(row => Object.fromEntries(columns.map(({ key }, n) => [key, row[n]])))
}

test('alerts are told with their senders, devices and seconds to the start; drills apart', async () => {
  const { token, email, group, devices } = await makeShops()
  const { a, b, c } = devices
  server.clock.now = after(0)
  const air = { uid: group, alerttype: 'air' }
  const { uid = '' } = await server.call(beginAlert, { token, params: air })
  await a.step(uid, 'received', 1)
  await a.step(uid, 'started', 1.5)
  server.clock.now = after(600)
  await server.call(endAlert, { token, params: air })
  await a.step(uid, 'ended', 601)
  server.clock.now = after(700)
  await server.call(addToGroup, { token, params: { device: c.uid, group } })
  server.clock.now = after(3600)
  const drill = { params: { uid: 'all', alerttype: 'air' }, query: { drill: '1' } }
  const { uid: drilled = '' } = await server.call(beginAlert, { token, ...drill })
  for (const [device, seconds] of [
    [a, 2],
    [b, 4],
    [c, 9],
  ] as const)
    await device.step(drilled, 'started', 3600 + seconds)
  server.clock.now = after(7200)

  const berlin = { zone: 'Europe/Berlin' }
  expect(await read(token, 'alert1', { ...OCTOBER, ...berlin })).toEqual([])
  expect(await read(token, 'alert1', { ...NOVEMBER, ...berlin })).toEqual([
    {
      alertKind: 'air',
      purpose: 'alert',
      targetKind: 'group',
      target: 'North shops',
      beganAt: '2026-11-01T00:30:00+01:00',
      beganBy: email,
      endedAt: '2026-11-01T00:40:00+01:00',
      endedBy: email,
    },
    {
      alertKind: 'air',
      purpose: 'drill',
      targetKind: 'all',
      target: null,
      beganAt: '2026-11-01T01:30:00+01:00',
      beganBy: email,
      endedAt: null,
      endedBy: null,
    },
  ])
  expect((await read(token, 'alert1', { ...OCTOBER, zone: 'device' })).map(row => row['purpose'])).toEqual([
    'alert',
  ])

  const perDevice = await read(token, 'alert2', { ...NOVEMBER, ...berlin })
  const told = perDevice.map(row => [row['purpose'], row['device'], row['secondsToStart']])
  expect(told).toEqual([
    ['alert', 'A', 1.5],
    // It reported nothing. C joined the group after the alert.
    ['alert', 'B', null],
    ['drill', 'A', 2],
    ['drill', 'B', 4],
    ['drill', 'C', 9],
  ])
  expect(perDevice[0]).toMatchObject({
    storeNumber: 'No A',
    group: 'North shops',
    receivedAt: '2026-11-01T00:30:01+01:00',
    endedAt: '2026-11-01T00:40:01+01:00',
  })

  const month = { alertKind: 'air', month: '2026-11', alerts: 1 }
  expect(await read(token, 'alert3', { ...NOVEMBER, ...berlin })).toEqual([
    { ...month, purpose: 'alert', devices: 1, medianSeconds: 1.5, longestSeconds: 1.5 },
    { ...month, purpose: 'drill', devices: 3, medianSeconds: 4, longestSeconds: 9 },
  ])
  const stranger = await server.newClient()
  for (const name of ['alert1', 'alert2', 'alert3'] as const)
    expect(await read(stranger.token, name, { ...NOVEMBER, ...berlin })).toEqual([])
})
