import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldersOf } from './data-folder.ts'
import { isDamage, rebuildDatabase } from './rebuild-database.ts'
import { dropReserve } from './reserve.ts'
import type { RuntimeFolder } from './runtime-folder.ts'

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

function createTables(database: DatabaseSync): void {
  database.exec(TABLES)
  for (const [table, columns] of Object.entries(ADDED_COLUMNS)) {
    const known = new Set(
      database
        .prepare(`pragma table_info(${table})`)
        .all()
        .map(({ name }) => name),
    )
    for (const [column, type] of Object.entries(columns))
      if (!known.has(column)) database.exec(`alter table ${table} add column ${column} ${type}`)
  }
}

/** The first reads of a start: they find a damaged page. */
const FIRST_READS = [
  'select count(name), sum(length(value)) from state',
  'select * from quarantine',
  'select id, body from event where sent_at is null order by place limit 1',
  'select id, sequence, at from event order by place desc limit 1',
  `select max(sequence) from event where boot_id = ''`,
  'select max(at) from event',
]

/** @throws Error if the database cannot be written, or is damaged */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;')
    createTables(database)
    database.exec('begin immediate; rollback;')
    for (const read of FIRST_READS) database.prepare(read).all()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The path of a database that is on no disk. */
export const IN_MEMORY = ':memory:'
const COPY_PREFIX = 'floorcast-agent-copy-'
/** The copy in the runtime folder, which the next start goes on with. */
const KEPT_COPY = `${COPY_PREFIX}kept`

export const isKeptCopy = (path: string): boolean => basename(dirname(path)) === KEPT_COPY

/** When a database was last written, in milliseconds since 1970. */
const writtenAt = (path: string) =>
  Math.max(...['', '-wal'].map(part => statSync(path + part, { throwIfNoEntry: false })?.mtimeMs ?? 0))

/** The copy that a former start has left, on a disk that took no writes since. An older one is removed. */
function findKeptCopy(home: string, runtime: RuntimeFolder | null): string | null {
  for (const folder of runtime?.find(KEPT_COPY) ?? []) {
    const path = join(folder, basename(home))
    if (existsSync(path) && writtenAt(path) >= writtenAt(home)) return path
    removeCopy(path)
  }
  return null
}

/** Removes a copy that `openSomewhere` made. */
export function removeCopy(path: string): void {
  if (basename(dirname(path)).startsWith(COPY_PREFIX)) rmSync(dirname(path), { recursive: true, force: true })
}

/** Makes a damaged database again of what can be read of it. @throws Error if that cannot be written */
export function rebuildAt(home: string, why: string): DatabaseSync {
  const events = rebuildDatabase(home, openDatabase)
  console.error(
    `The store is damaged (${why}) and made again, with ${events} events; the former one is ${home}.unreadable`,
  )
  return openDatabase(home)
}

interface Opened {
  path: string
  database: DatabaseSync
  /** Why it was made again. */
  damage: string | null
}

/**
 * Opens the database in its folder; a damaged one is made again of what can be read. Else a copy in a temporary folder; else an empty
 * one in memory.
 */
export function openSomewhere(dataDir: string, runtime: RuntimeFolder | null): Opened {
  const { database: home } = foldersOf(dataDir)
  const kept = findKeptCopy(home, runtime)
  const attempts = [
    ...(kept === null ? [] : [() => kept]),
    () => home,
    () => {
      // A full disk has no room for SQLite's shared memory.
      if (!dropReserve(dataDir)) throw new Error('There is no reserve')
      return home
    },
    ...(runtime ? [() => copyTo(makeKeptFolder(runtime), home)] : []),
    ...[tmpdir(), '/dev/shm'].map(folder => () => copyTo(mkdtempSync(join(folder, COPY_PREFIX)), home)),
    () => IN_MEMORY,
  ]
  let failure: Error | undefined
  for (const attempt of attempts) {
    let path = home
    try {
      path = attempt()
      if (path === home) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      const { database, damage } = openOrRebuild(path)
      if (failure !== undefined)
        console.error(`The store cannot be written (${failure.message}); it is in ${path}`)
      return { path, database, damage }
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error))
      removeCopy(path)
    }
  }
  throw failure ?? new Error('No database can be opened')
}

function openOrRebuild(path: string): Pick<Opened, 'database' | 'damage'> {
  try {
    return { database: openDatabase(path), damage: null }
  } catch (error) {
    if (!isDamage(error) || path === IN_MEMORY) throw error
    const damage = String(error instanceof Error ? error.message : error)
    return { database: rebuildAt(path, damage), damage }
  }
}

function makeKeptFolder(runtime: RuntimeFolder): string {
  const folder = runtime.make(KEPT_COPY)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** Copies the database with its log, which may hold the newest commits. */
function copyTo(folder: string, home: string): string {
  const copy = join(folder, basename(home))
  try {
    // The log first: a copy that a kill leaves has both.
    for (const part of ['-wal', '']) if (existsSync(home + part)) copyFileSync(home + part, copy + part)
    return copy
  } catch (error) {
    removeCopy(copy)
    throw error
  }
}
