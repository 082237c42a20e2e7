import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '@floorcast/server/platform/database/database.ts'
import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { atTheEnd } from './at-the-end.ts'
import { timed } from './test-times.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the PostgreSQL that all test files share. */
    postgresUrl: string
  }
}

export interface DatabaseUrls {
  /** The value of DATABASE_URL: the user owns the database and is not a superuser. */
  url: string
  /** For looking at everything, past row-level security. */
  superuserUrl: string
}

export interface TestDatabase extends DatabaseUrls {
  /** Opened, with its pools; closed after the file's tests. */
  database: Database
}

/** Runs with a connection of the cluster's superuser, closed afterwards. */
export async function asSuperuser<T>(url: string, work: (superuser: Client) => Promise<T>): Promise<T> {
  const superuser = new Client({ connectionString: url })
  await superuser.connect()
  try {
    return await work(superuser)
  } finally {
    await superuser.end()
  }
}

let maker: Pool | undefined

/**
 * Runs a statement on databases, over one connection of the worker's: to open one costs as much as the statement. It ends with
 * PostgreSQL.
 */
async function changeDatabases(statement: string): Promise<void> {
  maker ??= new Pool({ connectionString: inject('postgresUrl'), max: 1, idleTimeoutMillis: 0 }).on(
    'error',
    () => undefined,
  )
  const pool = maker
  await timed('databases', () => pool.query(statement))
}

/** A database cloned from the migrated template (40–150 ms). It ends with the run. */
export async function createDatabase(): Promise<DatabaseUrls> {
  const shared = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await changeDatabases(`create database ${name} template floorcast owner floorcast strategy file_copy`)
  const superuserUrl = Object.assign(new URL(shared), { pathname: `/${name}` }).href
  const url = Object.assign(new URL(superuserUrl), { username: 'floorcast' }).href
  return { url, superuserUrl }
}

/** The same, for a server started as a process; dropped after the file's tests. */
export async function cloneDatabase(): Promise<DatabaseUrls> {
  const urls = await createDatabase()
  const name = new URL(urls.superuserUrl).pathname.slice(1)
  atTheEnd(() => changeDatabases(`drop database ${name} with (force)`))
  return urls
}

/**
 * A database of this test file's own, cloned from the migrated template and dropped after the file's tests. Call it once at
 * the top of a file or in `beforeAll`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const urls = await cloneDatabase()
  const database = openDatabase({ url: urls.url, lost: () => undefined })
  atTheEnd(() => database.close())
  return { ...urls, database }
}

let shared: Promise<TestDatabase> | undefined

/**
 * The database that the test files of a worker share, one after another: its connections know the catalog and the statements
 * of the file before. It has the rows of the migrations alone when a file begins.
 */
export async function sharedDatabase(): Promise<TestDatabase> {
  shared ??= openShared()
  const opened = await shared
  atTheEnd(() =>
    timed('databases', () => asSuperuser(opened.superuserUrl, superuser => superuser.query(EMPTY_TABLES))),
  )
  return opened
}

async function openShared(): Promise<TestDatabase> {
  const urls = await createDatabase()
  const database = openDatabase({ url: urls.url, lost: () => undefined })
  const close = () => Promise.reject(new Error('Other test files use it too: say hasOwnDatabase'))
  return { ...urls, database: { ...database, close } }
}

/** Deletes the rows of all tables but those that migrations fill, without triggers and checks: none is left to break them. */
const EMPTY_TABLES = `do $$
  declare named text;
  begin
    set local session_replication_role = replica;
    for named in select oid::regclass from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('migrations', 'plans')
    loop
      execute 'delete from ' || named;
    end loop;
  end $$`

/** An empty database, no migration applied, owned by `owner`; dropped after the file's tests. For tests of the start itself. */
export async function emptyDatabase(owner = 'floorcast'): Promise<{ url: string; superuserUrl: string }> {
  const shared = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(shared, superuser => superuser.query(`create database ${name} owner ${owner}`))
  atTheEnd(() =>
    asSuperuser(shared, superuser => superuser.query(`drop database if exists ${name} with (force)`)),
  )
  const superuserUrl = Object.assign(new URL(shared), { pathname: `/${name}` }).href
  return { superuserUrl, url: Object.assign(new URL(superuserUrl), { username: owner }).href }
}
