import { type ClientBase, DatabaseError, type QueryConfig } from 'pg'
import { searchPathOf } from './client-views.ts'
import { setAll } from './keepalives.ts'
import type { DatabaseRole } from './roles.ts'

/*
 * What a connection has to be is set by its first statement and read back, not asked for in its startup packet: a pooler may leave out what
 * stands there (PgBouncer's `ignore_startup_parameters`), and the isolation of clients would be gone without a word. docs/decisions/0354.
 */

export interface SessionNeeds {
  role: DatabaseRole
  /** Further settings, such as `{ statement_timeout: 5000 }`. */
  settings?: Readonly<Record<string, string | number>>
  /** True for a standby's connections; all others are for a database that takes writes. */
  mayBeStandby?: boolean
}

/** A pooler between the server and PostgreSQL that does not keep what a connection has set. */
export class PoolerError extends Error {
  override name = 'PoolerError'
}

/** What to say of a pooler that hands the statements of one connection to several sessions. */
export const POOLS_TRANSACTIONS =
  'a pooler on the way gives the statements of one connection to several sessions of PostgreSQL, so that roles and the isolation of clients are lost. Set pool_mode = session in PgBouncer, or name PostgreSQL itself: docs/operate/postgresql-pair.md'

/** A new connection that gets no answer for so long is given up. */
const ANSWER_MS = 10_000

/** The state of PostgreSQL's own error for writes to a standby. */
const READ_ONLY = '25006'

/** True for an error of a database that takes no writes. */
export const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === READ_ONLY

/** @returns the error of a connection that ought to be to the primary */
export function standbyError(): DatabaseError {
  const error = new DatabaseError('the database is a standby and takes no writes', 0, 'error')
  error.code = READ_ONLY
  return error
}

interface SessionState {
  role: string
  searchPath: string
  isStandby: boolean
}

/** Sets and proves what a new connection needs. @throws PoolerError; DatabaseError 25006 for a standby, unless it may be one */
export async function prepareSession(
  client: ClientBase,
  { role, settings = {}, mayBeStandby = false }: SessionNeeds,
): Promise<void> {
  const searchPath = searchPathOf(role)
  const all = { timezone: "'UTC'", datestyle: "'ISO'", ...settings }
  const statements = [
    `set role ${role}`,
    `set search_path to ${searchPath}`,
    setAll(all),
    `select current_user::text as role, current_setting('search_path') as "searchPath", pg_is_in_recovery() as "isStandby"`,
  ]
  const query: QueryConfig & { query_timeout: number } = {
    text: statements.join('; '),
    query_timeout: ANSWER_MS,
  }
  const results: unknown = await client.query(query)
  const state = (results as { rows: SessionState[] }[]).at(-1)?.rows[0]
  if (state?.role !== role || state.searchPath.replaceAll(' ', '') !== searchPath)
    throw new PoolerError(`A connection has not taken the role ${role}: ${POOLS_TRANSACTIONS}`)
  if (state.isStandby && !mayBeStandby) throw standbyError()
}
