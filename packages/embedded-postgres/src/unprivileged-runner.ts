import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { binariesIn, type PostgresBinaries } from './postgres-binaries.ts'

/** The user id of `nobody` on every Linux. */
const NOBODY = 65_534
const FALLBACK_FOLDER = '/var/lib/floorcast'

/** The user, the binaries and the folder with which PostgreSQL runs. */
export interface Runner {
  /** The command before the program: `unshare …`, or nothing. */
  prefix: string[]
  /** The user to drop to; null means the current user. */
  user: number | null
  binaries: PostgresBinaries
  dataFolder: string
}

export interface RunnerChoice {
  binaries: PostgresBinaries
  dataFolder: string
  /** The folder for copies of binaries and data whose own folders the user `nobody` cannot enter. */
  fallbackFolder?: string
  /** Whether user namespaces are available; probed by default. */
  canUnshare?: boolean
}

const UNSHARE_ARGUMENTS = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/**
 * Chooses how PostgreSQL runs, because it refuses to run as root:
 *
 * 1. For any other user, it runs as that user.
 * 2. For root, it runs in a user namespace, in which the files stay root's and PostgreSQL sees itself as `nobody`.
 * 3. If namespaces are forbidden, it runs as `nobody`. If `nobody` cannot enter the project's or the data's folder, it
 *    runs from a copy below /var/lib/floorcast.
 */
export function chooseRunner(choice: RunnerChoice): Runner {
  const { binaries, dataFolder } = choice
  if (process.getuid?.() !== 0) return { prefix: [], user: null, binaries, dataFolder }
  const moved = fallbackFolderOf(choice)
  const isMoved = existsSync(join(moved, 'postgres', 'PG_VERSION'))
  const owner = existsSync(dataFolder) ? statSync(dataFolder).uid : 0
  if (!isMoved && owner === 0 && (choice.canUnshare ?? canUnshare()))
    return { prefix: ['unshare', ...UNSHARE_ARGUMENTS], user: null, binaries, dataFolder }
  return runAs(owner === 0 ? NOBODY : owner, choice, moved)
}

function canUnshare(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...UNSHARE_ARGUMENTS, 'true']).status === 0
}

function fallbackFolderOf({ dataFolder, fallbackFolder = FALLBACK_FOLDER }: RunnerChoice): string {
  return join(fallbackFolder, createHash('sha256').update(dataFolder).digest('hex').slice(0, 16))
}

function runAs(user: number, choice: RunnerChoice, moved: string): Runner {
  const binaries = canEnter(choice.binaries.postgres, user) ? choice.binaries : copyBinaries(choice)
  mkdirSync(choice.dataFolder, { recursive: true, mode: 0o700 })
  openForPassage(join(choice.dataFolder, '..'))
  const isEnterable = canEnter(join(choice.dataFolder, '..'), user) && !existsSync(join(moved, 'postgres'))
  const dataFolder = isEnterable ? choice.dataFolder : moveData(choice.dataFolder, moved)
  execFileSync('chown', ['-R', `${user}:${user}`, dataFolder])
  return { prefix: [], user, binaries, dataFolder }
}

/** DATA_DIR is closed to other users; PostgreSQL's passes through it and cannot list it. */
function openForPassage(dataDir: string): void {
  if ((statSync(dataDir).mode & 0o777) === 0o700) chmodSync(dataDir, 0o711)
}

/** Whether a user can enter a folder or run a program, tested by a process of that user. */
function canEnter(path: string, user: number): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { uid: user, gid: user, cwd: '/' }).status === 0
  )
}

function copyBinaries({ binaries, fallbackFolder = FALLBACK_FOLDER }: RunnerChoice): PostgresBinaries {
  const { size, mtimeMs } = statSync(binaries.postgres)
  const folder = join(fallbackFolder, `binaries-${size}-${Math.round(mtimeMs)}`)
  if (!existsSync(folder)) {
    makeOpenFolder(fallbackFolder)
    const unfinished = `${folder}.${process.pid}`
    cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, folder)
  }
  return binariesIn(folder)
}

/** Moves existing data to the fallback folder. The original is deleted after the copy is complete. */
function moveData(dataFolder: string, moved: string): string {
  const target = join(moved, 'postgres')
  if (existsSync(target)) return target
  makeOpenFolder(join(moved, '..'))
  makeOpenFolder(moved)
  const unfinished = `${target}.${process.pid}`
  if (existsSync(join(dataFolder, 'PG_VERSION'))) cpSync(dataFolder, unfinished, { recursive: true })
  else mkdirSync(unfinished, { mode: 0o700 })
  chmodSync(unfinished, 0o700)
  rmSync(join(unfinished, 'postmaster.pid'), { force: true })
  renameSync(unfinished, target)
  rmSync(dataFolder, { recursive: true, force: true })
  return target
}

function makeOpenFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}
