import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { foldersOf } from './data-folder.ts'
import { IN_MEMORY, isKeptCopy, openDatabase, openSomewhere, rebuildAt, removeCopy } from './open-database.ts'
import { isDamage } from './rebuild-database.ts'
import { dropReserve, isFull, isUnwritable, keepReserve } from './reserve.ts'
import type { RuntimeFolder } from './runtime-folder.ts'
import { WaitingFile, type Write } from './waiting-file.ts'

/** The number of waiting writes that one transaction tries again, so that a full disk costs little. */
const MAX_WRITES_AT_ONCE = 200
const MAX_REBUILDS = 3
/** The longest wait of a write that needs no commit of its own. */
const MAX_LATER_MS = 300_000

type Row = Record<string, unknown>
/** Why the disk takes no writes, or that the store was damaged and is made again. */
export interface StoreTrouble {
  kind: 'full' | 'not-writable' | 'rebuilt'
  message: string
}

/**
 * The agent's SQLite database: events, state and quarantined files. A commit is on the disk when it returns, so a kill -9 or
 * a power cut loses no committed data.
 *
 * A disk that takes no writes stops nothing. Writes wait in memory and are tried again; a full disk first gets the reserve
 * file back. A database that cannot be opened for writing, on a read-only disk, is copied to a temporary folder and used
 * there. What waits, and that copy, are in the runtime folder, so that a kill loses none of it. A damaged one is made again of what can be read of it, at the start or when a statement finds it. `heal` brings the database back when the disk takes writes again, or when its folder was deleted.
 */
export class Store {
  readonly #dataDir: string
  #path: string
  #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** The waiting writes by key, the oldest first. A later write with the same key replaces an earlier one. */
  readonly #waiting = new Map<string, Write>()
  /** The writes that go with the next commit. */
  readonly #later = new Map<string, Write>()
  #laterSince = 0
  readonly #afterwards: (() => void)[] = []
  readonly #listeners: ((trouble: StoreTrouble) => void)[] = []
  #depth = 0
  #isTroubled = false
  /** A disk that damages what was made again is not written over and over. */
  #rebuilds = 0

  readonly #runtime: RuntimeFolder | null
  readonly #waitingFile: WaitingFile | null

  constructor(dataDir: string, runtime: RuntimeFolder | null) {
    this.#dataDir = dataDir
    this.#runtime = runtime
    this.#waitingFile = runtime && new WaitingFile(runtime)
    const { path, database, damage } = openSomewhere(dataDir, runtime)
    this.#path = path
    this.#database = database
    this.#recover()
    if (damage !== null) this.#tell({ kind: 'rebuilt', message: damage })
  }

  /** Takes the writes that a former start could not bring to the disk. Drops one that is not a statement of this version. */
  #recover(): void {
    const writes = this.#waitingFile?.read() ?? []
    for (let from = 0; from < writes.length; from += MAX_WRITES_AT_ONCE) {
      const together = writes.slice(from, from + MAX_WRITES_AT_ONCE)
      if (this.#commit(together) === null) continue
      for (const [key, write] of together)
        if (isUnwritable(this.#commit([[key, write]]))) this.#waiting.set(key, write)
    }
    if (this.#waiting.size === 0) this.#waitingFile?.clear()
  }

  /** The values of writes that wait, of keys that begin so. */
  *waitingValues(beginning: string): Generator<readonly SQLInputValue[]> {
    for (const [key, { values }] of this.#waiting) if (key.startsWith(beginning)) yield values
  }

  get #isAtHome(): boolean {
    return this.#path === foldersOf(this.#dataDir).database
  }

  /** Called once each time that the disk begins to take no writes, and when the store was made again. */
  onTrouble(listener: (trouble: StoreTrouble) => void): void {
    this.#listeners.push(listener)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#reading(() => this.#prepare(sql).get(...values))
  }
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#reading(() => this.#prepare(sql).all(...values))
  }
  iterate(sql: string): Iterable<Row> {
    return this.#prepare(sql).iterate()
  }
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Writes, or keeps the write in memory until the disk takes it. It must be harmless to execute it twice. */
  write(key: string, sql: string, ...values: SQLInputValue[]): void {
    this.#waiting.delete(key)
    this.#waiting.set(key, { sql, values })
    if (this.#depth === 0) this.flush()
  }
  /** Writes with the next commit, within five minutes: a kill may lose it, and a card wears less. */
  writeLater(key: string, sql: string, ...values: SQLInputValue[]): void {
    if (this.#later.size === 0) this.#laterSince = performance.now()
    this.#later.set(key, { sql, values })
    if (this.#later.size >= MAX_WRITES_AT_ONCE) this.flushAll()
  }
  /** Whether a write is in memory only. */
  isWaiting(key: string): boolean {
    return this.#waiting.has(key) || this.#later.has(key)
  }
  /** Drops a write that waits in memory. */
  forget(key: string): void {
    this.#waiting.delete(key)
  }
  /** Executes the writes of `work` in one transaction, unless others wait already. */
  together(work: () => void): void {
    this.#depth += 1
    try {
      work()
    } finally {
      this.#depth -= 1
      if (this.#depth === 0) this.flush()
    }
    if (this.#depth === 0) for (const each of this.#afterwards.splice(0)) each()
  }
  /** Calls `work` when the writes of `together` were tried, or at once. */
  afterwards(work: () => void): void {
    if (this.#depth > 0) this.#afterwards.push(work)
    else work()
  }

  /** Tries the writes that wait. */
  flush(): void {
    const isDue = this.#waiting.size > 0 || performance.now() - this.#laterSince > MAX_LATER_MS
    if (isDue) return this.flushAll()
  }

  /** Tries all writes, also those that may come later. */
  flushAll(): void {
    for (const [key, write] of this.#later) this.#waiting.set(key, write)
    this.#later.clear()
    while (this.#waiting.size > 0) {
      const writes = [...this.#waiting].slice(0, MAX_WRITES_AT_ONCE)
      const error = this.#commit(writes)
      const isMended = error !== null && (this.#giveUpReserve(error) || this.#rebuild(error))
      if (error !== null && !(isMended && this.#commit(writes) === null)) {
        this.#waitingFile?.save(this.#waiting)
        return this.#tellTrouble(error)
      }
      for (const [key, write] of writes) if (this.#waiting.get(key) === write) this.#waiting.delete(key)
    }
    this.#waitingFile?.clear()
  }

  /**
   * Restores what the disk has lost: a deleted folder, the reserve, writes that wait. Returns whether the folder was made
   * again, so that its lock must be taken again. Call it at the start and periodically.
   */
  heal(): boolean {
    const isMoved = this.#isAtHome ? !existsSync(this.#path) && this.#moveHome() : this.#moveHome()
    this.flush()
    if (this.#isAtHome && this.#waiting.size === 0 && keepReserve(this.#dataDir)) this.#isTroubled = false
    return isMoved
  }

  close(): void {
    this.flushAll()
    this.#database.close()
    // The next start takes that of the runtime folder: it has what the disk did not take.
    if (!this.#isAtHome && !isKeptCopy(this.#path)) removeCopy(this.#path)
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Returns the error, or null after the commit. */
  #commit(writes: readonly (readonly [string, Write])[]): unknown {
    try {
      this.#database.exec('begin immediate')
      for (const [, { sql, values }] of writes) this.#prepare(sql).run(...values)
      this.#database.exec('commit')
      return null
    } catch (error) {
      this.#rollBack()
      return error
    }
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!this.#rebuild(error)) throw error
      return read()
    }
  }

  /** Makes a damaged database again. Returns whether it did. */
  #rebuild(error: unknown): boolean {
    if (!isDamage(error) || !this.#isAtHome || this.#rebuilds >= MAX_REBUILDS) return false
    this.#rebuilds += 1
    const message = error instanceof Error ? error.message : String(error)
    this.#statements.clear()
    try {
      this.#database.close()
      this.#database = rebuildAt(this.#path, message)
      this.#tell({ kind: 'rebuilt', message })
      return true
    } catch (cause) {
      const { path, database } = openSomewhere(this.#dataDir, this.#runtime)
      this.#path = path
      this.#database = database
      this.#tellTrouble(cause)
      return true
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec('rollback')
    } catch {
      // The error has ended the transaction, or it has not begun. Node 22.13 cannot tell.
    }
  }

  /** Copies the database, also a deleted one that is still open, to its place on the disk. */
  #moveHome(): boolean {
    const home = foldersOf(this.#dataDir).database
    const copy = `${home}.new`
    try {
      mkdirSync(this.#dataDir, { recursive: true, mode: 0o700 })
      rmSync(copy, { force: true })
      this.#database.exec(`vacuum into '${copy.replaceAll("'", "''")}'`)
      // The log of the former database does not belong to the copy.
      for (const rest of ['-wal', '-shm']) rmSync(home + rest, { force: true })
      // Only a database that could not even be read is replaced by one of the memory.
      if (this.#path === IN_MEMORY && existsSync(home)) renameSync(home, `${home}.unreadable`)
      renameSync(copy, home)
      const database = openDatabase(home)
      const former = this.#path
      this.#statements.clear()
      this.#database.close()
      this.#database = database
      this.#path = home
      if (former !== home) removeCopy(former)
      this.#runtime?.tidy()
      return true
    } catch (error) {
      rmQuietly(copy)
      this.#tellTrouble(error)
      return false
    }
  }

  #giveUpReserve(error: unknown): boolean {
    const isGivenUp = isFull(error, this.#dataDir) && dropReserve(this.#dataDir)
    if (isGivenUp) this.#tellTrouble(error)
    return isGivenUp
  }

  #tellTrouble(error: unknown): void {
    if (this.#isTroubled) return
    this.#isTroubled = true
    const message = error instanceof Error ? error.message : String(error)
    console.error(`The store cannot be written: ${message}`)
    this.#tell({ kind: isFull(error, this.#dataDir) ? 'full' : 'not-writable', message })
  }

  /** The writes of the listeners wait, too; `flush` may have called this. A new store has none yet. */
  #tell(trouble: StoreTrouble): void {
    queueMicrotask(() => this.#listeners.forEach(listener => listener(trouble)))
  }
}

function rmQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The disk takes no writes.
  }
}

/** Opens the agent's store and creates it if necessary. Only the agent itself has a runtime folder. */
export const openStore = (dataDir: string, runtime: RuntimeFolder | null = null): Store =>
  new Store(dataDir, runtime)
