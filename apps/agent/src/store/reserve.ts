import { randomFillSync } from 'node:crypto'
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { foldersOf } from './data-folder.ts'

/** The reserve is given up when the disk is full. It has room for some 6,000 plays, which are two weeks of a shop. */
const RESERVE_BYTES = 8 * 1024 * 1024
/** The disk counts as full below this. */
const FULL_BYTES = 1024 * 1024
const SQLITE_FULL = 13

function freeBytes(folder: string): number {
  const disk = statfsSync(folder)
  return disk.bavail * disk.bsize
}

/** Whether a write failed because the disk is full. */
export function isFull(error: unknown, folder: string): boolean {
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL) return true
  try {
    return freeBytes(folder) < FULL_BYTES
  } catch {
    return false
  }
}

/** SQLite's codes of a disk that takes no writes: read-only, an error of the disk, full, cannot be opened. */
const UNWRITABLE = [8, 10, SQLITE_FULL, 14]

/** Whether a write failed because the disk does not take it now. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && UNWRITABLE.includes(Number(error.errcode) & 0xff)

/** Makes the reserve if the disk has twice its room. Returns whether it is there. */
export function keepReserve(dataDir: string): boolean {
  const { reserve } = foldersOf(dataDir)
  try {
    if (existsSync(reserve)) return true
    if (freeBytes(dataDir) < 2 * RESERVE_BYTES) return false
    // No zeros: a file system may keep them as a hole.
    writeFileSync(reserve, randomFillSync(Buffer.alloc(RESERVE_BYTES)), { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** Returns whether there was a reserve to give up. */
export function dropReserve(dataDir: string): boolean {
  try {
    rmSync(foldersOf(dataDir).reserve)
    return true
  } catch {
    return false
  }
}
