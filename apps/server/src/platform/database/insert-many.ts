import { type Insertable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Writes } from './client-scope.ts'

const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A row to insert; `undefined` is null. */
type NewRow<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]: Insertable<Tables[Table]>[Column] | undefined
}

/**
 * Inserts rows in one statement with one parameter. Kysely's own has a parameter for each value: compiling 1,000 rows of twelve
 * columns keeps the server from other work for 20 to 90 ms. All rows have the same columns; JSON columns take values, not text.
 */
export async function insertMany<Table extends keyof Tables>(
  writes: Writes,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map(name => sql.id(toColumn(name))))
  const records = rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [toColumn(name), value])),
  )
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)}::jsonb)
  `.execute(writes)
}
