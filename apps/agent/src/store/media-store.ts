import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  mkdirSync,
} from 'node:fs'
import { join } from 'node:path'
import { Quarantine, type Quarantined } from './quarantine.ts'
import type { Store } from './store.ts'
import { foldersOf } from './store.ts'

/** The media folder. Complete files are named by their hash; unfinished ones end in `.part`. */
export interface MediaStore {
  /** The hashes of playable files; a live set. */
  held: ReadonlySet<string>
  pathOf: (sha256: string) => string
  partPathOf: (sha256: string) => string
  /** Flushes a finished `.part` file to the disk and renames it to a held file. */
  complete: (sha256: string) => void
  drop: (sha256: string) => void
  /** Whether the bytes of a file on the disk are others than the announced ones, or not there. */
  isDamaged: (file: { sha256: string; sizeBytes: number }) => Promise<boolean>
  /** Deletes a file that cannot be played, and counts the failure. `at` is the agent's time. */
  discard: (file: { sha256: string; name: string }, failure: { why: string; at: number }) => Quarantined
  quarantine: Quarantine
  /** Bytes free on the folder's disk. */
  freeBytes: () => number
  onChange: (listener: () => void) => void
}

const HASH = /^[0-9a-f]{64}$/

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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = new Set(readdirSync(folder).filter(name => HASH.test(name)))
  const listeners: (() => void)[] = []
  const notify = () => listeners.forEach(listener => listener())
  const quarantine = new Quarantine(store)
  const pathOf = (sha256: string) => join(folder, sha256)
  const drop = (sha256: string) => {
    held.delete(sha256)
    try {
      rmSync(pathOf(sha256), { force: true })
    } catch (error) {
      // A disk that became read-only: the file is not played again until the next start.
      console.error(`${pathOf(sha256)} cannot be deleted: ${String(error)}`)
    }
    notify()
  }
  for (const sha256 of held) if (statSync(pathOf(sha256)).size === 0) drop(sha256)
  return {
    held,
    pathOf,
    partPathOf: sha256 => `${pathOf(sha256)}.part`,
    complete(sha256) {
      syncAndRename(folder, `${pathOf(sha256)}.part`, pathOf(sha256))
      held.add(sha256)
      notify()
    },
    drop,
    isDamaged: file => isDamaged(pathOf(file.sha256), file),
    discard(file, failure) {
      // Dropped first: if the disk is full and the note fails, the file must not play again.
      drop(file.sha256)
      return quarantine.add(file, failure)
    },
    quarantine,
    freeBytes() {
      const disk = statfsSync(folder)
      return disk.bavail * disk.bsize
    },
    onChange: listener => void listeners.push(listener),
  }
}
