import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')

/** A real server in a separate process. */
export interface ServerProcess {
  /** http://localhost:PORT */
  url: string
  pid: number
  stop: () => Promise<void>
  /** Ends it without warning. */
  kill: () => Promise<void>
}

export interface ServerOptions {
  /** Any free port by default. */
  port?: number
  /** Arguments of Node, such as `--cpu-prof`. */
  nodeArguments?: readonly string[]
  environment?: Record<string, string>
}

async function readAddress(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('The server has no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\/\/localhost:\d+/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The server ended before it said where it is')
}

/** Starts the server on a free port with an embedded database in `dataDir`, or with the database at `databaseUrl`. */
export function startServer(
  dataDir: string,
  databaseUrl = '',
  { port = 0, nodeArguments = [], environment = {} }: ServerOptions = {},
): Promise<ServerProcess> {
  return startProgram(
    'apps/server/src/main.ts',
    { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: String(port), ...environment },
    nodeArguments,
  )
}

/** Kills a program when this process ends, by a signal too. */
export function endWithThisProcess(program: ChildProcess): void {
  process.once('exit', () => program.kill('SIGKILL'))
}

/** Starts a program that prints its address as the server does. */
export async function startProgram(
  path: string,
  environment: Record<string, string> = {},
  nodeArguments: readonly string[] = [],
): Promise<ServerProcess> {
  const settings = { PORT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '0', ...environment }
  const server = spawn(process.execPath, [...nodeArguments, path], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 2],
  })
  endWithThisProcess(server)
  const ended = once(server, 'exit')
  const url = await readAddress(server)
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal)
    await ended
  }
  return { url, pid: server.pid ?? 0, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

const kilobytesOf = (pid: number, field: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** The memory of a process, in MB (Linux). */
export const residentMegabytes = (pid: number): number => kilobytesOf(pid, 'VmRSS') / 1000

/** The most memory that a process has had, in MB; 0 when it has ended (Linux). */
export function peakMegabytes(pid: number): number {
  try {
    return kilobytesOf(pid, 'VmHWM') / 1000 || 0
  } catch {
    return 0
  }
}

/** The peak growth of a process's memory while `work` ran, in MB (Linux). */
export async function measureMemoryGrowth(pid: number, work: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5') // resets the peak
  const before = kilobytesOf(pid, 'VmRSS')
  await work()
  return (kilobytesOf(pid, 'VmHWM') - before) / 1000
}
