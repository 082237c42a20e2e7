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

export class Overlay {
  readonly #client: PoolClient
  #table: string | null = null

  constructor(client: PoolClient) {
    this.#client = client
  }

  /**
   * Puts rows in the place of the further ones. @param rows in COPY's binary form @param isShown statements that name the table see
   * them; without it, they are in the table that `nameOf` names only
   */
  async load(
    table: 'plays',
    {
      columns,
      rows,
      isShown,
    }: { columns: readonly string[]; rows: AsyncIterable<Uint8Array>; isShown: boolean },
  ): Promise<void> {
    await this.#make(table, columns, isShown)
    const into = this.#client.query(
      copyFrom(`copy pg_temp.${this.nameOf(table)} (${quoted(columns)}) from stdin (format binary)`),
    )
    await pipeline(Readable.from(rows, { objectMode: false }), into)
    await this.#client.query(`analyze pg_temp.${this.nameOf(table)}`)
  }

  /** The table of the further rows. */
  nameOf(table: 'plays'): string {
    return `further_${table}`
  }

  /** Takes them away, before a commit. */
  async end(): Promise<void> {
    if (this.#table !== null) await this.#client.query(`drop table pg_temp.${this.#table} cascade`)
    this.#table = null
  }

  async #make(table: 'plays', columns: readonly string[], isShown: boolean): Promise<void> {
    const further = this.nameOf(table)
    if (this.#table !== null) {
      await this.#client.query(`truncate pg_temp.${further}`)
      return
    }
    const own = `${CLIENT_VIEWS}.${table}`
    await this.#client.query(`create temporary table ${further} (like ${own})`)
    if (isShown)
      await this.#client.query(
        `create temporary view ${table} as select ${quoted(columns)} from ${own} union all select ${quoted(columns)} from pg_temp.${further}`,
      )
    this.#table = further
  }
}
