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
  /** After the second failure it is not fetched again. */
  failures: number
}

/** The media folder: files named by their hash, complete ones only; unfinished ones end in `.part`. */
export interface MediaStore {
  /** Hashes that can be played; grows and shrinks as files come and go. */
  held: ReadonlySet<string>
  pathOf: (sha256: string) => string
  partPathOf: (sha256: string) => string
  /** Makes a finished `.part` file a held one: flushed to the disk, then renamed. */
  keep: (sha256: string) => void
  drop: (sha256: string) => void
  /** Takes a file that cannot be played out of what is held, and off the disk. */
  quarantine: (file: { sha256: string; name: string }, why: string) => Quarantined
  quarantined: () => Quarantined[]
  /** Whether it may be fetched: not after a second failure. */
  isWanted: (sha256: string) => boolean
  /** Bytes free on the folder's disk. */
  freeBytes: () => number
  onChange: (listener: () => void) => void
}

const HASH = /^[0-9a-f]{64}$/
const MOST_FAILURES = 2

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
  mkdirSync(folder, { recursive: true })
  const held = new Set(readdirSync(folder).filter(name => HASH.test(name)))
  const listeners: (() => void)[] = []
  const tell = () => listeners.forEach(listener => listener())
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
    tell()
  }
  for (const sha256 of held) if (statSync(pathOf(sha256)).size === 0) drop(sha256)
  return {
    held,
    pathOf,
    partPathOf: sha256 => `${pathOf(sha256)}.part`,
    keep(sha256) {
      syncAndRename(folder, `${pathOf(sha256)}.part`, pathOf(sha256))
      held.add(sha256)
      tell()
    },
    drop,
    quarantine({ sha256, name }, why) {
      // Out of play first: a disk that cannot note it must not bring the file back.
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
    isWanted: sha256 => Number(failuresOf.get(sha256)?.['failures'] ?? 0) < MOST_FAILURES,
    freeBytes() {
      const disk = statfsSync(folder)
      return disk.bavail * disk.bsize
    },
    onChange: listener => void listeners.push(listener),
  }
}
