import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { OpenFiles } from './open-files.ts'
import { Quarantine, type Quarantined } from './quarantine.ts'
import type { Store } from './store.ts'
import { foldersOf } from './data-folder.ts'

/** The media folder. Complete files are named by their hash; unfinished ones end in `.part`. */
export interface MediaStore {
  /** The hashes of playable files; a live set. */
  held: ReadonlySet<string>
  pathOf: (sha256: string) => string
  partPathOf: (sha256: string) => string
  /** Flushes a finished `.part` file to the disk and renames it to a held file. */
  complete: (sha256: string) => void
  drop: (sha256: string) => void
  /** Deletes unfinished files, except those whose hashes are named. */
  dropParts: (named: ReadonlySet<string>) => void
  /** Whether the bytes of a file on the disk are others than the announced ones, or not there. */
  isDamaged: (file: { sha256: string; sizeBytes: number }) => Promise<boolean>
  /** Deletes a file that cannot be played, and counts the failure unless the file is gone. `at` is the agent's time. */
  discard: (file: { sha256: string; name: string }, failure: { why: string; at: number }) => Quarantined
  /** Makes a deleted folder again and restores deleted files, which are still open; those that cannot be restored are dropped. */
  heal: () => Promise<void>
  quarantine: Quarantine
  /** Bytes free on the folder's disk. */
  freeBytes: () => number
  onChange: (listener: () => void) => void
}

const HASH = /^[0-9a-f]{64}$/

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    console.error(`${folder} cannot be made: ${String(error)}`)
  }
}

function listFolder(folder: string): string[] {
  makeFolder(folder)
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function dropParts(folder: string, named: ReadonlySet<string>): void {
  for (const name of listFolder(folder))
    if (name.endsWith('.part') && !named.has(name.slice(0, -'.part'.length)))
      rmSync(join(folder, name), { force: true })
}

function isEmpty(path: string): boolean {
  try {
    return statSync(path).size === 0
  } catch {
    return true
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function syncAndRename(folder: string, from: string, to: string): void {
  syncFolder(from)
  renameSync(from, to)
  syncFolder(folder)
}

async function isDamaged(path: string, { sha256, sizeBytes }: { sha256: string; sizeBytes: number }) {
  try {
    if (statSync(path).size !== sizeBytes) return true
    const hash = createHash('sha256')
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
    return hash.digest('hex') !== sha256
  } catch {
    return true
  }
}

export function makeMediaStore(dataDir: string, store: Store): MediaStore {
  const folder = foldersOf(dataDir).media
  const held = new Set(listFolder(folder).filter(name => HASH.test(name)))
  const listeners: (() => void)[] = []
  const notify = () => listeners.forEach(listener => listener())
  const quarantine = new Quarantine(store)
  const files = new OpenFiles(folder)
  const drop = (sha256: string) => {
    held.delete(sha256)
    files.close(sha256)
    try {
      rmSync(join(folder, sha256), { force: true })
    } catch (error) {
      // A disk that became read-only: the file is not played again until the next start.
      console.error(`${join(folder, sha256)} cannot be deleted: ${String(error)}`)
    }
    notify()
  }
  for (const sha256 of held)
    if (isEmpty(join(folder, sha256))) drop(sha256)
    else files.open(sha256)
  return {
    held,
    pathOf: files.pathOf,
    partPathOf(sha256) {
      makeFolder(folder)
      return join(folder, `${sha256}.part`)
    },
    complete(sha256) {
      syncAndRename(folder, join(folder, `${sha256}.part`), join(folder, sha256))
      held.add(sha256)
      files.open(sha256)
      notify()
    },
    drop,
    dropParts: named => dropParts(folder, named),
    isDamaged: file => isDamaged(files.pathOf(file.sha256), file),
    discard(file, failure) {
      // Deleted after mpv was told its path: the next play takes the open file, which is restored.
      if (files.isNameless(file.sha256)) return { ...file, failures: 0 }
      const isGone = !existsSync(files.pathOf(file.sha256))
      // Dropped first: if the disk is full and the note fails, the file must not play again.
      drop(file.sha256)
      return isGone ? { ...file, failures: 0 } : quarantine.add(file, failure)
    },
    async heal() {
      makeFolder(folder)
      for (const sha256 of await files.restore(held)) drop(sha256)
    },
    quarantine,
    freeBytes() {
      makeFolder(folder)
      const disk = statfsSync(folder)
      return disk.bavail * disk.bsize
    },
    onChange: listener => void listeners.push(listener),
  }
}
