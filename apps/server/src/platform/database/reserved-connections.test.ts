import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { readManifest, sendEvents } from '@floorcast/contract/device-protocol.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { ClientScope } from './client-scope.ts'

const server = await wholeServer()
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
  // Three are one client's share of the four.
  const neighbour = await server.newClient()
  const frees = [
    await occupy(database.devices.forClient(scope.clientId), 3),
    await occupy(database.devices.forClient(neighbour.scope.clientId), 1),
  ]
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
  for (const free of frees) await free()
  expect(first.statusCode).toBe(200)
  expect(await Promise.all(waiting)).toEqual(Array(40).fill(200))
})

test('while console calls occupy their connections, an alert begins, with its authentication', async () => {
  const { token, scope } = await server.newClient()
  const other = await server.newClient()
  const free = [await occupy(scope, 5), await occupy(other.scope, 5)]
  const alert = { token, params: { uid: 'all', alerttype: 'air' } }
  expect((await server.call(beginAlert, alert)).code).toBe(200)
  for (const end of free) await end()
})

test('the slow statements of one client leave connections for the others', async () => {
  const { scope } = await server.newClient()
  const other = await server.newClient()
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('select pg_advisory_lock(1)')
    const slow = Array.from({ length: 30 }, () => sql`select pg_advisory_xact_lock(1)`.execute(scope.reads))
    const list = { token: other.token, params: { contentType: 'audio' } }
    const answers = [await server.ask(listDevices, list), await server.ask(listDevices, list)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    await superuser.query('select pg_advisory_unlock(1)')
    expect(await Promise.all(slow)).toHaveLength(30)
  })
})

test('each kind of work has its statement timeout; maintenance has the longest', async () => {
  const { scope } = await server.newClient()
  const { clientId } = scope
  const timeoutOf = async ({ reads }: ClientScope) => {
    const { rows } = await sql<{ timeout: string }>`
      select current_setting('statement_timeout') as timeout`.execute(reads)
    return rows[0]?.timeout
  }
  const { devices, reports, alerts, jobs } = database
  const scopes = [scope, ...[devices, reports, alerts, jobs].map(pool => pool.forClient(clientId))]
  expect(await Promise.all(scopes.map(timeoutOf))).toEqual(['20s', '10s', '10s', '5s', '10min'])
})

test('connections for alerts are open before the first alert, and a lost one is opened again at once', async () => {
  await database.ping()
  await asSuperuser(server.superuserUrl, async superuser => {
    const kept = async () => {
      const { rows } = await superuser.query<{ pid: number; name: string }>(
        `select pid, application_name as name from pg_stat_activity
        where datname = current_database() and application_name like 'floorcast_alerts%' order by name`,
      )
      return rows
    }
    const before = await kept()
    expect(before.map(({ name }) => name)).toEqual(['floorcast_alerts', 'floorcast_alerts_auth'])
    const pids = before.map(({ pid }) => pid)
    await superuser.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids])
    await expect.poll(async () => (await kept()).filter(({ pid }) => !pids.includes(pid)).length).toBe(2)
  })
})
