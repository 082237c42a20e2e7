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
import { DamagedFiles, Quarantine } from './failed-files.ts'
import { OpenFiles } from './open-files.ts'
import type { Store } from './store.ts'
import { foldersOf } from './data-folder.ts'

type FileOnDisk = { sha256: string; sizeBytes: number }

/** The state of a file that did not play: deleted by somebody, damaged on the disk, or whole and not playable. */
export type Discarded = { kind: 'gone' | 'damaged' } | { kind: 'quarantined'; failures: number }

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
  isDamaged: (file: FileOnDisk) => Promise<boolean>
  /**
   * Deletes a file that did not play. Only one that is as it was sent is quarantined: a damaged one is the disk's fault. `at` is
   * the agent's time.
   */
  discard: (file: FileOnDisk & { name: string }, failure: { why: string; at: number }) => Promise<Discarded>
  /** Deletes a file that `isDamaged` has found, to be fetched again. */
  dropDamaged: (sha256: string, at: number) => void
  /** A file was heard whole. */
  forgive: (sha256: string) => void
  /** Whether a file may be fetched at a time, after what became of it before. */
  isWanted: (sha256: string, at: number) => boolean
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

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    // A disk that became read-only: the file is not played again until the next start.
    console.error(`${path} cannot be deleted: ${String(error)}`)
  }
}

interface FaultParts {
  held: Set<string>
  files: OpenFiles
  remove: (sha256: string) => void
  drop: (sha256: string) => void
  notify: () => void
  quarantine: Quarantine
}

/** Handles files that do not play. */
function makeFaults({
  held,
  files,
  remove,
  drop,
  notify,
  quarantine,
}: FaultParts): Pick<MediaStore, 'discard' | 'dropDamaged' | 'forgive' | 'isWanted'> {
  const damaged = new DamagedFiles()
  return {
    async discard(file, failure) {
      const { sha256 } = file
      // Deleted after mpv was told its path: the next play takes the open file, which is restored.
      if (files.isNameless(sha256)) return { kind: 'gone' }
      const path = files.pathOf(sha256)
      const isGone = !existsSync(path)
      // Dropped first: it must not play again while it is checked, nor if the disk is full and the note fails.
      held.delete(sha256)
      const isBad = isGone || (await damaged.during(sha256, () => isDamaged(path, file)))
      remove(sha256)
      if (isBad) damaged.add(sha256, failure.at)
      const entry = isBad ? null : quarantine.add(file, failure)
      notify()
      if (entry) return { kind: 'quarantined', failures: entry.failures }
      return { kind: isGone ? 'gone' : 'damaged' }
    },
    dropDamaged(sha256, at) {
      damaged.add(sha256, at)
      drop(sha256)
    },
    forgive(sha256) {
      damaged.forgive(sha256)
      quarantine.forgive(sha256)
    },
    isWanted: (sha256, at) => damaged.isWanted(sha256, at) && quarantine.isWanted(sha256, at),
  }
}

export function makeMediaStore(dataDir: string, store: Store): MediaStore {
  const folder = foldersOf(dataDir).media
  const held = new Set(listFolder(folder).filter(name => HASH.test(name)))
  const listeners: (() => void)[] = []
  const notify = () => listeners.forEach(listener => listener())
  const quarantine = new Quarantine(store)
  const files = new OpenFiles(folder)
  const remove = (sha256: string) => {
    files.close(sha256)
    removeFile(join(folder, sha256))
  }
  const drop = (sha256: string) => {
    held.delete(sha256)
    remove(sha256)
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
    ...makeFaults({ held, files, remove, drop, notify, quarantine }),
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
