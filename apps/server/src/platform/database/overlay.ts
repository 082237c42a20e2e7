import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CLIENT_VIEWS } from './client-views.ts'

/*
 * Further rows of a table, which the statements of one transaction see beside its own. PostgreSQL looks for a name among temporary
 * tables first: so the same statement reads rows of the database alone, or with those that were brought from elsewhere.
 */

const quoted = (names: readonly string[]) => names.map(name => `"${name}"`).join(', ')

/** So many statistics of further rows are enough for the plans of a few statements; the rows have an index only where it is asked for, and are sorted in memory. */
const SETTINGS = `set local default_statistics_target = 10; set local work_mem = '64MB'`

export class Overlay {
  readonly #client: PoolClient
  /** The columns of the table of further rows; empty: there is none. */
  #columns = ''

  constructor(client: PoolClient) {
    this.#client = client
  }

  /**
   * Puts rows in the place of the further ones. @param rows in COPY's binary form @param isShown statements that name the table see
   * them, and these columns alone; without it, they are in the table that `nameOf` names only @param index a column that gets one
   */
  async load(
    table: 'plays',
    {
      columns,
      rows,
      isShown,
      index,
    }: {
      columns: readonly string[]
      rows: AsyncIterable<Uint8Array>
      isShown: boolean
      index?: string | undefined
    },
  ): Promise<void> {
    await this.#make(table, quoted(columns), isShown)
    const further = `pg_temp.${this.nameOf(table)}`
    const into = this.#client.query(
      copyFrom(`copy ${further} (${quoted(columns)}) from stdin (format binary)`),
    )
    await pipeline(Readable.from(rows, { objectMode: false }), into)
    if (index !== undefined)
      await this.#client.query(`create index if not exists further_${index} on ${further} ("${index}")`)
    await this.#client.query(`analyze ${further}`)
  }

  /** The table of the further rows. */
  nameOf(table: 'plays'): string {
    return `further_${table}`
  }

  /** Takes them away, before a commit. */
  async end(): Promise<void> {
    if (this.#columns !== '') await this.#client.query(`drop table pg_temp.${this.nameOf('plays')} cascade`)
    this.#columns = ''
  }

  async #make(table: 'plays', columns: string, isShown: boolean): Promise<void> {
    const further = this.nameOf(table)
    if (this.#columns === columns) {
      await this.#client.query(`truncate pg_temp.${further}`)
      return
    }
    await this.end()
    const own = `${CLIENT_VIEWS}.${table}`
    await this.#client.query(
      `${SETTINGS}; create temporary table ${further} as select ${columns} from ${own} with no data`,
    )
    if (isShown)
      await this.#client.query(
        `create temporary view ${table} as select ${columns} from ${own} union all select ${columns} from pg_temp.${further}`,
      )
    this.#columns = columns
  }
}
