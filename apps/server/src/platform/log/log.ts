import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Paths whose values are redacted if a log line has them. */
const SECRETS = ['authorization', 'password', 'token', 'ticket', 'licenseKey'].flatMap(name => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])

/** Describes an error without `detail`, where PostgreSQL puts whole rows, with password hashes. */
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

/** Makes the program's log: JSON lines, on standard output by default. */
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
 * Opens a log in a file, for a start at a terminal, where lines of JSON would hide the messages to the user. The log of the
 * former start is kept as `server.log.1`.
 */
export function openLogFile(dataDir: string): LogFile {
  const path = join(dataDir, 'server.log')
  mkdirSync(dataDir, { recursive: true })
  if (existsSync(path)) renameSync(path, `${path}.1`)
  return { path, destination: pino.destination({ dest: path, sync: true }) }
}
