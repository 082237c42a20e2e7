import type { Store } from './store.ts'

export interface Quarantined {
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
