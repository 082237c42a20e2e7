import type { Pool } from 'pg'
import { channelOf, payloadOf } from './topics.ts'

/*
 * Notices to consoles of what devices report. NOTIFY takes one lock for the whole database until its transaction ends, the
 * write to the disk included, so transactions that notify commit one after another. What stores reports therefore notifies
 * after its commit: each server collects what changed and sends it by one statement. docs/decisions/0345.
 *
 * A server that is killed in between leaves these notices unsent: the change feed names what devices report again every few
 * minutes (change-feed-routes.ts).
 */

/** What devices report about, by the names of the change feed. */
export interface ReportedChange {
  clientId: string
  entity: 'device' | 'play' | 'publication'
  uid: string
}

export interface CollectedNotices {
  /** Notifies consoles within a quarter of a second. Call it after the commit. */
  add(changes: Iterable<ReportedChange>): void
  /** Sends what waits now. Resolves also if that fails; then it is tried again. */
  flush(): Promise<void>
}

export interface NoticeOptions {
  /** Called when PostgreSQL did not take the notices. They are sent again after a second. */
  onFailure: (error: unknown) => void
  /** The time for which changes are collected; 250 ms by default. */
  collectMs?: number
}

const COLLECT_MS = 250
const RETRY_MS = 1000
/** While PostgreSQL takes none, no more wait: consoles then learn of the others as after a kill. */
const MAX_WAITING = 50_000

/** Notifies all servers by one statement. */
type Notify = (payloads: readonly string[]) => Promise<unknown>

export const notifyBy =
  (pool: Pool): Notify =>
  payloads =>
    pool.query('select pg_notify($1, said) from unnest($2::text[]) as said', [channelOf('live'), payloads])

export class NoticeCollector implements CollectedNotices {
  readonly #notify: Notify
  readonly #options: Required<NoticeOptions>
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  #isClosed = false

  constructor(notify: Notify, options: NoticeOptions) {
    this.#notify = notify
    this.#options = { collectMs: COLLECT_MS, ...options }
  }

  add(changes: Iterable<ReportedChange>): void {
    for (const { clientId, entity, uid } of changes)
      if (this.#waiting.size < MAX_WAITING) this.#waiting.add(payloadOf([clientId, entity, uid]))
    this.#sendIn(this.#options.collectMs)
  }

  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    while (this.#sending) await this.#sending
    if (this.#waiting.size === 0) return
    this.#sending = this.#send().finally(() => (this.#sending = null))
    await this.#sending
  }

  /** Sends what waits, and nothing later. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  #sendIn(ms: number): void {
    if (this.#waiting.size === 0 || this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref()
  }

  async #send(): Promise<void> {
    const sent = this.#waiting
    this.#waiting = new Set()
    try {
      await this.#notify([...sent])
    } catch (error) {
      this.#options.onFailure(error)
      for (const payload of sent) if (this.#waiting.size < MAX_WAITING) this.#waiting.add(payload)
      this.#sendIn(RETRY_MS)
    }
  }
}
