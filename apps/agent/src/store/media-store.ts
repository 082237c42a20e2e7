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
import type { Store } from './store.ts'
import { foldersOf } from './store.ts'

export interface Quarantined {
  sha256: string
  name: string
  /** After the second failure, the file is fetched again once a day. */
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
  /** Whether the bytes of a file on the disk are others than the announced ones, or not there. */
  isDamaged: (file: { sha256: string; sizeBytes: number }) => Promise<boolean>
  /** Deletes a file that cannot be played, and counts the failure. `at` is the agent's time. */
  quarantine: (file: { sha256: string; name: string }, failure: { why: string; at: number }) => Quarantined
  /** Forgets the failures of a file, which was heard whole. */
  forgive: (sha256: string) => void
  quarantined: () => Quarantined[]
  /** Whether a file may be fetched at a time: after its second failure not for a day. */
  isWanted: (sha256: string, at: number) => boolean
  /** Bytes free on the folder's disk. */
  freeBytes: () => number
  onChange: (listener: () => void) => void
}

const HASH = /^[0-9a-f]{64}$/
const MAX_FAILURES = 2
const DAY_MS = 86_400_000

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
    `insert into quarantine (sha256, name, why, failures, failed_at) values (?, ?, ?, 1, ?)
     on conflict (sha256) do update set why = excluded.why, failures = failures + 1, failed_at = excluded.failed_at
     returning failures`,
  )
  const remove = store.prepare('delete from quarantine where sha256 = ?')
  const list = store.prepare('select sha256, name, failures from quarantine order by name')
  const find = store.prepare('select failures, failed_at from quarantine where sha256 = ?')
  /** The hashes of files that have failed: a play asks here, not in the database. */
  const failed = new Set(list.all().map(row => String(row['sha256'])))
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
    async isDamaged({ sha256, sizeBytes }) {
      try {
        const path = pathOf(sha256)
        if (statSync(path).size !== sizeBytes) return true
        const hash = createHash('sha256')
        for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
        return hash.digest('hex') !== sha256
      } catch {
        return true
      }
    },
    quarantine({ sha256, name }, { why, at }) {
      // Dropped first: if the disk is full and the note fails, the file must not play again.
      drop(sha256)
      failed.add(sha256)
      const failures = Number(upsert.get(sha256, name, why, at)?.['failures'])
      return { sha256, name, failures }
    },
    forgive(sha256) {
      if (failed.delete(sha256)) remove.run(sha256)
    },
    quarantined: () =>
      list.all().map(row => ({
        sha256: String(row['sha256']),
        name: String(row['name']),
        failures: Number(row['failures']),
      })),
    isWanted(sha256, at) {
      const row = failed.has(sha256) ? find.get(sha256) : undefined
      // A clock that was corrected since may be before the failure.
      const isLongAgo = Math.abs(at - Number(row?.['failed_at'])) >= DAY_MS
      return row === undefined || Number(row['failures']) < MAX_FAILURES || isLongAgo
    },
    freeBytes() {
      const disk = statfsSync(folder)
      return disk.bavail * disk.bsize
    },
    onChange: listener => void listeners.push(listener),
  }
}
