import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const [SQLITE_CORRUPT, SQLITE_NOTADB] = [11, 26]

/** Whether a statement failed because the database's file is damaged. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(Number(error.errcode) & 0xff)

/** Rows that are read at once; where one of them cannot be, each alone. */
const ROWS_AT_ONCE = 100
/** Events that the server has are of use to a technician alone. */
const MAX_SENT_EVENTS = 2000

/** Runs `read`, or returns its default where the file is damaged. */
function orElse<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Copies the rows whose rowids are in a range. A statement that fails is tried again for each row. */
function copyRange(
  database: DatabaseSync,
  table: { name: string; columns: string; where: string },
  [from, to]: [number, number],
): void {
  const { name, columns, where } = table
  const copy = (first: number, last: number) =>
    database.exec(
      `insert or ignore into ${name} (${columns}) select ${columns} from former.${name} not indexed
       where rowid between ${first} and ${last} and ${where}`,
    )
  for (let first = from; first <= to; first += ROWS_AT_ONCE) {
    const last = Math.min(to, first + ROWS_AT_ONCE - 1)
    try {
      copy(first, last)
    } catch {
      for (let row = first; row <= last; row += 1) orElse(undefined, () => copy(row, row))
    }
  }
}

function copyTable(database: DatabaseSync, name: string, { where = 'true', newest = Infinity } = {}): number {
  const columns = database
    .prepare(`pragma main.table_info(${name})`)
    .all()
    .map(column => String(column['name']))
    .join()
  const edge = (end: 'min' | 'max') =>
    orElse(null, () => database.prepare(`select ${end}(rowid) as edge from former.${name}`).get()?.['edge'])
  const last = Number(
    edge('max') ??
      orElse(
        0,
        () => database.prepare('select seq from former.sqlite_sequence where name = ?').get(name)?.['seq'],
      ) ??
      0,
  )
  const first = Math.max(Number(edge('min') ?? 1), last - newest + 1)
  copyRange(database, { name, columns, where }, [first, last])
  return Number(database.prepare(`select count(*) as rows from main.${name}`).get()?.['rows'])
}

/** SQLite reads nothing of a file that is shorter than its header says: what it lost becomes zeros. */
function restoreLength(path: string): void {
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  readSync(file, header)
  closeSync(file)
  const bytes = header.readUInt16BE(16) * header.readUInt32BE(28)
  if (header.toString('latin1', 0, 15) === 'SQLite format 3' && statSync(path).size < bytes)
    truncateSync(path, bytes)
}

/**
 * Makes a database of what can be read of a damaged one: its state, its quarantine, the events that the server lacks, and the newest
 * ones that it has. The damaged files stay beside it with `.unreadable` in their names.
 * @param create opens an empty database with its tables
 * @returns the number of events
 */
export function rebuildDatabase(home: string, create: (path: string) => DatabaseSync): number {
  const fresh = `${home}.new`
  for (const rest of ['', '-wal', '-shm']) rmSync(fresh + rest, { force: true })
  const database = create(fresh)
  let events = 0
  try {
    orElse(undefined, () => restoreLength(home))
    orElse(undefined, () => database.exec(`attach database '${home.replaceAll("'", "''")}' as former`))
    orElse(0, () => copyTable(database, 'state'))
    orElse(0, () => copyTable(database, 'quarantine'))
    orElse(0, () => copyTable(database, 'event', { where: 'sent_at is null' }))
    events = orElse(0, () =>
      copyTable(database, 'event', { where: 'sent_at is not null', newest: MAX_SENT_EVENTS }),
    )
    orElse(undefined, () => database.exec('detach database former'))
    database.exec('pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
  for (const rest of ['-wal', '-shm', ''])
    if (existsSync(home + rest)) renameSync(home + rest, `${home}.unreadable${rest}`)
  for (const rest of ['-wal', '-shm']) rmSync(fresh + rest, { force: true })
  renameSync(fresh, home)
  return events
}
