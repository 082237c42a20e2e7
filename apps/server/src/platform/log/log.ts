import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Paths whose values never reach the log, should a line ever hold them. */
const SECRETS = ['authorization', 'password', 'token', 'ticket', 'licenseKey'].flatMap(name => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])

/** PostgreSQL puts whole rows into `detail`, and so password hashes: only what names the fault is kept. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const fields = new Map(Object.entries(error))
  const kept = Object.fromEntries(
    ['code', 'constraint', 'table', 'column', 'syscall'].flatMap(name =>
      fields.get(name) === undefined ? [] : [[name, fields.get(name)]],
    ),
  )
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { type: error.name, message: error.message, stack: error.stack, ...kept, ...cause }
}

/** The program's log: JSON lines on standard output unless told otherwise. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[secret]' },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

export interface LogFile {
  path: string
  destination: DestinationStream
}

/**
 * A log in a file, for a start at a terminal, where lines of JSON would bury what a person is told. The former start's is
 * kept beside it as `server.log.1`.
 */
export function openLogFile(dataDir: string): LogFile {
  const path = join(dataDir, 'server.log')
  mkdirSync(dataDir, { recursive: true })
  if (existsSync(path)) renameSync(path, `${path}.1`)
  return { path, destination: pino.destination({ dest: path, sync: true }) }
}
