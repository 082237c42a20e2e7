import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { Pool } from 'pg'
import { type Bench, numberOption } from './bench-types.ts'
import { percentile } from './percentile.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CLIENTS = 200
const TOKEN = 'a-token-of-monitors'
const STATEMENTS = new URL('statement-lines.ts', import.meta.url).href
/** Servers that are started one after another: only the first scrape of one asks for everything. */
const COLD_ROUNDS = 5
const WARM_ROUNDS = 200

/** Devices of many clients, most of them online, with commands that wait; written past row-level security. */
async function fill(superuser: Pool, devices: number): Promise<void> {
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
    [Math.ceil(devices / CLIENTS)],
  )
  await superuser.query(
    `insert into device_states (device_uid, client_id, last_contact_at, overdue_at, program_version)
     select uid, client_id, now() - random() * interval '70 minutes', now() + interval '1 hour', '2.' || (random() * 20)::int
     from devices`,
  )
  await superuser.query('vacuum analyze')
}

interface Scrape {
  ms: number
  bytes: number
  statements: number
}

/** Scrapes once. @param log the file into which the server writes its statements */
async function scrape(url: string, log: string): Promise<Scrape> {
  writeFileSync(log, '')
  const begun = performance.now()
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await answer.text()
  const ms = performance.now() - begun
  const unread = text.split('\n').filter(line => /^floorcast_figures_up\{.*\} 0$/.test(line))
  if (answer.status !== 200 || unread.length > 0) throw new Error(`${answer.status} ${unread.join()}`)
  // The server's own samples have others.
  const statements = readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => /jobs_queue_figures|jobs_fleet_figures|jobs_some_files|clock_timestamp/.test(line))
  return { ms, bytes: text.length, statements: statements.length }
}

async function measure(start: () => Promise<ServerProcess>, log: string): Promise<Record<string, number>> {
  const cold: Scrape[] = []
  let warm: Scrape[] = []
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    const server = await start()
    try {
      cold.push(await scrape(server.url, log))
      warm = []
      if (round === COLD_ROUNDS - 1)
        for (let turn = 0; turn < WARM_ROUNDS; turn += 1) warm.push(await scrape(server.url, log))
    } finally {
      await server.stop()
    }
  }
  const ms = (scrapes: readonly Scrape[], share: number) => {
    const times = scrapes.map(each => each.ms)
    return percentile(
      times.toSorted((one, other) => one - other),
      share,
    )
  }
  return {
    firstMs: ms(cold, 0.5),
    firstStatements: Math.max(...cold.map(({ statements }) => statements)),
    nextMs: ms(warm, 0.5),
    nextMsSlow: ms(warm, 0.99),
    nextStatements: warm.reduce((sum, { statements }) => sum + statements, 0) / warm.length,
    kilobytes: (cold[0]?.bytes ?? 0) / 1000,
  }
}

/** Milliseconds of a statement of a scrape, in the database alone. */
async function timeStatement(superuser: Pool, statement: string): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const begun = performance.now()
    await superuser.query(statement)
    times.push(performance.now() - begun)
  }
  return percentile(
    times.toSorted((one, other) => one - other),
    0.5,
  )
}

const bench: Bench = {
  name: 'scrape',
  what: 'What a monitor costs that reads /metrics, with 10,000 devices of 200 clients (--devices)',
  numbers: ['--devices'],
  figures: {
    firstMs: { what: 'A scrape that asks for everything', unit: 'ms', atMost: 1000 },
    firstStatements: { what: 'Its statements', unit: '', atMost: 6 },
    fleetMs: { what: 'Of these, the look at each device, once a minute', unit: 'ms', atMost: 200 },
    queuesMs: { what: 'Of these, the queues, once in ten seconds', unit: 'ms', atMost: 20 },
    nextMs: { what: 'A scrape within ten seconds', unit: 'ms', atMost: 20 },
    nextMsSlow: { what: 'The slowest of a hundred of them', unit: 'ms' },
    nextStatements: { what: 'Its statements', unit: '', atMost: 1 },
    kilobytes: { what: 'The answer', unit: 'kB', atMost: 100 },
  },
  async run(args) {
    const folder = mkdtempSync(join(tmpdir(), 'floorcast-scrape-'))
    const postgres = await startEmbeddedPostgres({ dataDir: folder })
    const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
    const superuser = new Pool({ connectionString: superuserUrl, max: 1 })
    superuser.on('error', () => undefined)
    try {
      await migrateDatabase(postgres.url)
      await fill(superuser, numberOption(args, '--devices', 10_000))
      const log = join(folder, 'statements')
      const environment = {
        METRICS_TOKEN: TOKEN,
        STATEMENTS_FILE: log,
        NODE_OPTIONS: `--import ${STATEMENTS}`,
      }
      const figures = await measure(() => startServer(folder, postgres.url, { environment }), log)
      return {
        ...figures,
        fleetMs: await timeStatement(superuser, 'select * from jobs_fleet_figures(now())'),
        queuesMs: await timeStatement(superuser, 'select * from jobs_queue_figures()'),
      }
    } finally {
      await superuser.end()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
export default bench
