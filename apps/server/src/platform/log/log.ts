import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions } from 'pino'

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

/** Lines that this process has logged, for monitors. */
export const linesByLevel = { warn: 0, error: 0, fatal: 0 }

const LEVELS = new Map<number, keyof typeof linesByLevel>([
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
])

/** Makes the program's log: JSON lines, on standard output by default. Each line has what `base` says. */
export function makeLog(
  level: string,
  destination?: DestinationStream,
  base: Record<string, string> | null = null,
): Log {
  const options: LoggerOptions = {
    level,
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[secret]' },
    serializers: { err: describeError },
    hooks: {
      logMethod(args: Parameters<LogFn>, write: LogFn, level: number) {
        const name = LEVELS.get(level)
        if (name !== undefined) linesByLevel[name] += 1
        write.apply(this, args)
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

export interface LogFile {
  path: string
  destination: DestinationStream
}

/** With the former ones, the log takes at most five times as much. */
const MAX_FILE_BYTES = 20_000_000
const FORMER_FILES = 4

/** Renames `path` to `path.1`, `path.1` to `path.2` and so on; the last one is overwritten. */
function keepFormer(path: string): void {
  const nameOf = (number: number) => (number === 0 ? path : `${path}.${number}`)
  for (let number = FORMER_FILES; number > 0; number -= 1)
    if (existsSync(nameOf(number - 1))) renameSync(nameOf(number - 1), nameOf(number))
}

/** Writes lines to a file, and begins a new one when it is full. */
function openRotatingFile(path: string, maxBytes: number): DestinationStream {
  const open = () => openSync(path, 'a', 0o600)
  let file = open()
  let bytes = fstatSync(file).size
  return {
    write(line) {
      const length = Buffer.byteLength(line)
      if (bytes > 0 && bytes + length > maxBytes) {
        closeSync(file)
        keepFormer(path)
        file = open()
        bytes = 0
      }
      writeSync(file, line)
      bytes += length
    },
  }
}

/**
 * Opens a log in a file, for a start at a terminal, where lines of JSON would hide the messages to the user. The log of the
 * former start is kept as `server.log.1`. A file that is full is kept so, too.
 */
export function openLogFile(dataDir: string, maxBytes = MAX_FILE_BYTES): LogFile {
  const path = join(dataDir, 'server.log')
  mkdirSync(dataDir, { recursive: true })
  keepFormer(path)
  return { path, destination: openRotatingFile(path, maxBytes) }
}
