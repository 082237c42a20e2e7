import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { seedPlans } from '../../../database/plans.ts'
import { ensureRoles } from './roles.ts'

const MIGRATIONS = new URL('../../../database/migrations/', import.meta.url)
/** A number that no other program locks: 'floorcas' in ASCII. */
const START_LOCK = '7380399279139217779'
/** Days after today that have partitions. */
const DAYS_AHEAD = 7

export interface Migration {
  name: string
  sql: string
  hash: string
}

/** The migrations on disk in their order: `NNNN-name.sql`. */
export function readMigrations(folder: URL = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter(file => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .toSorted()
    .map(file => {
      const sql = readFileSync(new URL(file, folder), 'utf8')
      return { name: file.slice(0, -4), sql, hash: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Upgrades a database to this version: roles, new migrations, plans and the partitions of the coming days. Servers that
 * start at the same time wait for the first one, by a lock.
 * @returns the names of the migrations that it applied
 * @throws RolesMissingError; Error if the file of an applied migration has changed, or the database is newer than this program
 */
export async function migrateDatabase(url: string, migrations = readMigrations()): Promise<string[]> {
  const owner = new Client({ connectionString: url })
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    await requireVersion(owner)
    await owner.query(`select pg_advisory_lock(${START_LOCK})`)
    await ensureRoles(owner)
    const applied = await applyMissing(owner, migrations)
    await seedPlans(owner)
    await owner.query(`select make_day_partitions(current_date - 1, current_date + ${DAYS_AHEAD})`)
    return applied
  } finally {
    // The end of the session releases the lock.
    await owner.end()
  }
}

async function requireVersion(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = rows[0]?.version ?? 0
  if (version < 15) throw new Error(`DATABASE_URL is a PostgreSQL ${version}; Floorcast needs 15 or newer`)
}

async function applyMissing(owner: Client, migrations: Migration[]): Promise<string[]> {
  await owner.query(`create table if not exists migrations (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`)
  const { rows } = await owner.query<{ name: string; hash: string }>(
    'select name, hash from migrations order by name',
  )
  const done = new Map(rows.map(row => [row.name, row.hash]))
  assertKnownMigrations(migrations, done)
  const missing = migrations.filter(migration => !done.has(migration.name))
  for (const migration of missing) await applyOne(owner, migration)
  return missing.map(migration => migration.name)
}

function assertKnownMigrations(migrations: Migration[], done: Map<string, string>): void {
  const known = new Map(migrations.map(migration => [migration.name, migration.hash]))
  for (const [name, hash] of done) {
    if (!known.has(name))
      throw new Error(
        `The database has migration ${name}, which this version does not know: start a newer version`,
      )
    if (known.get(name) !== hash)
      throw new Error(
        `Migration ${name} was applied with other words than its file has now: restore the file`,
      )
  }
}

async function applyOne(owner: Client, migration: Migration): Promise<void> {
  try {
    await owner.query('begin')
    await owner.query(migration.sql)
    await owner.query('insert into migrations (name, hash) values ($1, $2)', [migration.name, migration.hash])
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw new Error(`Migration ${migration.name} failed; nothing of it was kept`, { cause: error })
  }
}
