import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import {
  debianPostgres,
  makeDebianCluster,
  makeRoles,
  makeStandby,
  startDebianCluster,
} from '@floorcast/testing/debian-postgres.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { MONITOR_TOKEN, type Prometheus, readAlarms, startPrometheus } from '@floorcast/testing/prometheus.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '../platform/database/migrations.ts'

/* The alarms of PostgreSQL itself: a Debian cluster with a standby, and an embedded one whose queue of NOTIFY is small. */

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-database-alarms-'))
// The user postgres passes through.
chmodSync(scratch, 0o711)
atTheEnd(async () => rmSync(scratch, { recursive: true, force: true }))

/** A server pools about ten connections. */
const MAX_CONNECTIONS = 40
/** The least that PostgreSQL takes. */
const NOTIFY_PAGES = 64
const PAGE_BYTES = 8192

/** A server on a database, watched by a Prometheus. */
async function startWatched(databaseUrl: string): Promise<Prometheus> {
  const port = await freePort()
  const settings = { DATABASE_URL: databaseUrl, PORT: String(port), METRICS_TOKEN: MONITOR_TOKEN }
  await startServerProgram(settings).until(/^Floorcast is at/)
  return startPrometheus([port])
}

/** The command of the page that lets the lag be seen. */
const grant = /`(grant pg_monitor [^`]*)`/.exec(
  readFileSync(new URL('../../../../docs/operate/alarms.md', import.meta.url), 'utf8'),
)?.[1]

async function startReplicated() {
  const settings = { max_connections: String(MAX_CONNECTIONS) }
  const primary = await makeDebianCluster(join(scratch, 'primary'), ['floorcast'], settings)
  atTheEnd(async () => primary.stop())
  await makeRoles(primary, 'floorcast')
  const url = primary.urlOf('floorcast', 'floorcast')
  await migrateDatabase(url)
  const adminUrl = primary.urlOf('postgres', 'floorcast')
  await asSuperuser(adminUrl, superuser => superuser.query(grant ?? ''))
  const standby = await makeStandby(primary, join(scratch, 'standby'))
  const running = { standby }
  atTheEnd(async () => running.standby.stop())
  return { adminUrl, running, prometheus: await startWatched(url) }
}

let replicated: Awaited<ReturnType<typeof startReplicated>>
beforeAll(async () => {
  if (debianPostgres !== undefined) replicated = await startReplicated()
})

/** The value of a figure of the one server. */
const figure = async ({ ask }: Prometheus, name: string) =>
  [...(await ask(`floorcast_database_${name}`)).values()][0]

const execute = (url: string, statement: string) => asSuperuser(url, superuser => superuser.query(statement))

/** A base backup in its middle, until `work` ends: nobody reads what it sends. */
async function duringBaseBackup(url: string, work: () => Promise<unknown>): Promise<void> {
  const options = ['--pgdata=-', '--format=tar', '--wal-method=none', '--checkpoint=fast', `--dbname=${url}`]
  const child = spawn(join(debianPostgres ?? '', 'pg_basebackup'), options, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    await work()
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

test.skipIf(debianPostgres === undefined)(
  'a standby that follows is counted, a base backup is none, and neither makes an alarm fire',
  async () => {
    const { adminUrl, prometheus } = replicated
    await prometheus.until(async () => {
      expect(await figure(prometheus, 'standbys')).toBe(1)
      expect(await figure(prometheus, 'replication_lag_seconds')).toBeLessThan(60)
      expect(await prometheus.firing()).toEqual(['FloorcastBackupOld'])
    })
    await duringBaseBackup(adminUrl, async () => {
      const senders = "select state from pg_stat_replication where state = 'backup'"
      await prometheus.until(async () => expect((await execute(adminUrl, senders)).rowCount).toBe(1))
      // The figures are read together, each ten seconds: these have what was written after the backup had begun.
      await execute(
        adminUrl,
        "insert into maintenance_runs (began_at, ended_at, failures) values (now(), now() + interval '1 hour', 0)",
      )
      await prometheus.until(async () => {
        const [endedAt] = (await prometheus.ask('floorcast_maintenance_last_run_timestamp_seconds')).values()
        expect(endedAt).toBeGreaterThan(Date.now() / 1000 + 1800)
      })
      expect(await figure(prometheus, 'standbys')).toBe(1)
    })
  },
)

/** Each alarm with what makes it fire, in an order in which none stands in the way of the next one. */
const faults: Record<string, () => Promise<unknown>> = {
  async FloorcastReplicationLag() {
    const { adminUrl, running, prometheus } = replicated
    const standbyUrl = running.standby.urlOf('postgres', 'floorcast')
    await execute(standbyUrl, 'select pg_wal_replay_pause()')
    await prometheus.untilFiring('FloorcastReplicationLag', () =>
      execute(adminUrl, "select pg_logical_emit_message(true, 'lag', repeat('x', 1000))"),
    )
    await execute(standbyUrl, 'select pg_wal_replay_resume()')
    await prometheus.untilQuiet('FloorcastReplicationLag')
  },
  async FloorcastStandbyLost() {
    const { running, prometheus } = replicated
    const { folder } = running.standby
    const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await prometheus.untilFiring('FloorcastStandbyLost')
    running.standby = await startDebianCluster(folder)
    await prometheus.untilQuiet('FloorcastStandbyLost')
  },
  async FloorcastDatabaseConnections() {
    const { adminUrl, prometheus } = replicated
    const others: Client[] = []
    await prometheus.untilFiring('FloorcastDatabaseConnections', async () => {
      const { rows } = await execute(adminUrl, 'select sum(numbackends)::int as used from pg_stat_database')
      const [{ used }] = rows as [{ used: number }]
      // As many as leave some to the server.
      for (let count = used; count < 0.95 * MAX_CONNECTIONS - 1; count += 1) {
        const other = new Client({ connectionString: adminUrl })
        await other.connect()
        others.push(other)
      }
    })
    await Promise.all(others.map(other => other.end()))
    await prometheus.untilQuiet('FloorcastDatabaseConnections')
  },
  async FloorcastNotifyQueue() {
    const parameters = { max_notify_queue_pages: String(NOTIFY_PAGES), fsync: 'off' }
    const dataDir = join(scratch, 'embedded')
    const postgres = await startEmbeddedPostgres({ dataDir, parameters })
    atTheEnd(() => postgres.stop())
    const prometheus = await startWatched(postgres.url)
    const listener = new Client({ connectionString: postgres.superuserUrl })
    await listener.connect()
    await listener.query('listen a_channel')
    await listener.query('begin')
    // Each takes nearly a page.
    await execute(
      postgres.superuserUrl,
      `select pg_notify('a_channel', n || repeat('x', ${PAGE_BYTES - 300})) from generate_series(1, ${NOTIFY_PAGES / 2}) n`,
    )
    await prometheus.untilFiring('FloorcastNotifyQueue')
    await listener.query('commit')
    await prometheus.untilQuiet('FloorcastNotifyQueue')
    await listener.end()
  },
}

test('each alarm of PostgreSQL has a fault that makes it fire', () => {
  expect(Object.keys(faults).toSorted()).toEqual(readAlarms().ofDatabase)
})

test.skipIf(debianPostgres === undefined).each(Object.entries(faults))('%s fires', async (_, make) => {
  await make()
})
