import type { AuthUser } from '../../platform/database/auth-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { recordLimited } from '../audit/audit.ts'

/** Failures of one user that the audit has of an hour: an attacker must not fill it. */
const MAX_AN_HOUR = 5
const HOUR_MS = 3_600_000
/** Failures that wait for the database at the same time. */
const MAX_WAITING = 100

interface Attempt {
  now: Date
  requestId: string
  address: string
}
type Account = Pick<AuthUser, 'uid' | 'clientId' | 'email'>

/**
 * Records failed sign-ins in the audit of the user's client. It does so in the background: an answer that waited for it would
 * come later for an email that exists.
 */
export class FailedSignIns {
  readonly #database: Database
  readonly #log: Log
  readonly #waiting = new Set<Promise<void>>()

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  record(user: Account, attempt: Attempt): void {
    if (this.#waiting.size >= MAX_WAITING) return
    const work = this.#store(user, attempt)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a failed sign-in was not recorded'))
      .finally(() => this.#waiting.delete(work))
    this.#waiting.add(work)
  }

  /** Waits for those that are being recorded. */
  async drain(): Promise<void> {
    await Promise.all(this.#waiting)
  }

  async #store(user: Account, attempt: Attempt): Promise<void> {
    const { now: at, requestId, address } = attempt
    await this.#database.forClient(user.clientId).write(writes =>
      recordLimited(
        writes,
        { clientId: user.clientId, at, requestId },
        {
          change: {
            action: 'sign-in-failed',
            entity: 'user',
            uid: user.uid,
            name: user.email,
            changes: { address: [null, address] },
          },
          max: MAX_AN_HOUR,
          since: new Date(at.getTime() - HOUR_MS),
        },
      ),
    )
  }
}
