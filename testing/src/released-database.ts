import { ensureRoles } from '@floorcast/server/platform/database/roles.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { asSuperuser, type DatabaseUrls, emptyDatabase } from './test-database.ts'

/**
 * The database of release 2.775.0: its migrations as it applied them, and the rows of its demonstration after two minutes.
 * docs/decisions/0317 says how the file was made.
 */
interface Release {
  migrations: { name: string; sql: string; hash: string }[]
  rows: Record<string, object[]> & { plans: object[] }
}

const readRelease = (): Release =>
  JSON.parse(
    gunzipSync(readFileSync(new URL('../database/release-2.775.0.json.gz', import.meta.url))).toString(),
  ) as Release

/** Two test files may do it at once. */
const FORMER_ROLE = `do $$
  begin
    create role floorcast_door nologin;
  exception when duplicate_object or unique_violation then null;
  end $$`

/** A database as the start of release 2.775.0 left it, without clients; dropped after the file's tests. */
export async function releasedDatabase(): Promise<DatabaseUrls> {
  const urls = await emptyDatabase()
  const owner = new Client({ connectionString: urls.url })
  await owner.connect()
  try {
    await ensureRoles(owner)
    await asSuperuser(urls.superuserUrl, superuser =>
      superuser.query(`${FORMER_ROLE}; grant floorcast_door to floorcast`),
    )
    await owner.query(`create table migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const {
      migrations,
      rows: { plans },
    } = readRelease()
    for (const { name, sql, hash } of migrations) {
      await owner.query(`begin; ${sql}; commit`)
      await owner.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    }
    await insertRows(owner, 'plans', plans)
    await owner.query('select make_day_partitions(current_date - 1, current_date + 7)')
  } finally {
    await owner.end()
  }
  return urls
}

/** Adds the other rows of the demonstration, as they were: no trigger runs. @returns the number of rows by table */
export async function fillReleased(superuserUrl: string): Promise<Record<string, number>> {
  const { plans: _, ...rows } = readRelease().rows
  const days = Object.values(rows)
    .flat()
    .flatMap(row => ('day' in row ? [String(row.day)] : []))
    .toSorted()
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query('select make_day_partitions($1, $2)', [days[0], days.at(-1)])
    await superuser.query('set session_replication_role = replica')
    for (const [table, itsRows] of Object.entries(rows)) await insertRows(superuser, table, itsRows)
  })
  return Object.fromEntries(Object.entries(rows).map(([table, itsRows]) => [table, itsRows.length]))
}

async function insertRows(client: Client, table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await client.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
