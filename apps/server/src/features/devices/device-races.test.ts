import { readAudit } from '@floorcast/contract/audit.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import * as contract from '@floorcast/contract/devices.ts'
import * as tags from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, it, onTestFinished } from 'vitest'
import { registerDevices } from './devices-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const ROUNDS = 12
const server = await testServer({
  features: [registerDevices, registerTags, registerAudit, registerDeviceHost],
})
const { token, scope } = await newShop(server)
const newDevice = async () => (await makeDevice(scope)).uid

/** The changes that the audit tells of a field, oldest first. */
async function told(device: string, field: string) {
  const { items } = await server.call(readAudit, { token, params: { id: device } })
  return items.toReversed().flatMap(({ changes }) => (changes[field] ? [changes[field]] : []))
}

/** Each change begins where the one before it ended. */
const chain = (values: readonly (string | null)[]) => values.slice(1).map((value, n) => [values[n], value])

it('volumes that sliders and imports set at once follow one another in the audit', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const device = await newDevice()
    const slide = (volume: number) =>
      server.ask(contract.editDevice, { token, body: { uid: device, volume } })
    const send = (value: string) =>
      server.ask(tags.importTags, {
        token,
        body: [{ contentType: 'device', uid: device, key: 'volume', value }],
      })
    if (round % 2 === 0) await slide(50)
    const answers = await Promise.all([slide(10), send('20'), slide(30), send('40')])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const changes = await told(device, 'volume')
    const order = [null, ...changes.map(([, value]) => value as string)]
    expect(changes).toEqual(chain(order))
    const { volume } = await server.call(contract.readDevice, { token, params: { id: device } })
    expect(String(volume)).toBe(order.at(-1))
  }
})

it('policies that are set at once follow one another in the audit', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const device = await newDevice()
    const set = (resultpolicy: string) =>
      server.ask(tags.setTagPolicy, { token, params: { uid: device, resultpolicy } })
    await set('device')
    const answers = await Promise.all(['group', 'client', 'device', 'group'].map(set))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const changes = await told(device, 'tagPolicy')
    const [first] = changes
    const order = [first?.[0] as string, ...changes.map(([, value]) => value as string)]
    expect(changes).toEqual(chain(order))
  }
})

it('a reset of the last contact is the newest transition, also in the millisecond of another', async () => {
  const device = await newDevice()
  const { clientId } = scope
  const later = (ms: number) => new Date(server.clock.now.getTime() + ms)
  await scope.write(async writes => {
    const transition = { deviceUid: device, clientId, at: server.clock.now, state: 'online' as const }
    await writes.insertInto('deviceTransitions').values(transition).execute()
  })
  await server.call(contract.resetHeartbeat, { token, params: { id: device } })
  const rows = await scope.reads
    .selectFrom('deviceTransitions')
    .where('deviceUid', '=', device)
    .select(['state', 'at'])
    .orderBy('at')
    .execute()
  expect(rows.map(({ state }) => state)).toEqual(['online', 'neverup'])
  expect(new Date(rows[1]?.at ?? 0)).toEqual(later(1))
})

it('a reset records the transitions that had passed, and a heartbeat of its millisecond is newer', async () => {
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  const start = server.clock.now
  onTestFinished(() => {
    server.clock.now = start
  })
  const after = (ms: number) => new Date(start.getTime() + ms)
  const HOUR = 3_600_000
  await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  for (const hours of [5, 10]) {
    server.clock.now = after(hours * HOUR)
    await server.call(contract.resetHeartbeat, { token, params: { id: uid } })
    await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  }
  const rows = await scope.reads
    .selectFrom('deviceTransitions')
    .where('deviceUid', '=', uid)
    .select(['state', 'at'])
    .orderBy('at')
    .execute()
  expect(rows).toEqual(
    [
      { state: 'online', at: after(0) },
      { state: 'linkdown', at: after(HOUR) },
      { state: 'neverup', at: after(5 * HOUR) },
      { state: 'online', at: after(5 * HOUR + 1) },
      { state: 'linkdown', at: after(6 * HOUR) },
      { state: 'neverup', at: after(10 * HOUR) },
      { state: 'online', at: after(10 * HOUR + 1) },
    ].map(row => ({ ...row, at: row.at.toISOString() })),
  )
})
