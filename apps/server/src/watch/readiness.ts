import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readMigrations } from '../platform/database/migrations.ts'
import { type FileKey, FileStoreAwayError } from '../platform/storage/file-store.ts'
import { diskSizeOf, floorBytesOf } from '../platform/storage/disk-space.ts'

/** Why a server says that it is not ready, the gravest first. The names are for balancers and monitors, and stay. */
const FAULTS = ['database-away', 'migrations-pending', 'no-files', 'disk-full', 'clock-off'] as const
/** What a check finds. That the server stops, the server itself says. */
type Fault = (typeof FAULTS)[number]
export const UNREADY_REASONS = ['stopping', ...FAULTS] as const
export type UnreadyReason = (typeof UNREADY_REASONS)[number]

/** A server with these serves devices all the same: a balancer may leave them out of account (docs/decisions/0325). */
export const SERVES_WITH: readonly UnreadyReason[] = ['disk-full', 'clock-off']

const WORDS: Record<Fault, string> = {
  'database-away': 'not ready: the database does not answer',
  'migrations-pending': 'not ready: the database is of a former version; a start of this version migrates it',
  'no-files':
    'not ready: none of the files that the database names is in DATA_DIR/media, or the bucket: is it mounted, and that of this installation?',
  'disk-full': 'not ready: the disk is full; uploads and changes are refused, devices are served',
  'clock-off':
    "not ready: this machine's clock and that of the database differ; devices take their time from it",
}

/** Anybody may ask, so answers are kept for this time. */
const MAX_AGE_MS = 1000
/** Files are looked for at this interval; more often while there are none. */
const FILES_AGE_MS = 60_000
const NO_FILES_AGE_MS = 5000
const DEADLINE_MS = 5000
/** Without a monitor the log has the changes all the same. */
const WATCH_MS = 10_000
const MAX_CLOCK_OFFSET_MS = 60_000
/** A clock that was off is so until it is clearly better: a balancer must not swing with it. */
const CLEAR_CLOCK_OFFSET_MS = 50_000
const WARN_CLOCK_OFFSET_MS = 2000

export type ReadinessContext = Pick<Context, 'database' | 'files' | 'incoming' | 'log' | 'now' | 'settings'>

/** @throws Error if the work takes longer, and what it throws */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = pause(ms, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error(`no answer for ${ms} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
    late.catch(() => undefined)
  }
}

/** Whether a server may get calls, and why not. Logs one line when a reason begins, and one when it ends. */
export class Readiness {
  readonly #context: ReadinessContext
  readonly #isStopping: () => boolean
  readonly #newest = readMigrations().at(-1)?.name ?? ''
  #checked: { at: number; reasons: Promise<Fault[]> } | null = null
  #files = { at: -Infinity, areMissing: false }
  #known = new Set<Fault>()
  #isClockLogged = false
  #offsetMs: number | null = null
  #databaseError: unknown = null
  #timer: NodeJS.Timeout | null = null

  constructor(context: ReadinessContext, isStopping: () => boolean) {
    this.#context = context
    this.#isStopping = isStopping
  }

  /** This machine's clock minus the database's, in milliseconds, at the last check; null while the database is away. */
  get clockOffsetMs(): number | null {
    return this.#offsetMs
  }

  /** Why the server is not ready, as of a second ago at most; none: it is. Resolves within some seconds. */
  async reasons(): Promise<UnreadyReason[]> {
    // A balancer is told at once.
    return this.#isStopping() ? ['stopping'] : this.#findFaults()
  }

  #findFaults(): Promise<Fault[]> {
    const at = performance.now()
    if (this.#checked === null || at - this.#checked.at > MAX_AGE_MS)
      this.#checked = { at, reasons: this.#check() }
    return this.#checked.reasons
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.#findFaults(), WATCH_MS).unref()
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  async #check(): Promise<Fault[]> {
    const [ofDatabase, isFull] = await Promise.all([
      this.#checkDatabase(),
      within(DEADLINE_MS, this.#context.incoming.isFull(this.#known.has('disk-full'))).catch(() => false),
    ])
    const found = new Set<Fault>([...ofDatabase, ...(isFull ? (['disk-full'] as const) : [])])
    const reasons = FAULTS.filter(reason => found.has(reason))
    await this.#logChanges(reasons)
    return reasons
  }

  async #checkDatabase(): Promise<Fault[]> {
    const { database, now } = this.#context
    const begun = performance.now()
    this.#offsetMs = null
    try {
      const { at, migration } = await within(DEADLINE_MS, database.ping())
      // The database read its clock about half-way.
      this.#offsetMs = now().getTime() - (performance.now() - begun) / 2 - Date.parse(at)
      if (migration === null || migration < this.#newest) return ['migrations-pending']
      this.#logClock(this.#offsetMs)
      return [
        ...((await this.#areFilesMissing()) ? (['no-files'] as const) : []),
        ...(this.#isClockOff(this.#offsetMs) ? (['clock-off'] as const) : []),
      ]
    } catch (error) {
      this.#databaseError = error
      return ['database-away']
    }
  }

  #isClockOff(offsetMs: number): boolean {
    const max = this.#known.has('clock-off') ? CLEAR_CLOCK_OFFSET_MS : MAX_CLOCK_OFFSET_MS
    return Math.abs(offsetMs) > max
  }

  /** Whether the database names files, and this server has none of some of them. */
  async #areFilesMissing(): Promise<boolean> {
    const { database, files, settings } = this.#context
    const at = performance.now()
    if (at - this.#files.at < (this.#files.areMissing ? NO_FILES_AGE_MS : FILES_AGE_MS))
      return this.#files.areMissing
    // The connections of jobs may be in use for long.
    const named = await within(DEADLINE_MS, database.watch.someFiles()).catch(() => null)
    if (named === null) return this.#files.areMissing
    // A store that is away says nothing of its files, and serves no server better than another.
    const sizeOf = (key: FileKey) =>
      files.size(key).catch((error: unknown) => (error instanceof FileStoreAwayError ? undefined : null))
    const sizes = await within(DEADLINE_MS, Promise.all(named.map(sizeOf))).catch(() => null)
    if (sizes === null && settings.s3 !== null) return this.#files.areMissing
    const areMissing = named.length > 0 && (sizes ?? [null]).every(size => size === null)
    this.#files = { at, areMissing }
    return this.#files.areMissing
  }

  async #logChanges(reasons: readonly Fault[]): Promise<void> {
    const { log } = this.#context
    const before = this.#known
    this.#known = new Set(reasons)
    for (const reason of reasons)
      if (!before.has(reason)) {
        const cause = reason === 'database-away' ? { err: this.#databaseError } : {}
        log.error({ reason, ...cause, ...(await this.#factsOf(reason)) }, WORDS[reason])
      }
    for (const reason of before)
      if (!this.#known.has(reason))
        log.info({ reason, ...(await this.#factsOf(reason)) }, `this has ended: ${WORDS[reason]}`)
  }

  async #factsOf(reason: Fault): Promise<object> {
    const { settings } = this.#context
    if (reason === 'clock-off') return { offsetSeconds: (this.#offsetMs ?? 0) / 1000 }
    if (reason !== 'disk-full') return {}
    const size = await within(DEADLINE_MS, diskSizeOf(settings.dataDir)).catch(() => null)
    return size === null ? {} : { ...size, floorBytes: floorBytesOf(size.totalBytes, settings.minFreeDisk) }
  }

  #logClock(offsetMs: number): void {
    const isOff = Math.abs(offsetMs) > WARN_CLOCK_OFFSET_MS
    if (isOff && !this.#isClockLogged)
      this.#context.log.warn(
        { offsetSeconds: Math.round(offsetMs) / 1000 },
        "this machine's clock and that of the database differ by more than two seconds",
      )
    this.#isClockLogged = isOff
  }
}
