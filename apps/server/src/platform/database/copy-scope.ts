import { once } from 'node:events'
import type { Readable } from 'node:stream'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { escapeLiteral, type Pool, type PoolClient, type QueryResult } from 'pg'
import type { Tables } from '../../../database/tables.ts'
import { CopyOut } from './copy-out.ts'
import { beginOf } from './scoped-pool.ts'

/*
 * Streams the rows of one client as COPY writes them, for reports. A pipelining connection takes no COPY, so these have a
 * pool of their own. A session is one read-only transaction: everything that it reads is one state of the database.
 */

/** SQL with its parameters. */
export type Statement = RawBuilder<unknown>

/**
 * `comma` and `semicolon`: csv as RFC 4180 says, with line feeds and this separator. `text`: cells between tabs, as PostgreSQL's
 * documentation of COPY says.
 */
export type CopyForm = 'comma' | 'semicolon' | 'text'

const FORMS: Readonly<Record<CopyForm, string>> = {
  comma: 'format csv',
  semicolon: `format csv, delimiter ';'`,
  text: 'format text',
}

export interface CopySession {
  /** The moment of the rows: ISO 8601. Those of a standby may be some seconds old. */
  readonly asOf: string
  /** Names are those of the statement; no plugin changes them. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** Resolves when the first bytes are there, or the end. A reader that stops holds the rows back in the database. */
  copy(query: Statement, form: CopyForm): Promise<Readable>
  /** Ends the transaction and the connection. A statement that still runs is canceled. */
  close(): void
}

export interface CopyScope {
  /** @param timeZone the zone of the session, which decides how PostgreSQL writes moments */
  open(options: { timeZone: string; signal?: AbortSignal | undefined }): Promise<CopySession>
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

/** The scope of one client. */
export function copyScope(source: CopySource, clientId: string): CopyScope {
  const begin = beginOf('begin isolation level repeatable read read only', clientId)
  return {
    async open({ timeZone, signal }) {
      signal?.throwIfAborted()
      const settings = `set local timezone = ${escapeLiteral(timeZone)}`
      return new Session(await source.begin(begin, settings), signal)
    },
  }
}

class Session implements CopySession {
  readonly asOf: string
  readonly #client: PoolClient
  readonly #signal: AbortSignal | undefined
  readonly #abort = () => this.close()
  #isClosed = false

  constructor({ client, asOf }: BegunCopy, signal: AbortSignal | undefined) {
    this.#client = client
    this.asOf = asOf
    this.#signal = signal
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

  /**
   * A connection in the middle of a statement is destroyed: PostgreSQL looks for its caller every second
   * (`client_connection_check_interval`), also before the first row, and ends the statement.
   */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#client.release(true)
  }
}
