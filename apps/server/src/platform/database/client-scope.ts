import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import { scopedPool } from './scoped-pool.ts'
import type { Tables } from '../../../database/tables.ts'

/*
 * A ClientScope is the only way to a client's rows: every statement runs with that client set, and PostgreSQL's
 * row-level security refuses the rest. In a feature:
 *
 *   scope.reads                                   one statement, each by itself
 *   scope.readTogether(async reads => …)          statements that must agree with each other
 *   scope.write(async writes => …)                a transaction: all or nothing
 *
 * A query function takes `Reads` or `Writes` first. `Writes` fits where `Reads` is asked for, not the other way round:
 * a write outside a transaction does not compile, and PostgreSQL refuses one that gets past the compiler.
 */

declare const may: unique symbol

type ReadMethods =
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'dynamic' | 'case' | 'getExecutor'

/** Something that can be read from. */
export type Reads = Pick<Kysely<Tables>, Extract<ReadMethods, keyof Kysely<Tables>>> & {
  readonly [may]: { read: true }
}
/** A transaction of one client. It throws when used after its end. */
export type Writes = Omit<
  Transaction<Tables>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy'
> & {
  readonly [may]: { read: true; write: true }
}

/** One client's rows. Values come out in the contract's forms (see tables.ts). */
export interface ClientScope {
  readonly clientId: string
  readonly reads: Reads
  /** A read-only transaction that sees one state of the database. */
  readTogether<T>(work: (reads: Reads) => Promise<T>): Promise<T>
  /** A transaction: commits when `work` resolves, rolls back when it throws. */
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
    // Keys inside jsonb values are the contract's own and stay as they are.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/**
 * The scope of one client over a role's pool.
 * @throws TypeError when the id is no UUID.
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
    write: work => transactions.transaction().execute(transaction => work(transaction as unknown as Writes)),
  }
}
