import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The paths inside an agent's data folder. */
export const foldersOf = (dataDir: string) => ({
  database: join(dataDir, 'agent.db'),
  media: join(dataDir, 'media'),
  token: join(dataDir, 'token'),
  reserve: join(dataDir, 'reserve'),
  lastNumber: join(dataDir, 'last-number'),
  progress: join(dataDir, 'progress'),
  updates: join(dataDir, 'updates'),
})

/** The agent's own entries of its data folder. */
const OWN_ENTRY = /^(agent\.db|lock\.db|token|media|reserve|last-number|progress|updates)/

/** Closes a data folder to other users of the machine, with the files and folders of earlier releases. */
export function restrictFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
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

const SQLITE_BUSY = 5

/**
 * Locks a data folder against a second agent for the lifetime of this process. The system releases the lock however the
 * process ends. A folder that cannot be written has no lock. @throws Error if another agent holds the lock.
 */
export function lockFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const lock = new DatabaseSync(join(dataDir, 'lock.db'))
    lock.exec('begin exclusive')
    locks.add(lock)
  } catch (cause) {
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY))
      return console.error(`The data folder cannot be locked: ${String(cause)}`)
    throw new Error(`Another agent runs in ${dataDir}. End it, or name another folder with --data`, { cause })
  }
}
/** Keeps references to the locks: garbage collection would release a lock without one. */
const locks = new Set<DatabaseSync>()
