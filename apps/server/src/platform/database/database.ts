import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { CountStore } from '../lib/count-limit.ts'
import { type ClientScope, clientScope } from './client-scope.ts'
import { ASK_FOR_ISOLATION } from './client-views.ts'
import { type ArchiveScopes, type CopyScope, copyScope, openArchives, primarySource } from './copy-scope.ts'
import { openCountStore, purgeCounts } from './count-queries.ts'
import {
  type AuthQueries,
  type MaintenanceDatabase,
  openAuthQueries,
  openMaintenanceDatabase,
} from './auth-queries.ts'
import { type Ingest, openIngest } from './ingest.ts'
import {
  type JobRunQueries,
  openJobRunQueries,
  openOperatorAccounts,
  openWorkQueries,
  type OperatorAccounts,
  type WorkQueries,
} from './jobs-queries.ts'
import { type DeliveryQueries, openDeliveryQueries } from './delivery-queries.ts'
import { type MailQueries, openMailQueries } from './mail-queries.ts'
import { openOperatorQueries, type OperatorQueries } from './operator-queries.ts'
import { PoolerError, POOLS_TRANSACTIONS } from './prepare-session.ts'
import { openRolePool, turnsOf } from './role-pool.ts'
import { Standby, type StandbyParts, type StandbyState } from './standby.ts'
import { openWatchQueries, type PoolState, poolStateOf, type WatchQueries } from './watch-queries.ts'

/*
 * The server's access to the database. Migrate first (migrations.ts), then:
 *
 *   const database = openDatabase({ url, lost })
 *   database.auth        before a client is known: user by email, session by token, register, …
 *   database.counts      what is counted to protect secrets, by all servers together
 *   database.forClient   a ClientScope: one client's rows (client-scope.ts), for calls of users
 *   database.devices     the same for devices: manifests, files, channels
 *   database.reports     the same for what heartbeats and plays read
 *   database.exports     the same for rows that are streamed into files (copy-scope.ts)
 *   database.archived    the same for what reads plays of the archive beside those of the database (overlay.ts)
 *   database.archiving   the same for jobs that read or move them
 *   database.alerts      the same and authentication for alerts
 *   database.ingest      devices' reports
 *   database.mails       links by mail for users who cannot sign in, and the queue of mails
 *   database.jobs        each client in turn; `runs` says when a job ran, `operators` makes operators, `dueFiles` are noted
 *   database.operators   the sign-in of operators and what they see: names and counts of clients
 *   database.watch       counts and ages over all clients, for monitors
 *
 * Each has its own connections, so that no kind of work waits for another's. The pools are not exported.
 */

interface Scopes {
  forClient(clientId: string): ClientScope
}

export interface Database extends ArchiveScopes {
  readonly auth: AuthQueries
  readonly counts: CountStore
  readonly ingest: Ingest
  readonly mails: MailQueries
  readonly deliveries: DeliveryQueries
  readonly jobs: MaintenanceDatabase &
    WorkQueries &
    Scopes & {
      readonly runs: JobRunQueries
      readonly operators: OperatorAccounts
      purgeCounts: (at: Date, max: number) => Promise<number>
    }
  readonly operators: OperatorQueries
  readonly devices: Scopes
  readonly reports: Scopes
  readonly exports: { forClient(clientId: string): CopyScope }
  readonly alerts: Scopes & { readonly auth: AuthQueries }
  forClient(clientId: string): ClientScope
  readonly watch: WatchQueries
  /** The standby that reports read; null: there is none. */
  standbyState(): StandbyState | null
  /** Proves on a connection of each pool for rows of clients that it shows those of one client. @throws Error */
  proveIsolation(): Promise<void>
  /** Resolves when the database answers, also on the connections that wait for alerts. For /health/ready. */
  ping(): Promise<DatabaseState>
  poolStates(): PoolState[]
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseState {
  /** Its clock: ISO 8601. */
  at: string
  /** The last migration that it has; null if it is older than the function that says it. */
  migration: string | null
}

export interface DatabaseOptions {
  /** The URL of the user that owns the schema and may take the roles. */
  url: string
  /** Called for each broken connection; the pools open new ones. */
  lost: (error: Error) => void
  /** The standby of DATABASE_READ_URL, which reports read. */
  standby?: (Pick<StandbyParts, 'prove' | 'maxAgeMs' | 'server' | 'log'> & { url: string }) | false
  /** Called when PostgreSQL did not take notices to consoles. They are sent again. */
  unsent?: (error: unknown) => void
}

const SECOND_MS = 1000

/**
 * 39 connections; the bus has one more. Five further ones are opened where days are in the archive, and up to six to a standby. Each kind of report has its own batch, and so have sessions. One client never
 * has all connections of users' or devices' calls, or of reports that read the archive. Statements end before the caller's patience does; maintenance has time.
 */
const POOLS = {
  app: {
    role: 'floorcast_app',
    connections: 10,
    // The overview uses two, and one of `auth`. Without them its first figures after a minute's pause took twice as long.
    keptConnections: 2,
    connectionsAClient: 5,
    statementTimeoutMs: 20 * SECOND_MS,
  },
  devices: {
    role: 'floorcast_app',
    name: 'floorcast_devices',
    connections: 4,
    connectionsAClient: 3,
    statementTimeoutMs: 10 * SECOND_MS,
  },
  reports: {
    role: 'floorcast_app',
    name: 'floorcast_reports',
    connections: 2,
    statementTimeoutMs: 10 * SECOND_MS,
  },
  // Reports and previews have the same number of slots (heavy-calls.ts). A file may go to a slow reader.
  exports: {
    role: 'floorcast_app',
    name: 'floorcast_exports',
    connections: 5,
    pipeline: false,
    statementTimeoutMs: 1800 * SECOND_MS,
  },
  archived: {
    role: 'floorcast_app',
    name: 'floorcast_archived',
    connections: 3,
    connectionsAClient: 2,
    pipeline: false,
    statementTimeoutMs: 600 * SECOND_MS,
  },
  // One moves plays, and another one counts them.
  archiving: {
    role: 'floorcast_jobs',
    name: 'floorcast_archiving',
    connections: 2,
    pipeline: false,
    statementTimeoutMs: 1800 * SECOND_MS,
  },
  // As many as exports, and one that looks how old the rows are.
  standby: {
    role: 'floorcast_app',
    name: 'floorcast_standby',
    connections: 6,
    pipeline: false,
    mayBeStandby: true,
    statementTimeoutMs: 1800 * SECOND_MS,
  },
  alerts: {
    role: 'floorcast_app',
    name: 'floorcast_alerts',
    connections: 2,
    // Alerts are rare: without kept connections each would wait until new ones are open.
    keptConnections: 1,
    statementTimeoutMs: 5 * SECOND_MS,
  },
  alertsAuth: {
    role: 'floorcast_auth',
    name: 'floorcast_alerts_auth',
    connections: 1,
    keptConnections: 1,
    statementTimeoutMs: 5 * SECOND_MS,
  },
  auth: {
    role: 'floorcast_auth',
    connections: 4,
    keptConnections: 1,
    statementTimeoutMs: 10 * SECOND_MS,
  },
  ingest: { role: 'floorcast_ingest', connections: 6, statementTimeoutMs: 15 * SECOND_MS },
  jobs: { role: 'floorcast_jobs', connections: 3, statementTimeoutMs: 600 * SECOND_MS },
  operators: { role: 'floorcast_operator', connections: 2, statementTimeoutMs: 15 * SECOND_MS },
} as const
const SCOPES_KEPT = 1000

/** Opens the pools; they connect at their first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const opened = new Map<keyof typeof POOLS, Pool>()
  const open = (pool: keyof typeof POOLS, url = options.url) => {
    const rolePool = openRolePool({ url, lost: options.lost, ...POOLS[pool] })
    opened.set(pool, rolePool)
    return rolePool
  }
  const [app, jobs, auth] = [open('app'), open('jobs'), open('auth')]
  const primary = primarySource(open('exports'))
  const standby = options.standby
    ? new Standby({ ...options.standby, standby: open('standby', options.standby.url), primary, jobs })
    : null
  const [alerts, alertsAuth] = [open('alerts'), open('alertsAuth')]
  const ingest = openIngest(open('ingest'), { onFailure: options.unsent ?? (() => undefined) })
  let closing: Promise<unknown> | null = null
  return {
    auth: openAuthQueries(auth),
    counts: openCountStore(auth),
    mails: openMailQueries({ auth, jobs }),
    deliveries: openDeliveryQueries(jobs),
    ingest,
    jobs: {
      ...openMaintenanceDatabase(jobs),
      runs: openJobRunQueries(jobs),
      operators: openOperatorAccounts(jobs),
      purgeCounts: (at, max) => purgeCounts(jobs, at, max),
      ...openWorkQueries(jobs),
      forClient: clientId => clientScope(jobs, clientId),
    },
    operators: openOperatorQueries(open('operators')),
    devices: { forClient: cacheScopes(open('devices')) },
    reports: { forClient: cacheScopes(open('reports')) },
    exports: { forClient: clientId => copyScope({ source: standby ?? primary, primary }, clientId) },
    ...openArchives({ archived: open('archived'), archiving: open('archiving') }),
    alerts: { forClient: cacheScopes(alerts), auth: openAuthQueries(alertsAuth) },
    forClient: cacheScopes(app),
    watch: openWatchQueries(jobs),
    proveIsolation: async () => {
      const pools = [...opened].filter(([name]) => name !== 'standby' && POOLS[name].role === 'floorcast_app')
      await Promise.all(pools.map(([, pool]) => proveIsolation(pool)))
    },
    ping: async () => {
      const [state] = await Promise.all([
        readState(app),
        ...[alerts, alertsAuth].map(pool => pool.query('select 1')),
      ])
      return state
    },
    standbyState: () => standby?.state ?? null,
    poolStates: () => [...opened].map(([name, pool]) => poolStateOf(name, pool, turnsOf(pool))),
    close: async () => {
      standby?.close()
      closing ??= ingest.close().then(() => Promise.all([...opened.values()].map(pool => pool.end())))
      await closing
    },
  }
}

async function proveIsolation(pool: Pool): Promise<void> {
  const nobody = randomUUID()
  const { rows } = await ASK_FOR_ISOLATION.execute(clientScope(pool, nobody).reads)
  const [seen] = rows
  if (seen?.clientId === nobody && seen.isActive && !seen.hasRows) return
  throw new PoolerError(`A connection does not keep the rows of clients apart: ${POOLS_TRANSACTIONS}`)
}

const UNDEFINED_FUNCTION = '42883'

async function readState(pool: Pool): Promise<DatabaseState> {
  try {
    const { rows } = await pool.query<DatabaseState>(
      'select clock_timestamp() as at, newest_migration() as migration',
    )
    return rows[0] ?? { at: '', migration: null }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNDEFINED_FUNCTION)) throw error
    const { rows } = await pool.query<{ at: string }>('select clock_timestamp() as at')
    return { at: rows[0]?.at ?? '', migration: null }
  }
}

/** Caches the scopes of clients, which have no state. */
function cacheScopes(pool: Pool): (clientId: string) => ClientScope {
  const scopes = new LRUCache<string, ClientScope>({
    max: SCOPES_KEPT,
    memoMethod: clientId => clientScope(pool, clientId),
  })
  return clientId => scopes.memo(clientId)
}
