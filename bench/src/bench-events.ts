import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { addEvent, readEvents } from '@floorcast/server/features/client-events/client-events.ts'
import { lookAtConditions } from '@floorcast/server/features/conditions/conditions.ts'
import { storeHeartbeats } from '@floorcast/server/features/ingest/heartbeat-queries.ts'
import type { RequestContext } from '@floorcast/server/platform/auth/request-context.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { type Database, openDatabase } from '@floorcast/server/platform/database/database.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'
import { Pool } from 'pg'
import type { Bench } from './bench-types.ts'
import { sampleHeartbeat } from './sample-heartbeat.ts'

const CLIENTS = 100
const DEVICES = 10_000
const SECONDS = 5
const AT_ONCE = 8
/** Heartbeats of one statement. */
const BATCH = 64
const PAGE = 200
const EVENTS_READ = 100_000
const MINUTE_MS = 60_000
/** No full hour: plans and ads are looked at then. */
const START = new Date('2026-11-21T12:10:00Z')

interface Target {
  database: Database
  superuser: Pool
  scopes: readonly ClientScope[]
  devices: readonly { uid: string; clientId: string }[]
}

/** Clients with devices that have all just reported. */
async function fill(superuser: Pool): Promise<Target['devices']> {
  await superuser.query(
    `insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
     select gen_random_uuid(), 'Client ' || n, 'professional', '2099-01-01', now(), now() from generate_series(1, $1::int) n`,
    [CLIENTS],
  )
  await superuser.query(
    `insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
     select gen_random_uuid(), c.uid, 'audio', 'Device ' || n, gen_random_uuid()::text, now(), now()
     from clients c, generate_series(1, $1::int / $2::int) n`,
    [DEVICES, CLIENTS],
  )
  await superuser.query(
    'insert into device_states (device_uid, client_id) select uid, client_id from devices',
  )
  await superuser.query('analyze')
  const { rows } = await superuser.query<{ uid: string; clientId: string }>(
    'select uid, client_id as "clientId" from devices order by uid',
  )
  return rows
}

/** All devices report at a moment, and play on for a minute. */
const reportAll = ({ superuser }: Target, at: Date) =>
  superuser.query(
    `update device_states set last_contact_at = $1::timestamptz, overdue_at = $1::timestamptz + interval '199 seconds',
       now_playing = '{}', playing_until = $1::timestamptz + interval '1 day', volume = 70`,
    [at],
  )

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Looks minute after minute: while nothing changes, when all devices are late at once, and when they are back. */
async function measureLooks(target: Target) {
  let now = START
  const context = {
    database: target.database,
    files: undefined as never,
    log: makeLog('silent'),
    now: () => now,
  }
  const look = (minutes: number) => {
    now = new Date(now.getTime() + minutes * MINUTE_MS)
    return time(() => lookAtConditions(context))
  }
  const quiet: number[] = []
  for (let minute = 0; minute < 12; minute += 1) {
    await reportAll(target, now)
    quiet.push(await look(1))
  }
  const down = await look(4)
  const stayed = await look(1)
  await reportAll(target, now)
  const back = await look(1)
  return { lookQuiet: middle(quiet.slice(6)), lookDown: down, lookStayed: stayed, lookBack: back }
}

const EXPIRES = '2099-01-01T00:00:00.000Z'

const tell = (scope: ClientScope) =>
  scope.write(async writes => {
    addEvent(
      writes,
      { clientId: scope.clientId, at: START },
      { kind: 'subscription.ending', expiresAt: EXPIRES },
    )
    await Promise.resolve()
  })

/** How often work that several do at once is done in a second. */
async function rateOf(work: (nr: number) => Promise<unknown>, seconds = SECONDS): Promise<number> {
  const begun = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, nr) => {
      while (performance.now() - begun < seconds * 1000) {
        await work(nr)
        done += 1
      }
    }),
  )
  return (1000 * done) / (performance.now() - begun)
}

let beats = 0
const beat = ({ database, devices }: Target) => {
  const from = (beats++ * BATCH) % devices.length
  const receivedAt = new Date(START.getTime() + beats * 1000)
  return storeHeartbeats(
    database.ingest.statements,
    devices.slice(from, from + BATCH).map(({ uid: deviceUid, clientId }) => ({
      uid: uuidV7(),
      clientId,
      deviceUid,
      groupUid: null,
      receivedAt,
      heartbeat: { ...sampleHeartbeat, held: [] },
    })),
  )
}

/** Heartbeats a second alone, and while events are told as fast as they can be. */
async function measureIngest(target: Target) {
  await target.database.ingest.ensureDays(['2026-11-21', '2026-11-22'])
  const store = () => beat(target)
  await rateOf(store, 1)
  const alone = await rateOf(store)
  let isEnded = false
  const telling = (async () => {
    let told = 0
    for (; !isEnded; told += 1) await tell(target.scopes[told % CLIENTS] as ClientScope)
    return told / SECONDS
  })()
  const beside = await rateOf(store)
  isEnded = true
  return { ingestBeside: beside / alone, eventsBeside: await telling }
}

/** Reads the events of 30 days of a client, page by page. */
async function measureReading({ superuser, scopes }: Target) {
  const scope = scopes[0] as ClientScope
  await superuser.query(
    `insert into client_events (client_id, position, kind, at, device_count, device_uids, data)
     select $1, 1000000 + n, 'device.late', $2::timestamptz - interval '30 days' + n * interval '30 days' / $3, 3,
       array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid()], '{}' from generate_series(1, $3::int) n`,
    [scope.clientId, START, EVENTS_READ],
  )
  const ctx = { scope, session: { role: 'admin' } } as RequestContext
  let read = 0
  const took = await time(async () => {
    for (let page = { next: 1_000_000, hasMore: true }; page.hasMore;) {
      const events = await readEvents(ctx, { after: page.next, kind: undefined, size: PAGE })
      read += events.items.length
      page = events
    }
  })
  return { readRate: (1000 * read) / took }
}

async function measure(target: Target): Promise<Record<string, number>> {
  const looks = await measureLooks(target)
  const first = target.scopes[0] as ClientScope
  const oneClient = await rateOf(() => tell(first))
  const manyClients = await rateOf(nr => tell(target.scopes[nr] as ClientScope))
  return {
    ...looks,
    oneClient,
    manyClients,
    ...(await measureIngest(target)),
    ...(await measureReading(target)),
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
    const devices = await fill(superuser)
    const database = openDatabase({ url: postgres.url, lost: () => undefined })
    const scopes = [...new Set(devices.map(({ clientId }) => clientId))].map(id => database.forClient(id))
    const figures = await measure({ database, superuser, scopes, devices })
    await Promise.all([database.close(), superuser.end()])
    return figures
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'events',
  what: `Events of ${CLIENTS} clients with ${DEVICES} devices`,
  figures: {
    lookQuiet: { what: 'a look where nothing changes', unit: 'ms' },
    lookDown: { what: 'a look at which all devices are late', unit: 'ms' },
    lookStayed: { what: 'the look after it', unit: 'ms' },
    lookBack: { what: 'a look at which all are back', unit: 'ms' },
    oneClient: { what: `events of one client, ${AT_ONCE} transactions at once`, unit: '/s' },
    manyClients: { what: `the same of ${AT_ONCE} clients`, unit: '/s' },
    ingestBeside: {
      what: 'heartbeats stored beside one that tells as fast as it can',
      unit: '× of those alone',
    },
    eventsBeside: { what: 'events told beside them', unit: '/s' },
    readRate: { what: `events read of ${EVENTS_READ}, ${PAGE} a page`, unit: '/s' },
  },
  run,
}
export default bench
