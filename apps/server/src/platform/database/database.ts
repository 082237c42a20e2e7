import type { Pool } from 'pg'
import { type ClientScope, clientScope } from './client-scope.ts'
import {
  type AuthQueries,
  type MaintenanceDatabase,
  openAuthQueries,
  openMaintenanceDatabase,
} from './auth-queries.ts'
import { type Ingest, openIngest } from './ingest.ts'
import { openRolePool } from './role-pool.ts'

/*
 * The server's access to the database. Migrate first (migrations.ts), then:
 *
 *   const database = openDatabase({ url, lost })
 *   database.auth        before a client is known: user by email, session by token, register, …
 *   database.forClient   a ClientScope: one client's rows (client-scope.ts)
 *   database.ingest      devices' reports
 *   database.jobs        each client in turn
 *
 * Each has its own database role and pool. The pools are not exported.
 */

export interface Database {
  readonly auth: AuthQueries
  readonly ingest: Ingest
  readonly jobs: MaintenanceDatabase & { forClient(clientId: string): ClientScope }
  forClient(clientId: string): ClientScope
  /** Resolves when the database answers. For /health/ready. */
  ping(): Promise<void>
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The URL of the user that owns the schema and may take the roles. */
  url: string
  /** Called for each broken connection; the pools open new ones. */
  lost: (error: Error) => void
}

const CONNECTIONS = { app: 10, auth: 4, ingest: 4, jobs: 3 }
const SCOPES_KEPT = 1000

/** Opens the pools; they connect at their first use. */
export function openDatabase({ url, lost }: DatabaseOptions): Database {
  const app = openRolePool({ url, role: 'floorcast_app', connections: CONNECTIONS.app, lost })
  const auth = openRolePool({ url, role: 'floorcast_auth', connections: CONNECTIONS.auth, lost })
  const ingest = openRolePool({ url, role: 'floorcast_ingest', connections: CONNECTIONS.ingest, lost })
  const jobs = openRolePool({ url, role: 'floorcast_jobs', connections: CONNECTIONS.jobs, lost })
  let closing: Promise<unknown> | null = null
  return {
    auth: openAuthQueries(auth),
    ingest: openIngest(ingest),
    jobs: { ...openMaintenanceDatabase(jobs), forClient: clientId => clientScope(jobs, clientId) },
    forClient: cacheScopes(app),
    ping: async () => void (await app.query('select 1')),
    close: async () => {
      closing ??= Promise.all([app, auth, ingest, jobs].map(pool => pool.end()))
      await closing
    },
  }
}

/** Caches the scopes of clients, which have no state. */
function cacheScopes(pool: Pool): (clientId: string) => ClientScope {
  const kept = new Map<string, ClientScope>()
  return clientId => {
    const found = kept.get(clientId)
    if (found) return found
    if (kept.size >= SCOPES_KEPT) kept.clear()
    const scope = clientScope(pool, clientId)
    kept.set(clientId, scope)
    return scope
  }
}
