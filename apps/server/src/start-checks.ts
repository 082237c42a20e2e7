import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Log } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import { FOLDER_MODE } from './platform/storage/private-folder.ts'

/*
 * What could keep a server from working is found before it makes or changes anything. Each error names the setting and says what to do.
 */

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/**
 * Holds DATA_DIR with its embedded database until the process ends, on Linux by a socket whose name is the folder's, and elsewhere not at
 * all: the server that ends first would stop PostgreSQL under the other (docs/decisions/0323).
 * @throws Error if another server has it
 */
export async function holdDataFolder(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE })
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)
  const holder = createServer(socket => socket.destroy())
  try {
    const listening = once(holder, 'listening')
    // An abstract socket ends with its process, however that ends.
    holder.listen(`\0floorcast ${name}`)
    await listening
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    throw new Error(
      `Another server works in DATA_DIR ${dataDir}, with the database there. Stop it, or set another DATA_DIR`,
      {
        cause: error,
      },
    )
  }
  holder.unref()
}

/** Beside connections: the database's, files and pipes. */
const OTHER_FILES = 500

/** The connections for which the process may open files; null where the system does not say. */
export function connectionsOfLimit(limits: string | null): number | null {
  const most = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1]
  return most === undefined ? null : Math.max(0, Number(most) - OTHER_FILES)
}

/** The limits of this process; null where the system has none. */
export function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return null
  }
}

const DEFAULT_CONNECTIONS = 20_000
/** Fewer than these are no server. */
const MIN_CONNECTIONS = 10

type ConnectionSettings = Pick<Settings, 'maxConnections'>

/** The connections that the server lets in: MAX_CONNECTIONS, and without it no more than it may open files for. */
export function countConnections({ maxConnections }: ConnectionSettings, limits = readLimits()): number {
  const most = connectionsOfLimit(limits) ?? DEFAULT_CONNECTIONS
  return maxConnections ?? Math.max(MIN_CONNECTIONS, Math.min(DEFAULT_CONNECTIONS, most))
}

/** The log tells of a limit below the default. @throws Error if MAX_CONNECTIONS is above what the process may open */
export function requireOpenFiles(settings: ConnectionSettings, log: Log, limits = readLimits()): void {
  const most = connectionsOfLimit(limits)
  const connections = countConnections(settings, limits)
  if (most !== null && connections > most)
    throw new Error(
      `MAX_CONNECTIONS is ${connections}, and this process may open files for ${most} (ulimit -n): raise LimitNOFILE in the unit, or set a lower MAX_CONNECTIONS`,
    )
  if (settings.maxConnections === null && connections < DEFAULT_CONNECTIONS)
    log.info(
      `${connections} connections are let in, as the limit of open files allows (ulimit -n): for up to ${DEFAULT_CONNECTIONS} raise LimitNOFILE in the unit`,
    )
}
