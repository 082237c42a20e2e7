import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** What postmaster.pid says: PostgreSQL writes it line by line as it starts. */
export interface Postmaster {
  pid: number
  port: number
  isReady: boolean
}

/** Reads postmaster.pid of a data folder; null when there is none or it is not yet whole. */
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
 * The postmaster that lives in this data folder, or null after removing a postmaster.pid that nobody stands behind: its
 * process is gone, is a zombie that nobody reaped, or is another program that got its number.
 */
export async function findLivingPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const written = readPostmaster(dataFolder)
  if (written && (await livesIn(written.pid, dataFolder))) return written
  await lastBackendsGone(dataFolder)
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true })
  return null
}

/** Backends whose postmaster was killed end by themselves, but PostgreSQL must not be started over them. */
async function lastBackendsGone(dataFolder: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (!someProcessIn(dataFolder)) return
    await pause(50)
  }
  throw new Error(`Processes of a former PostgreSQL still work in ${dataFolder}: end them, then start again`)
}

async function livesIn(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return commandOf(pid).includes(dataFolder)
  return isAlive(pid) && workingFolder(pid) === realpathSync(dataFolder)
}

/** Is the process there, and no zombie? */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    try {
      // "pid (name) S …": the name may hold anything, so the state is looked for after the last parenthesis.
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

function someProcessIn(dataFolder: string): boolean {
  if (process.platform !== 'linux') return false
  const folder = realpathSync(dataFolder)
  return readdirSync('/proc').some(
    entry => /^\d+$/.test(entry) && workingFolder(Number(entry)) === folder && isAlive(Number(entry)),
  )
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/**
 * Stops a postmaster: fast shutdown (sessions end, a checkpoint is written), and after `patienceMillis` an immediate one,
 * from which the next start recovers.
 */
export async function stopPostmaster(pid: number, patienceMillis = 7000): Promise<void> {
  for (const [signal, patience] of [['SIGINT', patienceMillis] as const, ['SIGQUIT', 2000] as const]) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (let waited = 0; waited < patience && isAlive(pid); waited += 10) await pause(10)
  }
}
