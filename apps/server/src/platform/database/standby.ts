import { LRUCache } from 'lru-cache'
import { escapeLiteral, type Pool, type QueryResult } from 'pg'
import type { Log } from '../log/log.ts'
import { type BegunCopy, type CopySource, beginOn } from './copy-scope.ts'
import { isRefusal } from './reach-database.ts'

/*
 * Reports read a standby where DATABASE_READ_URL names one. Each second the server writes a beat into the database and looks which of its
 * beats the standby has: the time since it wrote that one is the age of the standby's rows, by no other clock than its own. A database that
 * is no copy has none of its beats; a primary is not read as a standby. Where the rows are too old, or the standby is away, reports read
 * the primary.
 */

const BEAT_MS = 1000
/** As many beats as the largest READ_MAX_AGE has seconds. */
const BEATS_KEPT = 3600
/** A standby of a busy machine has the first beat after some seconds. */
const LOOKS_OF_START = 15
/** After this time without an answer the standby is away, until it answers again. */
const AWAY_MS = 5000

export interface StandbyParts {
  /** Connections to the standby, in the role of reports. */
  standby: Pool
  /** The primary's source for reports. */
  primary: CopySource
  /** Connections to the primary that may write beats. */
  jobs: Pool
  /** Proves that a connection to the standby keeps clients apart. @throws Error; waiting does not mend one that is a refusal (`isRefusal`) */
  prove: () => Promise<void>
  /** The name of this server. */
  server: string
  maxAgeMs: number
  log: Log
}

/** The rows of a standby as they are seen now. */
export interface StandbyState {
  /** Seconds; null: it is away, or has no beat of this server. */
  age: number | null
  isUsed: boolean
}

export class Standby implements CopySource {
  readonly #parts: StandbyParts
  readonly #beats = new LRUCache<string, number>({ max: BEATS_KEPT })
  readonly #timer: NodeJS.Timeout
  #seen = { beat: '', at: -Infinity }
  /** A standby that was away at the start is proven when it answers. */
  #proof: 'open' | 'held' | 'refused' = 'open'
  #isLooking = false
  #looks = 0
  /** As the log has it. */
  #isUsed: boolean | null = null

  constructor(parts: StandbyParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.#look(), BEAT_MS)
    this.#timer.unref()
  }

  /** @returns a transaction of the standby if its rows are young enough, else of the primary */
  async begin(begin: string, settings: string): Promise<BegunCopy> {
    const { standby, primary, server } = this.#parts
    if (!this.state.isUsed) return primary.begin(begin, settings)
    try {
      const begun = await beginOn(standby, { begin, moment: beatOf(server), settings })
      if (this.#isYoung(this.#ageOf(begun.asOf)))
        return { ...begun, asOf: new Date(begun.asOf).toISOString() }
      begun.client.release(true)
    } catch (err) {
      this.#parts.log.warn({ err }, 'the standby did not answer a report, which reads the primary')
    }
    return primary.begin(begin, settings)
  }

  get state(): StandbyState {
    const age = performance.now() - this.#seen.at > AWAY_MS ? null : this.#ageOf(this.#seen.beat)
    return { age: age === null ? null : age / 1000, isUsed: this.#isYoung(age) }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #isYoung(age: number | null): boolean {
    return age !== null && age <= this.#parts.maxAgeMs
  }

  /** Milliseconds since this server wrote a beat; null: it did not. */
  #ageOf(beat: string | null): number | null {
    const writtenAt = this.#beats.get(beat ?? '')
    return writtenAt === undefined ? null : performance.now() - writtenAt
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await Promise.all([this.#beat(), this.#read()])
    this.#isLooking = false
    this.#tell()
  }

  async #beat(): Promise<void> {
    const { jobs, server } = this.#parts
    const writtenAt = performance.now()
    const beat = await ask(jobs, `select jobs_beat_server(${escapeLiteral(server)}) as at`)
    if (beat !== null) this.#beats.set(beat, writtenAt)
  }

  async #read(): Promise<void> {
    const { standby, server } = this.#parts
    if (this.#proof === 'open') await this.#prove()
    if (this.#proof !== 'held') return
    const beat = await ask(standby, beatOf(server))
    if (beat !== null) this.#seen = { beat, at: performance.now() }
  }

  async #prove(): Promise<void> {
    try {
      await this.#parts.prove()
      this.#proof = 'held'
    } catch (err) {
      if (!isRefusal(err)) return
      this.#proof = 'refused'
      this.#parts.log.error({ err }, 'the standby is not read until the next start')
    }
  }

  /** The log has a line where reports change over, and at the start once it is clear which one they read. */
  #tell(): void {
    const { age, isUsed } = this.state
    this.#looks += 1
    if (isUsed === this.#isUsed || (!isUsed && this.#looks < LOOKS_OF_START)) return
    this.#isUsed = isUsed
    if (isUsed) this.#parts.log.info({ age }, 'reports read the standby')
    else
      this.#parts.log.warn(
        { age },
        'DATABASE_READ_URL is away, behind, or no standby of DATABASE_URL: reports read the primary',
      )
  }
}

/** A primary has none for it: after a failover the proxy of the standby leads to the new primary for some seconds. */
const beatOf = (server: string) =>
  `select case when pg_is_in_recovery() then server_beat(${escapeLiteral(server)}) end as at`

/** Ends by itself. @returns null if the database does not answer, or has nothing */
async function ask(pool: Pool, statement: string): Promise<string | null> {
  try {
    const results: unknown = await pool.query(`set local statement_timeout = '3s'; ${statement}`)
    return (results as QueryResult<{ at: string | null }>[])[1]?.rows[0]?.at ?? null
  } catch {
    return null
  }
}
