import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldersOf } from '../store/data-folder.ts'
import { updateFoldersOf } from './programs.ts'

/** Bytes that stay free for the event log and the system. */
const RESERVED_BYTES = 64 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/**
 * Copies the data of an agent that runs for a trial of a new version: the database as it is at one moment, and links to the media, so
 * that what the trial deletes stays. Returns the folder of the copy. @throws Error if the disk has no room for it
 */
export function copyForTrial(dataDir: string): string {
  const folder = updateFoldersOf(dataDir).trial
  removeTrialCopy(dataDir)
  const [from, to] = [foldersOf(dataDir), foldersOf(folder)]
  mkdirSync(to.media, { recursive: true, mode: 0o700 })
  const bytes = [from.database, `${from.database}-wal`].reduce((sum, path) => sum + sizeOf(path), 0)
  const disk = statfsSync(folder)
  if (disk.bavail * disk.bsize < bytes + RESERVED_BYTES)
    throw new Error(`the disk has no room for a copy of ${Math.ceil(bytes / MEGABYTE)} MB`)
  // Node has the online backup since 22.16 only. Both read one state of the database and hold no writer up.
  const database = new DatabaseSync(from.database, { readOnly: true })
  try {
    database.exec(`pragma busy_timeout = 5000; vacuum into '${to.database.replaceAll("'", "''")}'`)
  } finally {
    database.close()
  }
  for (const path of [from.lastNumber, from.progress])
    if (existsSync(path)) copyFileSync(path, join(folder, basename(path)))
  for (const name of readdirSync(from.media))
    if (!name.includes('.')) symlinkSync(join(from.media, name), join(to.media, name))
  return folder
}

/** Removes what a trial has left, or one that a power cut ended. */
export function removeTrialCopy(dataDir: string): void {
  try {
    rmSync(updateFoldersOf(dataDir).trial, { recursive: true, force: true })
  } catch {
    // The disk takes no writes.
  }
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)
