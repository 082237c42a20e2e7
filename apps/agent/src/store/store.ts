import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The agent's SQLite database: events, state and quarantined files. */
export type Store = DatabaseSync

const TABLES = `
  create table if not exists event (
    place integer primary key autoincrement,
    id text not null unique,
    boot_id text not null,
    sequence integer not null,
    at integer not null,
    body text not null,
    sent_at integer,
    refused text,
    unique (boot_id, sequence)
  ) strict;
  create index if not exists event_unsent on event (place) where sent_at is null;
  create index if not exists event_at on event (at);
  create table if not exists state (name text primary key, value text not null) strict;
  create table if not exists quarantine (
    sha256 text primary key,
    name text not null,
    why text not null,
    failures integer not null,
    failed_at integer not null default 0
  ) strict;
`

/** Columns that databases of former versions lack, by their table. */
const ADDED_COLUMNS = { quarantine: { failed_at: 'integer not null default 0' } }

function addColumns(store: Store): void {
  for (const [table, columns] of Object.entries(ADDED_COLUMNS)) {
    const known = new Set(
      store
        .prepare(`pragma table_info(${table})`)
        .all()
        .map(({ name }) => name),
    )
    for (const [column, type] of Object.entries(columns))
      if (!known.has(column)) store.exec(`alter table ${table} add column ${column} ${type}`)
  }
}

/** The paths inside an agent's data folder. */
export const foldersOf = (dataDir: string) => ({
  database: join(dataDir, 'agent.db'),
  media: join(dataDir, 'media'),
  token: join(dataDir, 'token'),
})

/**
 * Opens the agent's database and creates it if necessary. A commit is on the disk when it returns, so a kill -9 or a power
 * cut loses no committed data.
 */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const store = new DatabaseSync(foldersOf(dataDir).database, { timeout: 5000 })
  store.exec('pragma journal_mode = wal; pragma synchronous = full;')
  store.exec(TABLES)
  addColumns(store)
  return store
}

/** The agent's own entries of its data folder. */
const OWN_ENTRY = /^(agent\.db|lock\.db|token|media)/

/** Closes a data folder to other users of the machine, with the files and folders of earlier releases. */
export function restrictFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    chmodSync(dataDir, 0o700)
    for (const name of readdirSync(dataDir)) if (OWN_ENTRY.test(name)) restrict(join(dataDir, name))
  } catch (error) {
    console.error(`The data folder cannot be closed to other users: ${String(error)}`)
  }
}

function restrict(path: string): void {
  const facts = lstatSync(path)
  if (facts.isFile()) chmodSync(path, 0o600)
  if (!facts.isDirectory()) return
  chmodSync(path, 0o700)
  for (const name of readdirSync(path)) restrict(join(path, name))
}

/**
 * Locks a data folder against a second agent for the lifetime of this process. The system releases the lock however the
 * process ends. @throws Error if another agent holds the lock.
 */
export function lockFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(dataDir, 'lock.db'))
  try {
    lock.exec('begin exclusive')
    locks.add(lock)
  } catch (cause) {
    throw new Error(`Another agent runs in ${dataDir}. End it, or name another folder with --data`, { cause })
  }
}
/** Keeps references to the locks: garbage collection would release a lock without one. */
const locks = new Set<DatabaseSync>()

/** Runs `work` in a transaction. If the disk is full, it prints the error and continues. */
export function inTransaction(store: Store, work: () => void): void {
  try {
    store.exec('begin immediate')
  } catch (error) {
    console.error(`The store cannot be written: ${String(error)}`)
    work()
    return
  }
  work()
  try {
    store.exec('commit')
  } catch (error) {
    console.error(`The store cannot be written: ${String(error)}`)
    if (store.isTransaction) store.exec('rollback')
  }
}
