import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient, QueryResult } from 'pg'

const SET_CLIENT = { name: 'set-client', text: "select set_config('app.client_id', $1, true)" }
/** Texts differ by the lengths of their lists: beyond so many in one connection they are sent without a name. */
const NAMED_STATEMENTS = 400
const CACHED_NAMES = 5000

const names = new Map<string, string>()
const preparedBy = new WeakMap<PoolClient, Set<string>>()

/** A statement with a name made from its text, so that a connection parses and plans it once. */
function named(client: PoolClient, text: string, values: readonly unknown[]) {
  let name = names.get(text)
  if (!name) {
    if (names.size >= CACHED_NAMES) names.clear()
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  const prepared = preparedBy.get(client) ?? new Set<string>()
  preparedBy.set(client, prepared)
  if (!prepared.has(name) && prepared.size >= NAMED_STATEMENTS) return { text, values: [...values] }
  prepared.add(name)
  return { name, text, values: [...values] }
}

/** The statement's answer once everything sent with it has ended; the first failure in the order of sending is thrown. */
async function settled<T>(
  statement: Promise<T>,
  around: { before: Promise<unknown>[]; after?: Promise<unknown>[] },
): Promise<T> {
  // All are awaited, whatever fails first: a promise nobody waits for would end the process when it rejects.
  const [before, [answer], after] = await Promise.all([
    Promise.allSettled(around.before),
    Promise.allSettled([statement]),
    Promise.allSettled(around.after ?? []),
  ])
  const failed = [...before, answer, ...after].find(result => result.status === 'rejected')
  if (failed) throw failed.reason
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

function kyselyResult<R>(result: QueryResult): PostgresQueryResult<R> {
  return {
    command: result.command,
    rowCount: result.rowCount ?? 0,
    rows: result.rows as R[],
  } as PostgresQueryResult<R>
}

/**
 * Reads of one client: each statement is a read-only transaction of its own that leaves in one flight (begin, client,
 * statement, commit), which is faster than one plain query awaited after another.
 */
function readingClient(client: PoolClient, clientId: string): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[]) => {
    const before = [client.query('begin read only'), client.query({ ...SET_CLIENT, values: [clientId] })]
    const statement = client.query(named(client, text, values))
    const after = client.query('commit')
    return kyselyResult(await settled(statement, { before, after: [after] }))
  }
  return { query, release: (destroy?: boolean) => client.release(destroy) } as PostgresPoolClient
}

/** A transaction of one client: Kysely's first statement is its begin; the client is set in the same flight. */
function writingClient(client: PoolClient, clientId: string | null): PostgresPoolClient {
  let opening: Promise<unknown>[] | null = null
  const query = async (text: string, values: readonly unknown[]) => {
    if (!opening) {
      opening = [client.query(text)]
      if (clientId !== null) opening.push(client.query({ ...SET_CLIENT, values: [clientId] }))
      for (const promise of opening) promise.catch(() => undefined)
      return { command: 'SELECT', rowCount: 0, rows: [] }
    }
    if (text === 'rollback') return kyselyResult(await client.query(text))
    const sent =
      values.length === 0 && isControl(text) ? client.query(text) : client.query(named(client, text, values))
    return kyselyResult(await settled(sent, { before: opening }))
  }
  return { query, release: (destroy?: boolean) => client.release(destroy) } as PostgresPoolClient
}

function isControl(text: string): boolean {
  return (
    text === 'commit' ||
    text.startsWith('savepoint') ||
    text.startsWith('release') ||
    text.startsWith('rollback')
  )
}

/** What Kysely's dialect takes for a pool: connections bound to one client, for reads or for transactions. */
export function scopedPool(
  pool: Pool,
  clientId: string | null,
  work: 'reads' | 'transactions',
): PostgresPool {
  return {
    options: {},
    connect: async () => {
      const client = await pool.connect()
      return work === 'reads' ? readingClient(client, clientId ?? '') : writingClient(client, clientId)
    },
    // The role's pool outlives every scope.
    end: async () => undefined,
  }
}
