import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { readManifest, sendEvents } from '@floorcast/contract/device-protocol.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { ClientScope } from './client-scope.ts'

const server = await testServer()
const { database } = server

/** Keeps connections of a pool busy until the returned function is called. */
async function occupy(scope: ClientScope, connections: number) {
  const end = Promise.withResolvers<void>()
  const begun = Array.from({ length: connections }, () => Promise.withResolvers<void>())
  const all = begun.map(({ resolve }) =>
    scope.readTogether(async reads => {
      await sql`select 1`.execute(reads)
      resolve()
      await end.promise
    }),
  )
  await Promise.all(begun.map(({ promise }) => promise))
  onTestFinished(() => end.resolve())
  return async () => {
    end.resolve()
    await Promise.all(all)
  }
}

test('while manifests occupy their connections, alerts, heartbeats, plays, sessions and console calls go on', async () => {
  const { token, scope } = await server.newClient()
  const device = await makeDevice(scope)
  const player = await openPlayer(server, device.licenseKey)
  const first = await server.ask(readManifest, player)
  const free = await occupy(database.devices.forClient(scope.clientId), 4)
  let manifests = 0
  const waiting = Array.from({ length: 40 }, () =>
    server.ask(readManifest, player).then(answer => {
      manifests += 1
      return answer.statusCode
    }),
  )
  const alert = { token, params: { uid: 'all', alerttype: 'air' } }
  expect((await server.call(beginAlert, alert)).code).toBe(200)
  expect((await server.call(endAlert, alert)).code).toBe(200)
  await server.call(sendEvents, { ...player, body: [makePlay(1)] })
  expect((await server.ask(listDevices, { token, params: { contentType: 'audio' } })).statusCode).toBe(200)
  const other = await makeDevice(scope)
  await openPlayer(server, other.licenseKey)
  expect(manifests).toBe(0)
  await free()
  expect(first.statusCode).toBe(200)
  expect(await Promise.all(waiting)).toEqual(Array(40).fill(200))
})

test('while console calls occupy their connections, an alert begins, with its authentication', async () => {
  const { token, scope } = await server.newClient()
  const free = await occupy(database.forClient(scope.clientId), 10)
  const alert = { token, params: { uid: 'all', alerttype: 'air' } }
  expect((await server.call(beginAlert, alert)).code).toBe(200)
  await free()
})
