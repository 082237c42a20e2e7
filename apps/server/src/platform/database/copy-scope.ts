import { once } from 'node:events'
import type { Readable } from 'node:stream'
import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { escapeLiteral, type Pool, type PoolClient, type QueryResult } from 'pg'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from './client-scope.ts'
import { CopyOut } from './copy-out.ts'
import { Overlay } from './overlay.ts'
import { beginOf, waitForTurn } from './scoped-pool.ts'

/*
 * Streams the rows of one client as COPY writes them, for reports. A pipelining connection takes no COPY, so these have a
 * pool of their own. A session is one transaction: everything that it reads is one state of the database.
 */

/** SQL with its parameters. */
export type Statement = RawBuilder<unknown>

/**
 * `comma` and `semicolon`: csv as RFC 4180 says, with line feeds and this separator. `text`: cells between tabs, and `binary`, as
 * PostgreSQL's documentation of COPY says.
 */
export type CopyForm = 'comma' | 'semicolon' | 'text' | 'binary'

const FORMS: Readonly<Record<CopyForm, string>> = {
  comma: 'format csv',
  semicolon: `format csv, delimiter ';'`,
  text: 'format text',
  binary: 'format binary',
}

export interface CopySession {
  /** The moment of the rows: ISO 8601. Those of a standby may be some seconds old. */
  readonly asOf: string
  /** Single statements of this transaction, in the contract's formats. Not while COPY runs. */
  readonly reads: Reads
  /** Further rows, which the statements of this transaction see. Null: the session was not opened for them. */
  readonly overlay: Overlay | null
  /** Names are those of the statement; no plugin changes them. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** Resolves when the first bytes are there, or the end. A reader that stops holds the rows back in the database. */
  copy(query: Statement, form: CopyForm): Promise<Readable>
  /** Ends the transaction and the connection. A statement that still runs is canceled. */
  close(): void
}

interface SessionOptions {
  /** The zone of the session, which decides how PostgreSQL writes moments. */
  timeZone: string
  signal?: AbortSignal | undefined
}

export interface CopyScope {
  /** @param isOverlaid reads the primary, and takes further rows */
  open(options: SessionOptions & { isOverlaid?: boolean }): Promise<CopySession>
}

/** A transaction that changes rows: it takes further rows too. `commit` before `close`, which else gives it up. */
export interface ChangeSession extends CopySession {
  readonly writes: Writes
  readonly overlay: Overlay
  commit(): Promise<void>
}

/** Compiles statements and runs none. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: database => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** COPY takes no parameters, so values become literals. A list needs a cast in the statement. */
function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `array[${value.map(toLiteral).join(',')}]`
  if (value instanceof Date) return escapeLiteral(value.toISOString())
  if (typeof value === 'number' || typeof value === 'boolean') return `(${value})`
  if (typeof value === 'string') return escapeLiteral(value)
  throw new TypeError(`a statement of COPY takes no ${typeof value}`)
}

/** Literals are not searched for placeholders again. */
function inlined(query: Statement): string {
  const { sql, parameters } = query.compile(compiler)
  return sql.replaceAll(/\$(\d+)/g, (_, number: string) => toLiteral(parameters[Number(number) - 1]))
}

/** A transaction that has begun, and the moment of its rows. */
export interface BegunCopy {
  client: PoolClient
  asOf: string
  /** Gives the turn of its client back. */
  leave?: (() => void) | null
}

/** Where sessions come from: pools without pipelining. */
export interface CopySource {
  /** @param begin begins a transaction @param settings what it is to have */
  begin(begin: string, settings: string): Promise<BegunCopy>
}

/** Begins a transaction by one message. @param moment a query whose column `at` is the moment of the rows, by UTC */
export async function beginOn(
  pool: Pool,
  { begin, moment, settings }: { begin: string; moment: string; settings: string },
): Promise<BegunCopy> {
  const client = await pool.connect()
  try {
    const results: unknown = await client.query(`${begin}; ${moment}; ${settings}`)
    const read = (results as QueryResult<{ at: string | null }>[]).find(({ command }) => command === 'SELECT')
    return { client, asOf: read?.rows[0]?.at ?? '' }
  } catch (error) {
    client.release(true)
    throw error
  }
}

export const primarySource = (pool: Pool): CopySource => ({
  begin: (begin, settings) => beginOn(pool, { begin, moment: 'select now() as at', settings }),
})

/** A source whose sessions wait for the turn of their client. */
const inTurns = (pool: Pool, clientId: string): CopySource => ({
  async begin(begin, settings) {
    const leave = await waitForTurn(pool, clientId)
    try {
      return { ...(await primarySource(pool).begin(begin, settings)), leave }
    } catch (error) {
      leave?.()
      throw error
    }
  },
})

const settingsOf = (timeZone: string) => `set local timezone = ${escapeLiteral(timeZone)}`

/** The scope of one client. Overlaid sessions read the primary: a standby makes no temporary tables. */
export function copyScope(
  { source, primary }: { source: CopySource; primary: CopySource },
  clientId: string,
): CopyScope {
  const begin = 'begin isolation level repeatable read'
  const reading = beginOf(`${begin} read only`, clientId)
  const overlaid = beginOf(begin, clientId)
  return {
    async open({ timeZone, signal, isOverlaid = false }) {
      signal?.throwIfAborted()
      const begun = await (isOverlaid
        ? primary.begin(overlaid, settingsOf(timeZone))
        : source.begin(reading, settingsOf(timeZone)))
      return new Session(begun, { timeZone, signal, isOverlaid })
    },
  }
}

/** Opens a transaction that changes rows of a client. */
export async function openChange(
  source: CopySource,
  clientId: string,
  signal?: AbortSignal,
): Promise<ChangeSession> {
  const begun = await source.begin(beginOf('begin', clientId), settingsOf('UTC'))
  return new Session(begun, { timeZone: 'UTC', signal, isOverlaid: true }) as ChangeSession
}

/** Statements of features, on the connection of a session: by UTC, and unnamed, since the overlay changes what names mean. */
function statementsOn(client: PoolClient, timeZone: string): Kysely<Tables> {
  const query = async (text: string, values: readonly unknown[]) => {
    if (timeZone === 'UTC') return client.query<object>(text, [...values])
    await client.query(settingsOf('UTC'))
    const result = await client.query<object>(text, [...values])
    await client.query(settingsOf(timeZone))
    return result
  }
  const connection = { query, release: () => undefined } as unknown as PostgresPoolClient
  const pool = { options: {}, connect: async () => connection, end: async () => undefined }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

class Session implements CopySession {
  readonly asOf: string
  readonly reads: Reads
  readonly writes: Writes
  readonly overlay: Overlay | null
  readonly #client: PoolClient
  readonly #signal: AbortSignal | undefined
  readonly #leave: (() => void) | null
  readonly #abort = () => this.close()
  #isClosed = false

  constructor(
    { client, asOf, leave = null }: BegunCopy,
    { timeZone, signal, isOverlaid }: SessionOptions & { isOverlaid: boolean },
  ) {
    this.#client = client
    this.#leave = leave
    this.asOf = asOf
    this.#signal = signal
    const statements: unknown = statementsOn(client, timeZone)
    this.reads = statements as Reads
    this.writes = statements as Writes
    this.overlay = isOverlaid ? new Overlay(client) : null
    if (signal?.aborted) this.close()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  async rows<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    const { sql, parameters } = query.compile(compiler)
    const { rows } = await this.#client.query<Row & object>(sql, [...parameters])
    return rows
  }

  async copy(query: Statement, form: CopyForm): Promise<Readable> {
    const rows = this.#client.query(new CopyOut(`copy (${inlined(query)}) to stdout (${FORMS[form]})`))
    // `once` hears an error that comes before; afterwards the reader hears it.
    await Promise.race([once(rows, 'readable'), once(rows, 'end')])
    return rows
  }

  async commit(): Promise<void> {
    await this.overlay?.end()
    await this.#client.query('commit')
  }

  /**
   * A connection in the middle of a statement is destroyed: PostgreSQL looks for its caller every second
   * (`client_connection_check_interval`), also before the first row, and ends the statement.
   */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#client.release(true)
    this.#leave?.()
  }
}

/** Of users and of jobs. */
export interface ArchiveScopes {
  readonly archived: { forClient(clientId: string): CopyScope }
  readonly archiving: {
    forClient(clientId: string): CopyScope & { openChange(signal?: AbortSignal): Promise<ChangeSession> }
  }
}

/** What reads plays of the archive beside those of the database, for users and for jobs. */
export function openArchives(pools: Record<keyof ArchiveScopes, Pool>): ArchiveScopes {
  const archiving = primarySource(pools.archiving)
  return {
    archived: {
      forClient: clientId => {
        const source = inTurns(pools.archived, clientId)
        return copyScope({ source, primary: source }, clientId)
      },
    },
    archiving: {
      forClient: clientId => ({
        ...copyScope({ source: archiving, primary: archiving }, clientId),
        openChange: signal => openChange(archiving, clientId, signal),
      }),
    },
  }
}
