import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { ProblemError } from '../lib/errors.ts'
import { isReadOnlyError } from './prepare-session.ts'
import { turnsOf } from './role-pool.ts'

/*
 * Setting the client must not cost a round trip for each statement. So a read is sent in one packet to a pipelining
 * connection: begin with the client, statement, commit. docs/decisions/0013 has the figures.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Statements with lists have many texts: a connection names this many statements and sends the others unnamed. */
const NAMED_STATEMENTS = 400
const CACHED_NAMES = 5000

const names = new LRUCache<string, string>({
  max: CACHED_NAMES,
  memoMethod: text => createHash('sha1').update(text).digest('base64url'),
})
const preparedBy = new WeakMap<PoolClient, Set<string>>()

/**
 * A statement that begins with this comment is planned for its values each time. For lists of days PostgreSQL's general plan
 * reads whole partitions, of which it has no statistics in their first minutes. To make it takes 0.2 s where a table has a partition
 * for each day of a year, once for each connection.
 */
export const PLAN_EACH_TIME = '/* plan each time */'

/**
 * A transaction does not wait for a statement that ends with this comment: nothing depends on its answer, which is taken for
 * empty. If it fails, the next statement that is waited for fails with its error, the commit at the latest. Each wait costs a turn
 * of the event loop, which is long on a busy server.
 */
export const ANSWER_LATER = '/* answer later */'

/** Names a statement by its text, so that a connection parses and plans it once. */
function named(client: PoolClient, text: string, values: readonly unknown[]) {
  if (text.startsWith(PLAN_EACH_TIME)) return { text, values: [...values] }
  const name = names.memo(text)
  const prepared = preparedBy.get(client) ?? new Set<string>()
  preparedBy.set(client, prepared)
  if (!prepared.has(name) && prepared.size >= NAMED_STATEMENTS) return { text, values: [...values] }
  prepared.add(name)
  return { name, text, values: [...values] }
}

/**
 * The begin of a transaction with its client, as one message.
 * @throws TypeError if the client's id is not a UUID, which could inject SQL
 */
export function beginOf(begin: string, clientId: string | null): string {
  if (clientId !== null && !UUID.test(clientId))
    throw new TypeError(`a client's id is a UUID in lower case, not ${clientId}`)
  return clientId === null ? begin : `${begin}; set local app.client_id = '${clientId}'`
}

/** The socket of a connection, which pg's types do not declare. While it is corked, it holds writes back. */
interface Corkable {
  connection?: { stream?: { cork?(): void; uncork?(): void } }
}

/** Sends everything that `send` writes as one packet. */
function inOnePacket(client: PoolClient, send: () => void): void {
  const stream = (client as unknown as Corkable).connection?.stream
  stream?.cork?.()
  try {
    send()
  } finally {
    stream?.uncork?.()
  }
}

type Callback = (failure: Error | undefined, result?: QueryResult) => void

/** Notes the first failure of several statements in a row. pg's callbacks come in the order of sending, each exactly once. */
function firstFailure() {
  let failure: Error | undefined
  return (error: Error | null | undefined) => (failure ??= error ?? undefined)
}

/** Uses callbacks, not promises: no rejection stays unhandled, and a read costs one promise instead of six. */
function sendRead(client: PoolClient, read: { begin: string; statement: QueryConfig }, callback: Callback) {
  const note = firstFailure()
  let answer: QueryResult
  inOnePacket(client, () => {
    client.query(read.begin, note)
    client.query(read.statement, (error, result) => {
      note(error)
      answer = result
    })
    client.query('commit', error => callback(note(error), answer))
  })
}

function kyselyResult<R>(result: QueryResult | undefined): PostgresQueryResult<R> {
  const { command = 'SELECT', rowCount = 0, rows = [] } = result ?? {}
  return { command, rowCount: rowCount ?? 0, rows: rows as R[] } as PostgresQueryResult<R>
}

/** Connections to a database that has begun to refuse writes. The next one may meet another. */
const readOnly = new WeakSet<PoolClient>()

/** Converts a callback to a promise. Kysely handles failures and releases connections. */
function answered<R>(
  client: PoolClient,
  send: (callback: Callback) => void,
): Promise<PostgresQueryResult<R>> {
  return new Promise((resolve, reject) => {
    send((failure, result) => {
      if (!failure) return resolve(kyselyResult<R>(result))
      if (isReadOnlyError(failure)) readOnly.add(client)
      reject(failure)
    })
  })
}

type Query = (text: string, values: readonly unknown[]) => Promise<PostgresQueryResult<unknown>>

/** Reads of one client: each statement is a separate read-only transaction, sent in one packet. */
function readingQuery(client: PoolClient, clientId: string): Query {
  const begin = beginOf('begin read only', clientId)
  const query = (text: string, values: readonly unknown[]) =>
    answered(client, callback =>
      sendRead(client, { begin, statement: named(client, text, values) }, callback),
    )
  return query
}

/**
 * A transaction of one client. Kysely's first statement is the begin: it is sent with the client in one message without
 * waiting for the answer. If it fails, the following statements reject with its error.
 */
function writingQuery(client: PoolClient, clientId: string | null): Query {
  const note = firstFailure()
  let isOpen = false
  const query = (text: string, values: readonly unknown[]) => {
    if (!isOpen) {
      isOpen = true
      client.query(beginOf(text, clientId), note)
      return Promise.resolve(kyselyResult(undefined))
    }
    if (text.endsWith(ANSWER_LATER)) {
      client.query(named(client, text, values), note)
      return Promise.resolve(kyselyResult(undefined))
    }
    return answered(client, callback => {
      const statement = isControl(text) ? { text } : named(client, text, values)
      client.query(statement, (error, result) =>
        callback(
          text === 'rollback' ? (error ?? undefined) : (note(undefined) ?? error ?? undefined),
          result,
        ),
      )
    })
  }
  return query
}

/** Statements of no client, each a separate transaction. */
function plainQuery(client: PoolClient): Query {
  const query = (text: string, values: readonly unknown[]) =>
    answered(client, callback => {
      client.query(named(client, text, values), (error, result) => callback(error ?? undefined, result))
    })
  return query
}

function isControl(text: string): boolean {
  return /^(commit|rollback|savepoint |release )/.test(text)
}

type Work = 'reads' | 'transactions' | 'statements'

function queryOf(client: PoolClient, clientId: string | null, work: Work): Query {
  if (work === 'reads' && clientId !== null) return readingQuery(client, clientId)
  return work === 'statements' ? plainQuery(client) : writingQuery(client, clientId)
}

/** A call that waits longer for a connection is refused. */
const MAX_WAIT_MS = 10_000

/** Waits until the client may use one more connection. @throws ProblemError 503 after ten seconds */
export async function waitForTurn(pool: Pool, clientId: string): Promise<(() => void) | null> {
  const turns = turnsOf(pool)
  if (!turns) return null
  return (
    turns.tryEnter({ clientId }) ??
    (await turns.enter({ clientId, signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => {
      throw new ProblemError('busy', {
        detail: 'Too many calls wait for the database. Come back after the time of Retry-After.',
        retryAfterSeconds: 5,
      })
    }))
  )
}

/**
 * The pool that Kysely's dialect uses: its connections are bound to one client, for reads or for transactions, or to none,
 * for statements that are whole transactions.
 * @throws TypeError if the client's id is not a UUID
 */
export function scopedPool(pool: Pool, clientId: string | null, work: Work): PostgresPool {
  if (clientId !== null && !UUID.test(clientId))
    throw new TypeError(`a client's id is a UUID in lower case, not ${clientId}`)
  return {
    options: {},
    connect: async () => {
      const leave = clientId === null ? null : await waitForTurn(pool, clientId)
      try {
        const client = await pool.connect()
        const release = (destroy?: boolean) => {
          client.release(destroy || readOnly.has(client))
          leave?.()
        }
        return { query: queryOf(client, clientId, work), release } as PostgresPoolClient
      } catch (error) {
        leave?.()
        throw error
      }
    },
    // The pool of the role outlives the scopes.
    end: async () => undefined,
  }
}
