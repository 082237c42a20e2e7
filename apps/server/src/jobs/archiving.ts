import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { archivePart, type ArchiveContext, findMissingFiles } from '../features/archive/archive.ts'
import { STATISTICS_LOCK } from '../features/statistics/statistics.ts'
import { isLockTimeout } from '../platform/database/database-errors.ts'
import { SKIPPED } from '../platform/metrics/watch-job.ts'
import type { Jobs } from './jobs.ts'

/*
 * Moves the plays of old days into the archive (HOT_DAYS): one client and day after another, the oldest day first, on one server at a
 * time. It rests fourteen times as long as it has worked: thread and
 * PostgreSQL work side by side, and less than a tenth of a core is left of both. docs/decisions/0360.
 */

const LOOK_MS = 60 * 60_000
const DAY_MS = 86_400_000
const REST = 14
/** A part that waited for a busy machine does not stop the job for hours. */
const MAX_REST_MS = 10 * 60_000
const LOCKED_MS = 5000

export type ArchivingContext = ArchiveContext & { settings: Pick<Context['settings'], 'hotDays'> }

interface Run {
  signal: AbortSignal
  /** Rests after some work. Rejects when the job is to end. */
  rest: (workedMs: number) => Promise<void>
}

/** What a run moved. */
export interface Archived {
  files: number
  plays: number
  bytes: number
  /** The clients and days that failed. They are tried again with the next run. */
  failures: number
}

/** Plays are in files that are not there any more: reports of these days are refused. */
export class FilesMissingError extends Error {
  override readonly name = 'FilesMissingError'
}

/** One run over all old days. */
class ArchiveRun {
  readonly sum: Archived = { files: 0, plays: 0, bytes: 0, failures: 0 }
  readonly #context: ArchivingContext
  readonly #run: Run

  constructor(context: ArchivingContext, run: Run) {
    this.#context = context
    this.#run = run
  }

  /** The plays of all clients of a day. */
  async moveDay(day: string): Promise<void> {
    const { database, log } = this.#context
    for (const clientId of await database.jobs.clientIds())
      try {
        while (await this.#moveOne(clientId, day));
      } catch (error) {
        this.#run.signal.throwIfAborted()
        this.sum.failures += 1
        log.error({ err: error, clientId, day }, 'plays were not moved into the archive')
      }
    try {
      await database.jobs.freePlayDay(day)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      log.info({ day }, 'a day without plays is being read; its room is given back with the next run')
    }
  }

  /** One file of a client and day. Nothing compares sums with plays meanwhile. @returns false if there is nothing to move */
  async #moveOne(clientId: string, day: string): Promise<boolean> {
    this.#run.signal.throwIfAborted()
    let moved: Awaited<ReturnType<typeof archivePart>> = null
    const begun = performance.now()
    const isMine = await this.#context.database.jobs.withAdvisoryLock(STATISTICS_LOCK, async () => {
      moved = await archivePart(this.#context, clientId, day)
      if (!moved) return
      this.sum.files += 1
      this.sum.plays += moved.rowCount
      this.sum.bytes += moved.sizeBytes
    })
    await this.#run.rest(isMine ? performance.now() - begun : LOCKED_MS / REST)
    return !isMine || moved !== null
  }
}

/**
 * Moves the plays of all days older than HOT_DAYS. Ends early when the signal says so: what is not moved then stays in the database.
 * @returns null while another server does it
 */
export async function archiveDays(context: ArchivingContext, run: Run): Promise<Archived | null> {
  const { database, now, settings } = context
  if (settings.hotDays === null) return null
  const archive = new ArchiveRun(context, run)
  const before = new Date(now().getTime() - settings.hotDays * DAY_MS).toISOString().slice(0, 10)
  const isMine = await database.jobs.withAdvisoryLock('archive', async () => {
    for (const { day } of await database.jobs.playDaysBefore(before)) await archive.moveDay(day)
  })
  return isMine ? archive.sum : null
}

const restOf =
  (signal: AbortSignal): Run['rest'] =>
  async workedMs => {
    await wait(Math.min(MAX_REST_MS, REST * workedMs), undefined, { signal })
  }

/** Looks now and each hour for days that have become old. @returns a function that ends it */
export function startArchiving(context: ArchivingContext, jobs: Jobs): () => Promise<void> {
  const { log, settings } = context
  if (settings.hotDays === null) {
    const dropped = jobs.drop('archive')
    return () => dropped
  }
  return jobs.start({
    name: 'archive',
    // Another server may do it.
    succeedsWithinMs: null,
    nextAt: now => new Date(now.getTime() + LOOK_MS),
    run: async ({ signal }) => {
      const archived = await archiveDays(context, { signal, rest: restOf(signal) })
      if (archived === null) return SKIPPED
      if (archived.files > 0) log.info({ archived }, 'plays were moved into the archive')
      const missing = await findMissingFiles(context)
      if (missing.length > 0)
        throw new FilesMissingError(
          `${missing.length} files of the archive are missing, such as ${missing[0]}`,
        )
      if (archived.failures > 0) throw new Error(`${archived.failures} days were not moved into the archive`)
      return 'done'
    },
    onFailure: error =>
      log.error({ err: error }, 'the archive of plays failed; it is tried again in an hour'),
  })
}
