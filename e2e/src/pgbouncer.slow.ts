import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert } from '@floorcast/contract/alerts.ts'
import { addDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { Fleet } from '@floorcast/fleet/fleet.ts'
import { reachDatabase } from '@floorcast/server/platform/database/reach-database.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { type DebianCluster, makeDebianCluster, makeRoles } from '@floorcast/testing/debian-postgres.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { openFirewall } from '@floorcast/testing/firewall.ts'
import { startPgbouncer } from '@floorcast/testing/pgbouncer.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createdUid, newEmail, owner, registerOwner, type SignedInClient } from './client-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-pooled-'))
chmodSync(folder, 0o711)
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

let cluster: DebianCluster
let poolers = 0
const startPooler = (database: string, settings: Record<string, string>) =>
  startPgbouncer({
    url: cluster.urlOf('floorcast', database),
    settings,
    folder: join(folder, `pooler-${++poolers}`),
  })

beforeAll(async () => {
  cluster = await makeDebianCluster(join(folder, 'postgres'), ['floorcast', 'empty'])
  atTheEnd(async () => cluster.stop())
  await makeRoles(cluster, 'floorcast')
})

async function startServer(pooled: string): Promise<string> {
  // Servers of one installation have one key, which is there.
  const shared = { DATA_DIR: join(folder, 'server') }
  const program = startServerProgram({ ...shared, DATABASE_URL: pooled, DATABASE_READ_URL: pooled })
  return (await program.until(/^Floorcast is at (\S+)/))[1] ?? ''
}

async function addShop({ call }: SignedInClient): Promise<string> {
  const params = { contentType: 'audio' } as const
  const id = createdUid(await call(addDevice, { params, body: { name: 'Till' } }))
  return (await call(readDevice, { params: { id } })).licenseKey ?? ''
}

const listed = async ({ call }: SignedInClient) => (await call(listDevices, { query: {} })).total

describe.each([
  { settings: {}, name: 'of sessions' },
  {
    settings: { ignore_startup_parameters: 'options,extra_float_digits', server_round_robin: '1' },
    name: 'of sessions that leaves out what a connection begins with',
  },
])('a pooler $name', ({ settings }) => {
  test('serves two servers: clients are apart, an alert of one is heard at the other, reports are read', async () => {
    const pooled = await startPooler('floorcast', settings)
    const [one, other] = [await startServer(pooled), await startServer(pooled)]
    const [olga, rita] = [
      await registerOwner(one, { ...owner, email: newEmail('olga') }),
      await registerOwner(other, { ...owner, email: newEmail('rita') }),
    ]
    const licenseKeys = [await addShop(olga)]
    expect([await listed(olga), await listed(rita)]).toEqual([1, 0])
    const onRefused = (_: number, error: unknown) => {
      throw error
    }
    const fleet = new Fleet({ server: other, licenseKeys, speed: 1, heartbeatSeconds: 5, onRefused })
    atTheEnd(() => fleet.stop())
    await fleet.start()
    await eventually(() => expect(fleet.metrics.connected).toBe(1))
    await olga.call(beginAlert, { params: { uid: 'all', alerttype: 'air' }, query: {} })
    await eventually(() => expect(fleet.metrics.alerts.count).toBe(1))
    const today = new Date().toISOString().slice(0, 10)
    const params = { from: today, to: today, zone: 'UTC' }
    const reports = await Promise.all(
      [olga, rita].map(({ call }) => call(reportCalls.alert1.preview, { params })),
    )
    expect(reports.map(({ rows }) => rows.length)).toEqual([1, 0])
    await fleet.stop()
  })
})

test.each<Record<string, string>>([
  { pool_mode: 'transaction' },
  { pool_mode: 'transaction', ignore_startup_parameters: 'options,extra_float_digits' },
  { pool_mode: 'transaction', server_round_robin: '1', min_pool_size: '2' },
  { pool_mode: 'transaction', server_round_robin: '1', min_pool_size: '5' },
  { pool_mode: 'statement' },
])(
  'the start refuses a pooler by which roles would be lost, before it changes anything: %j',
  async settings => {
    const pooled = await startPooler('empty', settings)
    const byWrites = startServerProgram({ DATABASE_URL: pooled })
    const direct = cluster.urlOf('floorcast', 'empty')
    const byReads = startServerProgram({ DATABASE_URL: direct, DATABASE_READ_URL: pooled })
    for (const [name, program] of Object.entries({ DATABASE_URL: byWrites, DATABASE_READ_URL: byReads })) {
      expect(await program.ended).toBe(1)
      const said = program.said.join('\n')
      expect(said).toMatch(`Floorcast could not start: ${name} (floorcast@127.0.0.1`)
      expect(said).toContain('Set pool_mode = session in PgBouncer')
    }
    const { rows } = await asSuperuser(cluster.urlOf('postgres', 'empty'), superuser =>
      superuser.query("select relname from pg_class where relnamespace = 'public'::regnamespace"),
    )
    expect(rows).toEqual([])
  },
)

test('each of several servers that start at once refuses it, whichever takes which session', async () => {
  const pooled = await startPooler('empty', { pool_mode: 'transaction' })
  const log = makeLog('silent')
  for (let round = 0; round < 8; round += 1) {
    const starts = Array.from({ length: 4 }, () => reachDatabase(pooled, { maySuperuser: false, log }))
    for (const start of await Promise.allSettled(starts))
      expect(start).toMatchObject({ status: 'rejected', reason: { name: 'PoolerError' } })
  }
})

test('a standby that was away at the start is not read through such a pooler once it is there', async () => {
  const line = await openFirewall(await startPooler('floorcast', { pool_mode: 'transaction' }), {
    isShut: true,
  })
  const program = startServerProgram({
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: cluster.urlOf('floorcast', 'floorcast'),
    DATABASE_READ_URL: line.url,
  })
  await program.until(/^Floorcast is at/)
  expect(program.said.join('\n')).toContain('the standby does not answer')
  line.isShut = false
  await program.until(
    /DATABASE_READ_URL .*Set pool_mode = session.*"the standby is not read until the next start"/,
  )
})
