import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { clientScope, scopedKysely } from '@floorcast/server/platform/database/client-scope.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { openRolePool } from '@floorcast/server/platform/database/role-pool.ts'
import { Pool } from 'pg'
import type { Bench } from './bench-types.ts'
import type { Tables } from '@floorcast/server/database/tables.ts'
import { devicePage, plainKysely } from './scope-queries.ts'

const CLIENTS = 50
const DEVICES = 200
const READS = 1500
const ROUNDS = 5

/** Clients with devices and their states, written past row-level security. */
async function fill(superuser: Pool): Promise<string[]> {
  await superuser.query(
    `insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
     select gen_random_uuid(), 'Client ' || n, 'professional', now() + interval '1 year', now(), now()
     from generate_series(1, $1::int) n`,
    [CLIENTS],
  )
  await superuser.query(
    `insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
     select gen_random_uuid(), c.uid, 'audio', 'Device ' || n, gen_random_uuid()::text, now(), now()
     from clients c, generate_series(1, $1::int) n`,
    [DEVICES],
  )
  await superuser.query(
    'insert into device_states (device_uid, client_id) select uid, client_id from devices',
  )
  await superuser.query('analyze')
  const { rows } = await superuser.query<{ uid: string }>('select uid from clients')
  return rows.map(row => row.uid)
}

/** Milliseconds of a read with this number of concurrent reads. */
async function timeReads(atOnce: number, read: (nr: number) => Promise<unknown>): Promise<number> {
  let nr = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (nr < READS) await read(nr++)
    }),
  )
  return (performance.now() - startedAt) / READS
}

const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

interface Addresses {
  url: string
  superuserUrl: string
}

interface Ratios {
  /** The ratio to plain Kysely, which plans every statement. */
  plain: number
  /** The ratio to statements that are planned once, like the scope's: the cost of row-level security. */
  planned: number
}

async function compare({ url, superuserUrl }: Addresses, connections: number): Promise<Ratios> {
  const rolePool = openRolePool({ url, role: 'floorcast_app', connections, lost: () => undefined })
  const plainPool = new Pool({ connectionString: superuserUrl, max: connections })
  plainPool.on('error', () => undefined)
  try {
    const { rows } = await plainPool.query<{ uid: string }>('select uid from clients')
    const ids = rows.map(row => row.uid)
    const scopes = ids.map(id => clientScope(rolePool, id))
    const plain = plainKysely(plainPool)
    const at = (nr: number) => nr % ids.length
    const planned = scopedKysely<Tables>(plainPool, null, 'statements')
    const ratios: Ratios[] = []
    // Each round measures both, so that other load of the machine affects both.
    for (let round = 0; round <= ROUNDS; round++) {
      const without = await timeReads(connections, nr =>
        devicePage(plain)
          .where('devices.clientId', '=', String(ids[at(nr)]))
          .execute(),
      )
      const once = await timeReads(connections, nr =>
        devicePage(planned)
          .where('devices.clientId', '=', String(ids[at(nr)]))
          .execute(),
      )
      const within = await timeReads(connections, nr => {
        const scope = scopes[at(nr)]
        return scope ? devicePage(scope.reads).execute() : Promise.reject(new Error('No such client'))
      })
      console.error(
        `${connections} connections: ${without.toFixed(3)} ms without, ${once.toFixed(3)} planned once, ${within.toFixed(3)} ms in the scope`,
      )
      // The first round warms connections and plans.
      if (round > 0) ratios.push({ plain: within / without, planned: within / once })
    }
    return { plain: middle(ratios.map(r => r.plain)), planned: middle(ratios.map(r => r.planned)) }
  } finally {
    await Promise.all([rolePool.end(), plainPool.end()])
  }
}

async function run(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrateDatabase(postgres.url)
    const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
    const superuser = new Pool({ connectionString: superuserUrl })
    superuser.on('error', () => undefined)
    await fill(superuser)
    await superuser.end()
    const addresses = { url: postgres.url, superuserUrl }
    const [one, eight] = [await compare(addresses, 1), await compare(addresses, 8)]
    return {
      ratioAtOne: one.plain,
      ratioAtEight: eight.plain,
      plannedAtOne: one.planned,
      plannedAtEight: eight.planned,
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'scope',
  what: 'A read through the client scope beside the same by plain Kysely without row-level security',
  figures: {
    ratioAtOne: { what: 'time a read, 1 connection', unit: '×' },
    ratioAtEight: { what: 'time a read, 8 connections', unit: '×', atMost: 1.2 },
    plannedAtOne: { what: 'the same beside statements planned once, 1 connection', unit: '×' },
    plannedAtEight: { what: 'the same beside statements planned once, 8 connections', unit: '×' },
  },
  run,
}
export default bench
