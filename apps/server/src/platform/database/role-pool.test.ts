import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeClient } from '@floorcast/testing/factories.ts'
import { openFirewall } from '@floorcast/testing/firewall.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { clientScope } from './client-scope.ts'
import { searchPathOf } from './client-views.ts'
import { isConnectionError } from './database-errors.ts'
import { openRolePool, type RolePoolOptions } from './role-pool.ts'

const { database, url } = await testDatabase()

function openPool(options: Partial<RolePoolOptions> = {}): Pool {
  const pool = openRolePool({ url, role: 'floorcast_app', connections: 1, lost: () => undefined, ...options })
  atTheEnd(() => pool.end())
  return pool
}

const sessionOf = async (pool: Pool) =>
  (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

const SETTINGS = `select current_user::text as role, current_setting('search_path') as path, current_setting('timezone') as zone,
  current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle,
  current_setting('client_connection_check_interval') as check`

test('a connection has the role and settings of its pool, whatever the address asks for', async () => {
  const address = Object.assign(new URL(url), { search: '?options=-c%20role%3Dfloorcast_jobs' }).href
  const pool = openPool({ url: address, statementTimeoutMs: 7000, pipeline: false })
  expect((await pool.query(SETTINGS)).rows).toEqual([
    {
      role: 'floorcast_app',
      path: searchPathOf('floorcast_app').replaceAll(',', ', '),
      zone: 'UTC',
      statement: '7s',
      idle: '1min',
      check: '1s',
    },
  ])
})

test('a connection to a database that has begun to refuse writes is given up after its first refusal', async () => {
  const pool = openPool()
  const { clientId } = await makeClient(database)
  const scope = clientScope(pool, clientId)
  const rename = () => scope.write(writes => writes.updateTable('clients').set({ name: 'North' }).execute())
  await rename()
  const first = await sessionOf(pool)
  const client = await pool.connect()
  await client.query('set default_transaction_read_only to on')
  client.release()
  const refusal: unknown = await rename().catch((error: unknown) => error)
  expect(isConnectionError(refusal)).toBe(true)
  await rename()
  expect(await sessionOf(pool)).not.toBe(first)
})

test('a call whose connection went silent is refused as by a database that is away, and the next one is answered', async () => {
  const firewall = await openFirewall(url)
  const pool = openPool({ url: firewall.url, statementTimeoutMs: 1000 })
  const first = await sessionOf(pool)
  expect(firewall.forget()).toBe(2)
  const refusal: unknown = await sessionOf(pool).catch((error: unknown) => error)
  expect(isConnectionError(refusal)).toBe(true)
  expect(await sessionOf(pool)).not.toBe(first)
})
