import {
  closeSync,
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
import type { Store } from './store.ts'
import { foldersOf } from './store.ts'

export interface Quarantined {
  sha256: string
  name: string
  /** After the second failure, the file is not fetched again. */
  failures: number
}

/** The media folder. Complete files are named by their hash; unfinished ones end in `.part`. */
export interface MediaStore {
  /** The hashes of playable files; a live set. */
  held: ReadonlySet<string>
  pathOf: (sha256: string) => string
  partPathOf: (sha256: string) => string
  /** Flushes a finished `.part` file to the disk and renames it to a held file. */
  complete: (sha256: string) => void
  drop: (sha256: string) => void
  /** Deletes a file that cannot be played, and counts the failure. */
  quarantine: (file: { sha256: string; name: string }, why: string) => Quarantined
  quarantined: () => Quarantined[]
  /** Whether a file may be fetched: not after a second failure. */
  isWanted: (sha256: string) => boolean
  /** Bytes free on the folder's disk. */
  freeBytes: () => number
  onChange: (listener: () => void) => void
}

const HASH = /^[0-9a-f]{64}$/
const MAX_FAILURES = 2

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

export function makeMediaStore(dataDir: string, store: Store): MediaStore {
  const folder = foldersOf(dataDir).media
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = new Set(readdirSync(folder).filter(name => HASH.test(name)))
  const listeners: (() => void)[] = []
  const notify = () => listeners.forEach(listener => listener())
  const upsert = store.prepare(
    `insert into quarantine (sha256, name, why, failures) values (?, ?, ?, 1)
     on conflict (sha256) do update set why = excluded.why, failures = failures + 1 returning failures`,
  )
  const list = store.prepare('select sha256, name, failures from quarantine order by name')
  const failuresOf = store.prepare('select failures from quarantine where sha256 = ?')
  const pathOf = (sha256: string) => join(folder, sha256)
  const drop = (sha256: string) => {
    held.delete(sha256)
    rmSync(pathOf(sha256), { force: true })
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
    quarantine({ sha256, name }, why) {
      // Dropped first: if the disk is full and the note fails, the file must not play again.
      drop(sha256)
      const failures = Number(upsert.get(sha256, name, why)?.['failures'])
      return { sha256, name, failures }
    },
    quarantined: () =>
      list.all().map(row => ({
        sha256: String(row['sha256']),
        name: String(row['name']),
        failures: Number(row['failures']),
      })),
    isWanted: sha256 => Number(failuresOf.get(sha256)?.['failures'] ?? 0) < MAX_FAILURES,
    freeBytes() {
      const disk = statfsSync(folder)
      return disk.bavail * disk.bsize
    },
    onChange: listener => void listeners.push(listener),
  }
}
