import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import { FILE_MODE, FOLDER_MODE } from '../storage/private-folder.ts'
import {
  BackupError,
  eachFile,
  FILES,
  listBackups,
  MARK,
  parseJson,
  PARTIAL,
  pathOfFile,
  readManifest,
} from './backup-format.ts'

/*
 * The folder of backups: whose it is, and what stays in it. DATA_DIR names the folders that have held backups: one without its mark is a
 * folder on which nothing is mounted, and a backup would fill the disk below it.
 */

/** In DATA_DIR. */
const KNOWN_TARGETS = 'backup-targets.json'
const MAX_KNOWN = 100
const KnownTargets = z.array(z.string())

async function readKnown(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, KNOWN_TARGETS), 'utf8').catch(() => '')
  return KnownTargets.safeParse(parseJson(text)).data ?? []
}

/** Notes that the target holds backups. A full disk of DATA_DIR stops no backup. */
async function addKnown({ target, dataDir, say }: Target): Promise<void> {
  const known = await readKnown(dataDir)
  if (known.includes(resolve(target))) return
  const path = join(dataDir, KNOWN_TARGETS)
  const list = [...known, resolve(target)].slice(-MAX_KNOWN)
  try {
    await writeFile(`${path}${PARTIAL}`, `${JSON.stringify(list)}\n`, { mode: FILE_MODE, flush: true })
    await rename(`${path}${PARTIAL}`, path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    say(`${target} is not noted in ${path}, so nobody will be told when it is not mounted: ${reason}`)
  }
}

/** It has held backups, and has no mark now. */
const isMissing = async (target: string, dataDir: string): Promise<boolean> =>
  !existsSync(join(target, MARK)) && (await readKnown(dataDir)).includes(resolve(target))

/** The names of a target's complete backups, the oldest first; and whether it is missing: its disk is not mounted. */
export async function readTarget(
  target: string,
  dataDir: string,
): Promise<{ names: string[]; isMissing: boolean }> {
  // A target that is not there yet is made by the first backup.
  const names = await listBackups(target).catch(() => [])
  return { names, isMissing: await isMissing(target, dataDir) }
}

/** What is said of a missing target. */
export const TARGET_MISSING = 'has held backups, and holds none now: is its disk mounted?'

const MILLISECONDS = 1000

/** Says what a failing disk means for the backup. */
export async function onTarget<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new BackupError(
        `${target} is full. Nothing of this backup's rows was kept, and earlier backups are whole. Make room, keep fewer (--keep), or take another target`,
        { cause: error },
      )
    if (
      typeof code === 'string' &&
      /^(EACCES|EPERM|EROFS|EIO|EEXIST|ENOTDIR|ENOENT|ESTALE|ENODEV)$/.test(code)
    )
      throw new BackupError(
        `${target} cannot be written (${code}). Is it there, and may this user write to it? ${code === 'EROFS' ? 'The unit of the service has to name it in ReadWritePaths. ' : ''}Earlier backups in it are as they were`,
        { cause: error },
      )
    throw error
  }
}

/** A folder named by this second, or by the next one if another backup has this one's name. */
export async function findFreeName(target: string): Promise<string> {
  for (;;) {
    const second = new Date().toISOString().slice(0, 19)
    const folder = join(target, `${second.replaceAll(':', '-')}Z`)
    if (!existsSync(folder)) return folder
    await pause(MILLISECONDS - (Date.now() % MILLISECONDS))
  }
}

interface Target {
  target: string
  dataDir: string
  /** It has held backups and is to begin again: its disk was replaced. */
  isNew: boolean
  say: (line: string) => void
}

/** Makes the target, or takes one of this installation, and removes what broken backups left. */
export async function prepareTarget(client: Client, place: Target): Promise<void> {
  const { target, dataDir, isNew } = place
  if (!isNew && (await isMissing(target, dataDir)))
    throw new BackupError(
      `${target} ${TARGET_MISSING} If another disk is there on purpose, make its first backup with npm run backup -- ${target} --new-target`,
    )
  await mkdir(target, { recursive: true, mode: FOLDER_MODE })
  // The moment of its first migration tells one installation from another, and comes back with a restore.
  const { rows } = await client.query<{ first: string }>(
    'select min(applied_at)::text as first from migrations',
  )
  const installation = createHash('sha256')
    .update(rows[0]?.first ?? '')
    .digest('hex')
  const path = join(target, MARK)
  const mark = await readFile(path, 'utf8').catch(() => null)
  if (mark === null) {
    const others = (await readdir(target)).filter(name => name !== 'lost+found')
    if (others.length > 0)
      throw new BackupError(`${target} holds other files, such as ${others[0]}. Take an empty folder`)
    await writeFile(path, `${JSON.stringify({ installation })}\n`, { mode: FILE_MODE, flush: true })
  } else if (!mark.includes(installation))
    throw new BackupError(
      `${target} holds backups of another installation. Take a folder of its own for each`,
    )
  await addKnown(place)
  for (const name of await readdir(target))
    if (name.endsWith(PARTIAL)) await rm(join(target, name), { recursive: true, force: true })
}

/** Flushes a folder's entries to the disk. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes backups beyond `keep`, and the files that only they name. */
export async function removeOld(target: string, keep: number | null): Promise<string[]> {
  if (keep === null) return []
  const names = await listBackups(target)
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) {
    // Without its manifest it counts no more: a removal that breaks off is ended by the next one.
    await rename(join(target, name), join(target, `${name}${PARTIAL}`))
    await rm(join(target, `${name}${PARTIAL}`), { recursive: true, force: true })
  }
  if (old.length > 0) await removeUnnamedFiles(target)
  return old
}

async function removeUnnamedFiles(target: string): Promise<void> {
  const named = new Set<string>()
  for (const name of await listBackups(target)) {
    const { files } = await readManifest(join(target, name))
    await eachFile(join(target, name), files.list, file =>
      Promise.resolve(void named.add(pathOfFile(target, file))),
    )
  }
  // The first file of an installation makes the folder.
  const stored = join(target, FILES)
  if (!existsSync(stored)) return
  for (const entry of await readdir(stored, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !named.has(path)) await rm(path, { force: true })
  }
}
