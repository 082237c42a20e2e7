import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { KEEPALIVES_OF_ANSWERS, setAll } from './keepalives.ts'
import { seedPlans } from '../../../database/plans.ts'
import { isHeldByView, isLockTimeout } from './database-errors.ts'
import { DROP_CLIENT_VIEWS, DROP_OLD_CLIENT_VIEWS, makeClientViews } from './client-views.ts'
import { ensureRoles } from './roles.ts'

const MIGRATIONS = new URL('../../../database/migrations/', import.meta.url)
const BASELINE = new URL('../../../database/baseline/', import.meta.url)
/** The last migration that the baseline contains: docs/decisions/0317. */
export const BASELINE_THROUGH = '0183-search-in'
/** A line of the baseline that stands for a function of a migration: one with a table of 57 kB is written once. */
const FROM_MIGRATION = /^-- from ([\w-]+): (\w+)$/gm
/** The last migration of the oldest release that upgrades to this version. */
const OLDEST_RELEASE = { version: '2.775.0', migration: '0053-alert-sounds' }
/** A number that no other program locks: 'floorcas' in ASCII. */
const START_LOCK = '7380399279139217779'
const LOCK_POLL_MS = 100
/** Days after today that have partitions. */
const DAYS_AHEAD = 7

export interface Migration {
  name: string
  sql: string
  hash: string
}

/** How long a migration waits for the locks of others, and how often it is tried. */
interface LockWaits {
  /** A statement that waits for a table holds up all calls behind it, so it gives up and is tried again. */
  timeoutMs: number
  tries: number
  /** The pause between two tries. */
  pauseMs: number
}

const MAKE_MIGRATIONS = `create table if not exists migrations (
  name text primary key, hash text not null, applied_at timestamptz not null default now())`
const LOCK_WAITS: LockWaits = { timeoutMs: 3000, tries: 20, pauseMs: 2000 }

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

/** The schema after BASELINE_THROUGH as one text, of a file for each area. */
function readBaseline(): string {
  const files = readdirSync(BASELINE).toSorted()
  const text = files.map(file => readFileSync(new URL(file, BASELINE), 'utf8')).join('\n')
  return text.replaceAll(FROM_MIGRATION, (_, name: string, made: string) => functionOf(name, made))
}

/** A schema as SQL: the baseline, and the migrations after it. A backup has that of its rows. */
export interface Schema {
  baseline: string
  /** The last migration that the baseline contains. */
  through: string
  migrations: Migration[]
}

export const readSchema = (): Schema => ({
  baseline: readBaseline(),
  through: BASELINE_THROUGH,
  migrations: readMigrations(),
})

/** Makes the tables of a schema in an empty database, in the transaction of the caller. Records no migration as applied. */
export async function makeSchema(owner: Client, { baseline, through, migrations }: Schema): Promise<void> {
  await owner.query(MAKE_MIGRATIONS)
  await owner.query(baseline)
  for (const { name, sql } of migrations) if (name > through) await runWithin(owner, sql)
}

/** Runs a migration in a transaction, also one that is written for none: nobody else sees these tables yet. */
export async function runWithin(owner: Client, sql: string): Promise<void> {
  if (!NO_TRANSACTION.test(sql)) return void (await owner.query(sql))
  for (const statement of statementsOf(sql))
    await runStatement(owner, statement.replaceAll(/\bconcurrently\b/gi, ''))
}

function functionOf(migration: string, name: string): string {
  const sql = readFileSync(new URL(`${migration}.sql`, MIGRATIONS), 'utf8')
  const [, text] = new RegExp(`^(create function ${name}\\(.*?\\$\\$;)$`, 'ms').exec(sql) ?? []
  if (text === undefined) throw new Error(`Migration ${migration} makes no function ${name}`)
  return text
}

/**
 * Brings a database to this version: roles, the baseline if it is empty, new migrations, clients' views, plans and the
 * partitions of the coming days. Servers that start at the same time wait for the first one, by a lock.
 * @returns the names of what it applied
 * @throws RolesMissingError; Error if the file of an applied migration has changed, or the database is newer than this program
 *   or older than the oldest release that it upgrades
 */
export async function migrateDatabase(
  url: string,
  migrations = readMigrations(),
  waits = LOCK_WAITS,
): Promise<string[]> {
  const owner = new Client({ connectionString: url })
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    await owner.query(setAll(KEEPALIVES_OF_ANSWERS))
    await requireVersion(owner)
    await lockStart(owner)
    await ensureRoles(owner)
    const applied = await applyMissing(owner, migrations, waits)
    await makeClientViews(owner)
    await seedPlans(owner)
    await owner.query(`select make_day_partitions(current_date - 1, current_date + ${DAYS_AHEAD})`)
    return applied
  } finally {
    // The end of the session releases the lock.
    await owner.end()
  }
}

/** A session that waits in PostgreSQL has a snapshot, for which `create index concurrently` of the other would wait. */
async function lockStart(owner: Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${START_LOCK}) as locked`,
    )
    if (rows[0]?.locked) return
    await pause(LOCK_POLL_MS)
  }
}

async function requireVersion(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = rows[0]?.version ?? 0
  if (version < 15) throw new Error(`DATABASE_URL is a PostgreSQL ${version}; Floorcast needs 15 or newer`)
}

async function applyMissing(owner: Client, migrations: Migration[], waits: LockWaits): Promise<string[]> {
  await owner.query(MAKE_MIGRATIONS)
  const { rows } = await owner.query<{ name: string; hash: string }>(
    'select name, hash from migrations order by name',
  )
  if (rows.length === 0) {
    await applyBaseline(owner, migrations, waits)
    return ['baseline', ...(await applyMissing(owner, migrations, waits))]
  }
  const done = new Map(rows.map(row => [row.name, row.hash]))
  assertKnownMigrations(migrations, done)
  const missing = migrations.filter(migration => !done.has(migration.name))
  const dropViews = (statement: string) =>
    tryForLocks(owner, { name: 'of the views', waits }, () => owner.query(statement))
  if (missing.length > 0) await dropViews(DROP_OLD_CLIENT_VIEWS)
  for (const migration of missing)
    try {
      await applyOne(owner, migration, waits)
    } catch (error) {
      if (!(error instanceof Error && isHeldByView(error.cause))) throw error
      // Views hold the columns of their tables fast. The former release does not name what a migration takes away.
      await dropViews(DROP_CLIENT_VIEWS)
      await applyOne(owner, migration, waits)
    }
  return missing.map(migration => migration.name)
}

/**
 * For commands that neither make nor change a schema. @returns the names of the migrations that the database has
 * @throws Error if it has none, or those of another version
 */
export async function requireMigrated(client: Client): Promise<string[]> {
  const { rows: found } = await client.query<{ isThere: boolean; database: string }>(
    `select to_regclass('public.migrations') is not null as "isThere", current_database() as database`,
  )
  if (!found[0]?.isThere)
    throw new Error(
      `The database ${found[0]?.database} has no tables of Floorcast: are these the settings of the service? A server that starts makes them, and then says 'Server listening' in its log`,
    )
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  const [has, knows] = [rows.map(({ name }) => name), readMigrations().map(({ name }) => name)]
  const lacked = knows.find(name => !has.includes(name))
  if (lacked !== undefined)
    throw new Error(
      `The database is of an older version (it lacks migration ${lacked}): run the command of that version, or start the server of this one. A start says 'Server listening' in its log when it has brought the database to its version`,
    )
  const later = has.find(name => name > (knows.at(-1) ?? ''))
  if (later !== undefined)
    throw new Error(
      `The database is of a newer version (it has migration ${later}): run the command of that version`,
    )
  return has
}

/** Fills an empty database. The migrations that the baseline contains count as applied. */
async function applyBaseline(owner: Client, migrations: Migration[], waits: LockWaits): Promise<void> {
  const contained = migrations.filter(({ name }) => name <= BASELINE_THROUGH)
  await tryForLocks(owner, { name: 'baseline', waits }, async () => {
    await owner.query(readBaseline())
    await record(owner, contained)
  })
}

function assertKnownMigrations(migrations: Migration[], done: Map<string, string>): void {
  const { version, migration: oldest } = OLDEST_RELEASE
  if ([...done.keys()].every(name => name < oldest))
    throw new Error(`The database is older than ${version}: start ${version} once, then this version`)
  const known = new Map(migrations.map(migration => [migration.name, migration.hash]))
  for (const [name, hash] of done) {
    if (name <= oldest) continue
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

const NO_TRANSACTION = /^-- no-transaction\b/
const RUN_EACH_ROW = /^-- run each row\b/m

async function applyOne(owner: Client, migration: Migration, waits: LockWaits): Promise<void> {
  if (NO_TRANSACTION.test(migration.sql)) return applyStatements(owner, migration)
  await tryForLocks(owner, { name: migration.name, waits }, async () => {
    await owner.query(migration.sql)
    await record(owner, [migration])
  })
}

/** Works in a transaction. While others hold locks that it needs, it is tried again. */
async function tryForLocks(
  owner: Client,
  { name, waits }: { name: string; waits: LockWaits },
  work: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await owner.query('begin')
      await owner.query(`set local lock_timeout = ${waits.timeoutMs}`)
      await work()
      await owner.query('commit')
      return
    } catch (error) {
      await owner.query('rollback')
      if (!isLockTimeout(error))
        throw new Error(`Migration ${name} failed; nothing of it was kept`, { cause: error })
      if (tries >= waits.tries)
        throw new Error(
          `Migration ${name} was tried ${tries} times, and each time others held locks that it needs; nothing of it was kept. Stop the other servers and programs that use the database, then start again`,
          { cause: error },
        )
      await pause(waits.pauseMs)
    }
}

/**
 * Applies a migration that begins with `-- no-transaction`, for `create index concurrently`: its statements, which end with
 * a semicolon at the end of a line, run one by one. After `-- run each row`, a statement makes others, such as an index for each
 * partition. A failed migration runs again from its first statement, so each index begins with
 * `drop index concurrently if exists`.
 */
async function applyStatements(owner: Client, migration: Migration): Promise<void> {
  try {
    for (const statement of statementsOf(migration.sql)) await runStatement(owner, statement)
    await record(owner, [migration])
  } catch (error) {
    throw new Error(
      `Migration ${migration.name} failed; it has no transaction, so the next start runs it again from its first statement`,
      { cause: error },
    )
  }
}

const statementsOf = (sql: string) => sql.split(/;[ \t]*$/m).filter(statement => statement.trim() !== '')

async function runStatement(owner: Client, statement: string): Promise<void> {
  const { rows } = await owner.query<Record<string, string>>(statement)
  if (!RUN_EACH_ROW.test(statement)) return
  for (const row of rows) for (const made of Object.values(row)) await owner.query(made)
}

const record = (owner: Client, applied: Migration[]) =>
  owner.query('insert into migrations (name, hash) select * from unnest($1::text[], $2::text[])', [
    applied.map(({ name }) => name),
    applied.map(({ hash }) => hash),
  ])
