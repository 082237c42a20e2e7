import { readAudit } from '@floorcast/contract/audit.ts'
import { openDeviceSession, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { joinSignedAddress } from '@floorcast/contract/server-address.ts'
import { setUpdateKey } from '@floorcast/contract/updates.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { beforeAll, expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { readAddressCommand, runAddressCommand } from './address-commands.ts'

let server: TestServer
beforeAll(async () => {
  const features = [registerDeviceHost, registerDevices, registerUpdates, registerAudit]
  server = await testServer({ features })
})

const keys = makeUpdateKeys()
const run = (...args: string[]) => {
  const command = readAddressCommand(args)
  if (!command) throw new Error(`${args.join(' ')} is no command of addresses`)
  const { database, clock } = server
  return runAddressCommand(
    { database, streamUrl: 'https://{client}.stream.example', now: clock.now },
    command,
  )
}

/** A client whose players have an update key. */
async function newShop() {
  const shop = await server.newClient()
  await server.call(setUpdateKey, { token: shop.token, body: { publicKey: keys.publicKey } })
  const client = shop.scope.clientId
  const publish = (address: string, counter: number) =>
    run('publish-address', joinSignedAddress(keys.signAddress({ client, address, counter })))
  return { ...shop, client, publish }
}

test('devices of a client learn its signed address with a heartbeat, and those of no other; the audit has it', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const [player, stranger] = [
    await openPlayer(server, (await makeDevice(shop.scope)).licenseKey),
    await openPlayer(server, (await makeDevice(other.scope)).licenseKey),
  ]
  const heartbeat = (of: typeof player) => server.call(sendHeartbeat, { ...of, body: makeHeartbeat() })
  expect(await heartbeat(player)).not.toHaveProperty('signedServer')
  expect(await shop.publish('https://new.example', 7)).toContain('learn https://new.example')
  expect((await heartbeat(player)).signedServer).toEqual(
    keys.signAddress({ client: shop.client, address: 'https://new.example', counter: 7 }),
  )
  expect(await heartbeat(stranger)).not.toHaveProperty('signedServer')
  await shop.publish('https://newer.example', 8)
  const { items } = await server.call(readAudit, { token: shop.token, params: { id: shop.client } })
  expect(items.filter(entry => entry.class === 'publish-address')).toMatchObject([
    { userName: 'operator', changes: { address: ['https://new.example', 'https://newer.example'] } },
    { userName: 'operator', changes: { address: [null, 'https://new.example'] } },
  ])
})

test('an address that devices would refuse is not published', async () => {
  const shop = await newShop()
  await shop.publish('https://new.example', 7)
  for (const counter of [6, 7])
    await expect(shop.publish('https://newer.example', counter)).rejects.toThrow('only a higher one')
  const { client } = shop
  const line = joinSignedAddress(
    makeUpdateKeys().signAddress({ client, address: 'https://new.example', counter: 9 }),
  )
  await expect(run('publish-address', line)).rejects.toThrow('not signed by the update key')
  const good = joinSignedAddress(keys.signAddress({ client, address: 'https://new.example', counter: 9 }))
  for (const wrong of [good.slice(0, -5), good.replace('.', ''), `x${good}`, ''])
    await expect(run('publish-address', wrong)).rejects.toThrow('not the whole line')
  for (const address of ['https://new.example/floor', 'https://a@new.example', 'ftp://new.example'])
    await expect(shop.publish(address, 9)).rejects.toThrow('not the whole line')
  const nobody = '01933d4e-0000-7000-8000-00000000dead'
  const ofNobody = keys.signAddress({ client: nobody, address: 'https://new.example', counter: 9 })
  await expect(run('publish-address', joinSignedAddress(ofNobody))).rejects.toThrow('no client')
  await server.call(setUpdateKey, { token: shop.token, body: { publicKey: null } })
  await expect(shop.publish('https://newer.example', 9)).rejects.toThrow('no update key')
  for (const args of [['publish-address'], ['publish-address', good, 'more'], ['addresses', 'more']])
    expect(() => readAddressCommand(args)).toThrow(Error)
  expect(readAddressCommand(['status'])).toBeNull()
})

test('the list says of each client how many devices keep its address, are there, and refuse one; the card the last', async () => {
  const shop = await newShop()
  await shop.publish('https://new.example', 7)
  const reports = [
    { address: 'https://old.example', counter: null, refused: null },
    { address: 'https://old.example', counter: 7, refused: null },
    { address: 'https://new.example', counter: 7, refused: null },
    {
      address: 'https://old.example',
      counter: 3,
      refused: { address: 'https://new.example', why: 'not-server' },
    },
  ]
  const uids: string[] = []
  for (const report of [...reports, null]) {
    const { uid, licenseKey } = await makeDevice(shop.scope)
    uids.push(uid)
    const player = await openPlayer(server, licenseKey)
    const body = { ...makeHeartbeat(), ...(report && { server: report }) }
    await server.call(sendHeartbeat, { ...player, body })
  }
  const cards = await Promise.all(
    uids.map(id => server.call(readDevice, { token: shop.token, params: { id } })),
  )
  expect(cards.map(card => card.server)).toEqual([...reports, null])
  const lines = (await run('addresses')).split('\n').map(line => line.split('\t'))
  expect(lines[0]).toHaveLength(9)
  const own = `https://${shop.client}.stream.example`
  expect(lines.find(([, uid]) => uid === shop.client)?.slice(2)).toEqual([
    own,
    'https://new.example',
    '7',
    '5',
    '2',
    '1',
    '1',
  ])
  const bare = await server.newClient()
  const line = (await run('addresses')).split('\n').find(text => text.includes(bare.scope.clientId))
  expect(line).toContain('\tno update key\t-\t0\t0\t0\t0')
})

test('a session tells the client to whom the device belongs', async () => {
  const shop = await newShop()
  const { licenseKey } = await makeDevice(shop.scope)
  const body = { licenseKey, boxId: shop.client, model: 'test player', version: '2.776.0' }
  expect((await server.call(openDeviceSession, { body })).client).toBe(shop.client)
})
