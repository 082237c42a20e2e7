import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { proveServer, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { joinSignedAddress, serverProofText } from '@floorcast/contract/server-address.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { runAddressCommand } from '../updates/updates.ts'

const features = [registerDeviceHost]

const [streamUrl, otherUrl] = ['https://stream.example', 'https://new.example']
const server = await testServer({
  features,
  environment: { STREAM_URL: streamUrl, OTHER_STREAM_URL: `${otherUrl}/` },
})

const ask = (playpointid: string, address: string, from = '10.8.0.1') => {
  const body = { playpointid, address, nonce: randomBytes(32).toString('hex') }
  return server.ask(proveServer, { body, address: from }).then(answer => ({ ...body, answer }))
}
const codeOf = ({ answer }: Awaited<ReturnType<typeof ask>>) => [
  answer.statusCode,
  answer.json<Problem>().code,
]

test('a server proves each of its addresses by the license key of the device, and no other', async () => {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  const key = createHash('sha256').update(licenseKey).digest()
  for (const address of ['https://shop.example', streamUrl, otherUrl]) {
    const { answer, ...body } = await ask(uid, address)
    const proof = createHmac('sha256', key).update(serverProofText(body)).digest('hex')
    expect(answer.json<{ data: unknown }>().data).toEqual({ proof })
  }
  expect(codeOf(await ask(uid, 'https://new.exampel'))).toEqual([409, 'other-address'])
  expect(codeOf(await ask(randomUUID(), streamUrl))).toEqual([404, 'license-unknown'])
})

test('a server proves the own address of each client, and the signed one, to the devices of this client alone', async () => {
  const at = await testServer({
    features,
    environment: {
      STREAM_URL: 'https://{client}.stream.example',
      OTHER_STREAM_URL: 'https://{client}.new.example',
    },
  })
  const { publicKey, signAddress } = makeUpdateKeys()
  const clients = [await makeClient(at.database), await makeClient(at.database)]
  const shops = await Promise.all(
    clients.map(async ({ clientId, scope }) => {
      const { uid } = await makeDevice(scope)
      return { uid, clientId, signed: `https://${clientId.slice(-4)}.moved.example` }
    }),
  )
  for (const { clientId, signed } of shops) {
    await asSuperuser(at.superuserUrl, superuser =>
      superuser.query('update clients set update_public_key = $1 where uid = $2', [publicKey, clientId]),
    )
    const line = joinSignedAddress(signAddress({ client: clientId, address: signed, counter: 1 }))
    const context = { database: at.database, streamUrl, now: at.clock.now }
    await runAddressCommand(context, { name: 'publish-address', word: line })
  }
  const proves = async (uid: string, address: string) => {
    const body = { playpointid: uid, address, nonce: randomBytes(32).toString('hex') }
    return (await at.ask(proveServer, { body })).statusCode === 200
  }
  for (const { uid } of shops)
    for (const { clientId, signed, uid: owner } of shops)
      for (const address of [`https://${clientId}.stream.example`, `https://${clientId}.new.example`, signed])
        expect([address, await proves(uid, address)]).toEqual([address, uid === owner])
  expect(await proves(shops[0]?.uid ?? '', 'https://{client}.stream.example')).toBe(false)
})

test('an address that asks about many devices that there are not is told to wait', async () => {
  for (let n = 0; n < 60; n += 1) await ask(randomUUID(), streamUrl, '10.8.0.2')
  expect((await ask(randomUUID(), streamUrl, '10.8.0.2')).answer.statusCode).toBe(429)
  expect((await ask(randomUUID(), streamUrl, '10.8.0.3')).answer.statusCode).toBe(404)
})

test('a heartbeat tells the other address, and nothing where there is none', async () => {
  const heartbeat = async (at: typeof server) => {
    const { scope } = await makeClient(at.database)
    const player = await openPlayer(at, (await makeDevice(scope)).licenseKey)
    return at.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
  }
  expect((await heartbeat(server)).otherServer).toBe(otherUrl)
  expect(await heartbeat(server)).not.toHaveProperty('signedServer')
  expect(await heartbeat(await testServer({ features }))).not.toHaveProperty('otherServer')
})
