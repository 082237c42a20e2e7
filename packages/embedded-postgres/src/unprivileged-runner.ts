import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { binariesIn, type PostgresBinaries } from './postgres-binaries.ts'

/** PostgreSQL refuses root. 65534 is `nobody` on every Linux; the number alone is enough. */
const NOBODY = 65_534
const ELSEWHERE = '/var/lib/floorcast'

/** As whom, from which binaries and in which folder PostgreSQL runs. */
export interface Runner {
  /** Put before the program: `unshare …`, or nothing. */
  prefix: string[]
  /** The user to drop to; null: stay who we are. */
  user: number | null
  binaries: PostgresBinaries
  dataFolder: string
}

export interface RunnerChoice {
  binaries: PostgresBinaries
  dataFolder: string
  /** Where binaries and data go when nobody may enter their folders. */
  elsewhere?: string
  /** Whether a user namespace may be used; a probe finds out unless told. */
  mayUnshare?: boolean
}

/** What `unshare` is told. */
const UNSHARE = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/**
 * Finds how PostgreSQL can run here. Not root: as we are. Root: inside a user namespace where root's files stay root's
 * and PostgreSQL sees itself as nobody; where that is forbidden, as nobody, and if nobody may not enter the project's or
 * the data's folder, from a copy under /var/lib/floorcast.
 */
export function chooseRunner(choice: RunnerChoice): Runner {
  const { binaries, dataFolder } = choice
  if (process.getuid?.() !== 0) return { prefix: [], user: null, binaries, dataFolder }
  const moved = folderElsewhere(choice)
  const isMoved = existsSync(join(moved, 'postgres', 'PG_VERSION'))
  const owner = existsSync(dataFolder) ? statSync(dataFolder).uid : 0
  if (!isMoved && owner === 0 && (choice.mayUnshare ?? canUnshare()))
    return { prefix: ['unshare', ...UNSHARE], user: null, binaries, dataFolder }
  return dropTo(owner === 0 ? NOBODY : owner, choice, moved)
}

function canUnshare(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...UNSHARE, 'true']).status === 0
}

function folderElsewhere({ dataFolder, elsewhere = ELSEWHERE }: RunnerChoice): string {
  return join(elsewhere, createHash('sha256').update(dataFolder).digest('hex').slice(0, 16))
}

function dropTo(user: number, choice: RunnerChoice, moved: string): Runner {
  const binaries = mayEnter(choice.binaries.postgres, user) ? choice.binaries : copyBinaries(choice)
  mkdirSync(choice.dataFolder, { recursive: true, mode: 0o700 })
  const isEnterable = mayEnter(join(choice.dataFolder, '..'), user) && !existsSync(join(moved, 'postgres'))
  const dataFolder = isEnterable ? choice.dataFolder : moveData(choice.dataFolder, moved)
  execFileSync('chown', ['-R', `${user}:${user}`, dataFolder])
  return { prefix: [], user, binaries, dataFolder }
}

/** May this user enter a folder, or run a program? Asked of the kernel by trying it as that user. */
function mayEnter(path: string, user: number): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { uid: user, gid: user, cwd: '/' }).status === 0
  )
}

function copyBinaries({ binaries, elsewhere = ELSEWHERE }: RunnerChoice): PostgresBinaries {
  const { size, mtimeMs } = statSync(binaries.postgres)
  const folder = join(elsewhere, `binaries-${size}-${Math.round(mtimeMs)}`)
  if (!existsSync(folder)) {
    makeOpenFolder(elsewhere)
    const unfinished = `${folder}.${process.pid}`
    cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, folder)
  }
  return binariesIn(folder)
}

/** Data made before, under another arrangement, goes along; the original goes once the copy is whole. */
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
