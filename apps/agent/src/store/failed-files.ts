import type { Store } from './store.ts'

interface Damage {
  count: number
  /** In the agent's time. */
  fetchAt: number
}

const MINUTE_MS = 60_000
const MAX_WAIT_MS = 60 * MINUTE_MS

/**
 * The files whose bytes on the disk were others than they were sent. That is the disk's fault, so that each is fetched again: at
 * once, then after a minute, two, and so on up to an hour. A file that was heard whole is undamaged.
 */
export class DamagedFiles {
  readonly #files = new Map<string, Damage>()
  /** Files whose bytes are being checked. */
  readonly #checking = new Set<string>()

  add(sha256: string, now: number): void {
    const count = (this.#files.get(sha256)?.count ?? 0) + 1
    const waitMs = count === 1 ? 0 : Math.min(MAX_WAIT_MS, MINUTE_MS * 2 ** (count - 2))
    this.#files.set(sha256, { count, fetchAt: now + waitMs })
  }
  forgive(sha256: string): void {
    this.#files.delete(sha256)
  }
  /** Whether a file may be fetched at a time. A clock that was set back since delays it by no more than the longest wait. */
  isWanted(sha256: string, now: number): boolean {
    const fetchAt = this.#files.get(sha256)?.fetchAt ?? -Infinity
    return !this.#checking.has(sha256) && (now >= fetchAt || fetchAt - now > MAX_WAIT_MS)
  }
  /** Nothing is fetched in a file's place while `check` reads it. */
  async during<T>(sha256: string, check: () => Promise<T>): Promise<T> {
    this.#checking.add(sha256)
    try {
      return await check()
    } finally {
      this.#checking.delete(sha256)
    }
  }
}

interface Quarantined {
  sha256: string
  name: string
  /** After the second failure, the file is fetched again once a day. */
  failures: number
}

const MAX_FAILURES = 2
const DAY_MS = 86_400_000

const UPSERT = `insert into quarantine (sha256, name, why, failures, failed_at) values (?, ?, ?, ?, ?)
  on conflict (sha256) do update set why = excluded.why, failures = excluded.failures, failed_at = excluded.failed_at`

/** The files that could not be played. */
export class Quarantine {
  readonly #store: Store
  readonly #files = new Map<string, Quarantined & { failedAt: number }>()

  constructor(store: Store) {
    this.#store = store
    for (const row of store.all('select * from quarantine order by name'))
      this.#files.set(String(row['sha256']), {
        sha256: String(row['sha256']),
        name: String(row['name']),
        failures: Number(row['failures']),
        failedAt: Number(row['failed_at']),
      })
  }

  list(): Quarantined[] {
    return [...this.#files.values()]
  }

  /** Counts a failure. `at` is the agent's time. */
  add(file: { sha256: string; name: string }, { why, at }: { why: string; at: number }): Quarantined {
    const { sha256, name } = file
    const failures = (this.#files.get(sha256)?.failures ?? 0) + 1
    const entry = { sha256, name, failures, failedAt: at }
    this.#files.set(sha256, entry)
    this.#store.write(`quarantine ${sha256}`, UPSERT, sha256, name, why, failures, Math.round(at))
    return entry
  }

  /** Forgets the failures of a file, which was heard whole. */
  forgive(sha256: string): void {
    if (this.#files.delete(sha256))
      this.#store.write(`quarantine ${sha256}`, 'delete from quarantine where sha256 = ?', sha256)
  }

  /** Whether a file may be fetched at a time: after its second failure not for a day. */
  isWanted(sha256: string, at: number): boolean {
    const file = this.#files.get(sha256)
    // A clock that was corrected since may be before the failure.
    return !file || file.failures < MAX_FAILURES || Math.abs(at - file.failedAt) >= DAY_MS
  }
}
