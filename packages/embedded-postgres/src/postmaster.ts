import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** The content of postmaster.pid, which PostgreSQL writes line by line during its start. */
export interface Postmaster {
  pid: number
  port: number
  isReady: boolean
}

/** Reads postmaster.pid of a data folder; null if it is missing or incomplete. */
export function readPostmaster(dataFolder: string): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, port, isReady: lines[7]?.trim() === 'ready' && port > 0 }
}

/**
 * Finds the postmaster that runs in a data folder. Otherwise it removes a stale postmaster.pid, whose process has ended, is
 * a zombie or is another program with the same id, and returns null.
 */
export async function findRunningPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const written = readPostmaster(dataFolder)
  if (written && (await runsIn(written.pid, dataFolder))) return written
  await waitForLastBackends(dataFolder)
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true })
  return null
}

/** Waits for the backends of a killed postmaster: they end soon, and PostgreSQL must not start before that. */
async function waitForLastBackends(dataFolder: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (!hasProcessIn(dataFolder)) return
    await pause(50)
  }
  throw new Error(`Processes of a former PostgreSQL still run in ${dataFolder}: end them, then start again`)
}

async function runsIn(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return readCommand(pid).includes(dataFolder)
  if (!isAlive(pid)) return false
  const folder = readWorkingFolder(pid)
  return folder === undefined ? runsWith(pid, dataFolder) : folder === realpathSync(dataFolder)
}

/** Whether the folder is among the arguments, which every user may read. */
function runsWith(pid: number, dataFolder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(dataFolder)
  } catch {
    return false
  }
}

/** Whether the process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    try {
      // "pid (name) S …": the name may contain anything, so the state follows the last parenthesis.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return !/^[ZX]$/.test(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? 'X')
    } catch {
      return false
    }
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function hasProcessIn(dataFolder: string): boolean {
  if (process.platform !== 'linux') return false
  const folder = realpathSync(dataFolder)
  return readdirSync('/proc').some(
    entry => /^\d+$/.test(entry) && readWorkingFolder(Number(entry)) === folder && isAlive(Number(entry)),
  )
}

/** Undefined: it is hidden, as from a service with PrivateUsers; null: there is none. */
function readWorkingFolder(pid: number): string | null | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? undefined : null
  }
}

function readCommand(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Stops a postmaster: a fast shutdown and, after `timeoutMs`, an immediate one, from which the next start recovers. */
export async function stopPostmaster(pid: number, timeoutMs = 7000): Promise<void> {
  for (const [signal, limitMs] of [['SIGINT', timeoutMs] as const, ['SIGQUIT', 2000] as const]) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (let waitedMs = 0; waitedMs < limitMs && isAlive(pid); waitedMs += 10) await pause(10)
  }
}
