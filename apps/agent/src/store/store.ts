import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What the agent keeps in one SQLite file: its events, its state and what it quarantined. */
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
    failures integer not null
  ) strict;
`

/** Where everything of one agent lives, inside its data folder. */
export const foldersOf = (dataDir: string) => ({
  database: join(dataDir, 'agent.db'),
  media: join(dataDir, 'media'),
  token: join(dataDir, 'token'),
})

/**
 * Opens the agent's store, made when it is not there. Every commit is on the disk when it returns: a kill -9 or a power
 * cut loses nothing that was written.
 */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const store = new DatabaseSync(foldersOf(dataDir).database, { timeout: 5000 })
  store.exec('pragma journal_mode = wal; pragma synchronous = full;')
  store.exec(TABLES)
  return store
}

/**
 * Keeps a second agent out of a data folder for as long as this process lives; the system lets go of the lock however
 * the process ends. Raises when another agent holds it.
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
/** A lock that nothing refers to would be collected and let go. */
const locks = new Set<DatabaseSync>()

/** All of `work` is written, or nothing; a full disk is said and survived. */
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
