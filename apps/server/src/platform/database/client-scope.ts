import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from '../../../database/tables.ts'
import { OutcomeError } from '../lib/errors.ts'
import { againWhenGivenUp } from './database-errors.ts'
import { scopedPool } from './scoped-pool.ts'

/*
 * A ClientScope reads and writes the rows of one client: every statement runs with that client set, and PostgreSQL's
 * row-level security hides all other rows. In a feature:
 *
 *   scope.reads                                   single statements
 *   scope.readTogether(async reads => …)          statements that see one state of the database
 *   scope.write(async writes => …)                a transaction: all or nothing; run again after a deadlock
 *
 * The first parameter of a query function is `Reads` or `Writes`. `Writes` can be passed as `Reads`, but not the reverse: a
 * write outside a transaction does not compile, and PostgreSQL would refuse it.
 */

declare const may: unique symbol

type ReadMethods =
  | 'selectFrom'
  | 'selectNoFrom'
  | 'with'
  | 'withRecursive'
  | 'fn'
  | 'dynamic'
  | 'case'
  | 'getExecutor'

/** A connection or transaction for reads. */
export type Reads = Pick<Kysely<Tables>, Extract<ReadMethods, keyof Kysely<Tables>>> & {
  readonly [may]: { read: true }
}
/** A transaction of one client. It throws if it is used after its end. */
export type Writes = Omit<
  Transaction<Tables>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy'
> & {
  readonly [may]: { read: true; write: true }
}

/** Access to the rows of one client. Values have the contract's formats (see tables.ts). */
export interface ClientScope {
  readonly clientId: string
  readonly reads: Reads
  /** A read-only transaction that sees one state of the database. */
  readTogether<T>(work: (reads: Reads) => Promise<T>): Promise<T>
  /**
   * A transaction: commits when `work` resolves, rolls back if it throws. PostgreSQL ends one of two transactions that wait for
   * each other: `work` then runs again, so it must start from its arguments and make no change elsewhere that it cannot repeat.
   * @throws OutcomeError `row-limit` or `playlist-bytes` if the client has the maximum number of rows
   */
  write<T>(work: (writes: Writes) => Promise<T>): Promise<T>
}

/** Kysely over one pool and one client, for reads or for transactions. */
export function scopedKysely<T>(
  pool: Pool,
  clientId: string | null,
  work: 'reads' | 'transactions' | 'statements',
): Kysely<T> {
  return new Kysely<T>({
    dialect: new PostgresDialect({ pool: scopedPool(pool, clientId, work) }),
    // Keys inside jsonb values are the contract's and keep their names.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/**
 * The scope of one client over a role's pool.
 * @throws TypeError when the id is not a UUID.
 */
export function clientScope(pool: Pool, clientId: string): ClientScope {
  const reads = scopedKysely<Tables>(pool, clientId, 'reads')
  const transactions = scopedKysely<Tables>(pool, clientId, 'transactions')
  return {
    clientId,
    reads: reads as unknown as Reads,
    readTogether: work =>
      transactions
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(transaction => work(transaction as unknown as Reads)),
    write: work =>
      againWhenGivenUp(() =>
        transactions.transaction().execute(transaction => workAndEnd(transaction as unknown as Writes, work)),
      ).catch((error: unknown) => {
        throw limitRefusal(error) ?? error
      }),
  }
}

const ends = new WeakMap<Writes, (() => Promise<void>)[]>()

async function workAndEnd<T>(writes: Writes, work: (writes: Writes) => Promise<T>): Promise<T> {
  const last: (() => Promise<void>)[] = []
  ends.set(writes, last)
  const result = await work(writes)
  for (const end of last) await end()
  return result
}

/**
 * Runs `end` after all else of the transaction, before its commit: for a row that transactions of a client take in turn, so that none
 * holds it while it waits for another one. @param writes the transaction of a `ClientScope`
 */
export function beforeCommit(writes: Writes, end: () => Promise<void>): void {
  const last = ends.get(writes)
  if (!last) throw new TypeError('not the transaction of a client scope')
  last.push(end)
}

/*
 * How many rows a client has at most is in the database (database/baseline/10-rights-and-limits.sql, docs/operate/limits.md):
 * a trigger of each table that grows by users' calls counts up to the limit, from an index, again after each hundredth of the
 * room that is left.
 */

/** The state of an error that a trigger `limit_rows` raises, with the table as detail and the limit as hint. */
const ROW_LIMIT = 'FC001'
const BYTES_PER_MEGABYTE = 1_000_000

interface LimitError extends Error {
  code: string
  detail: string
  hint: string
}

const isLimitError = (error: unknown): error is LimitError =>
  error instanceof Error && 'code' in error && error.code === ROW_LIMIT

/** The refusal that an error of a limit stands for; undefined for other errors. */
function limitRefusal(error: unknown): OutcomeError | undefined {
  if (!isLimitError(error)) return undefined
  const limit = Number(error.hint)
  if (error.detail === 'playlist_bytes')
    return new OutcomeError('notDone', {
      reason: 'playlist-bytes',
      limit: Math.floor(limit / BYTES_PER_MEGABYTE),
    })
  return new OutcomeError(error.detail === 'media_items' ? 'storageFull' : 'notDone', {
    reason: 'row-limit',
    limit,
  })
}
