import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { isLockTimeout } from '../../platform/database/database-errors.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { deleteArchivedDays } from '../archive/archive.ts'
import { type Changes, recordOwnChanges } from '../audit/audit.ts'
import { addDays, type DeletionReason, FRESH_SUMS_DAYS, KEPT_DAYS } from './statistics-forecast.ts'
import {
  deleteDay,
  deleteOldFoldedDays,
  deleteOldQuarters,
  deleteOldSums,
  deleteOldTransitions,
  foldHeartbeats,
  type Look,
} from './statistics-deletion.ts'
import { STATISTICS_LOCK } from './statistics-rebuild.ts'
import {
  type CountedDay,
  countSumsBefore,
  findRetainedClient,
  findRetention,
  listCountedDays,
  listSumDays,
  removeCountsBefore,
  type Retention,
  saveRetention,
} from './statistics-retention-queries.ts'
import { noticesOf, readStatisticsUse } from './statistics-use.ts'

/*
 * Once a day the maintenance looks at the statistics of each client. It folds its older heartbeats, notes since when the dashboard has
 * said what will be deleted, and deletes what is due: single plays, device logs, heartbeats and changes of connectivity, and much later
 * old sums of plays. docs/decisions/0194, 0352.
 */

type RetentionContext = Pick<Context, 'database' | 'files' | 'log' | 'now'>

const GIGABYTE = 1_000_000_000
/** After an upgrade a large client has a year of heartbeats to fold. The rest waits for the next look, after other work. */
const MAX_FOLD_MS = 5 * 60_000
/** So often in all a statement that waits for a reader is tried. */
const LOCK_TRIES = 5
const LOCK_PAUSE_MS = 500

/** What a run did. */
export interface RetentionRun {
  clients: number
  /** Clients whose part failed. They are tried again with the next look. */
  failures: number
  /** Single heartbeats that were folded into days. */
  folded: number
  /** Deleted rows, without those of dropped partitions. */
  rows: number
  /** Dropped partitions. */
  partitions: string[]
}

/**
 * Looks at the clients that were not looked at today, and drops the partitions that no client keeps. An interrupted run goes on where
 * it stopped. @returns null if there is nothing to do, or while another server does it or sums are rebuilt
 */
export async function retainStatistics(
  context: RetentionContext,
  isStopping: () => boolean,
  maxFoldMs = MAX_FOLD_MS,
): Promise<RetentionRun | null> {
  const { database, log } = context
  const now = context.now()
  const today = now.toISOString().slice(0, 10)
  const { jobs } = database
  if ((await jobs.uncheckedClientIds(today)).length === 0) return null
  const run: RetentionRun = { clients: 0, failures: 0, folded: 0, rows: 0, partitions: [] }
  const isMine = await jobs.withAdvisoryLock(STATISTICS_LOCK, async () => {
    for (const clientId of await jobs.uncheckedClientIds(today)) {
      if (isStopping()) return
      try {
        const look = { scope: jobs.forClient(clientId), now, today, isStopping }
        // First: it makes room.
        const { folded, isComplete } = await foldHeartbeats(look, maxFoldMs)
        run.folded += folded
        if (!isComplete) continue
        run.rows += await retainClient(context, look)
        run.clients += 1
      } catch (error) {
        run.failures += 1
        log.error({ err: error, clientId }, 'deletion of old statistics of a client')
      }
    }
    const old = { names: await jobs.oldPartitions(today), isStopping }
    run.partitions = await withoutReaders(context, old, name => jobs.dropPartition(name, today))
    const folded = { names: await jobs.foldedPartitions(today), isStopping }
    await withoutReaders(context, folded, name => jobs.clearPartition(name, today))
  })
  return isMine ? run : null
}

/** @returns the deleted rows */
async function retainClient(context: RetentionContext, look: Look): Promise<number> {
  const { scope, today, isStopping } = look
  const retention = await scope.write(writes => decide(writes, context, look))
  if (!retention) return 0
  const { keptFrom, sumsKeptFrom } = retention
  let rows = 0
  if (keptFrom !== null) {
    const oldest = addDays(today, -KEPT_DAYS)
    await deleteArchivedDays(context.files, scope, keptFrom)
    await scope.write(writes => removeCountsBefore(writes, keptFrom < oldest ? keptFrom : oldest))
    for (const counted of await listCountedDays(scope.reads, keptFrom)) {
      rows += await deleteDay(look, counted)
      if (isStopping()) return rows
    }
    rows += await deleteOldFoldedDays(look, keptFrom)
    rows += await deleteOldQuarters(context, look, keptFrom)
    rows += await deleteOldTransitions(look, keptFrom < oldest ? keptFrom : oldest)
  }
  if (sumsKeptFrom !== null) rows += await deleteOldSums(look, sumsKeptFrom)
  if (isStopping()) return rows
  if (rows > 0) context.log.info({ clientId: scope.clientId, keptFrom, rows }, 'old statistics are deleted')
  await scope.write(writes => saveRetention(writes, scope.clientId, { ...retention, checkedOn: today }))
  return rows
}

/**
 * Saves what the dashboard says and which days go from now on. The same transaction records in the audit what goes, before the first
 * row does: a deletion that is interrupted goes on without another entry. @returns null if the client is gone
 */
async function decide(
  writes: Writes,
  { log }: RetentionContext,
  { scope, now, today }: Look,
): Promise<Retention | null> {
  const client = await findRetainedClient(writes)
  if (!client) return null
  await countSumsBefore(writes, addDays(today, -FRESH_SUMS_DAYS))
  const former = await findRetention(writes)
  const { statisticsDeletions: deletions } = await readStatisticsUse(
    writes,
    client.statisticsGigabytes * GIGABYTE,
    now,
  )
  const told = noticesOf(former, today)
  const announced = (reason: DeletionReason) =>
    deletions.some(deletion => deletion.reason === reason) ? (told[reason] ?? today) : null
  const retention = {
    ...former,
    announcedOn: announced('plan'),
    ageAnnouncedOn: announced('age'),
    sumsAnnouncedOn: announced('sums'),
  }
  for (const { reason, from, before: due } of deletions) {
    if (from > today) continue
    // Plays of former versions are counted before they go.
    const { oldestUncountedDay: uncounted } = client
    const before = uncounted !== null && uncounted < due ? uncounted : due
    const field = reason === 'sums' ? 'sumsKeptFrom' : 'keptFrom'
    const since = retention[field] ?? ''
    if (before <= since) continue
    const changes = await changesBefore(writes, { reason, since, before })
    if (changes === null) continue
    const { clientId } = scope
    const entry = {
      action: 'purge' as const,
      entity: 'client' as const,
      uid: clientId,
      name: client.name,
      changes,
    }
    await recordOwnChanges(writes, { clientId, at: now }, [entry])
    log.info({ clientId, reason, before, changes }, 'deletion of old statistics begins')
    retention[field] = before
  }
  await saveRetention(writes, scope.clientId, retention)
  return retention
}

interface Deletion {
  reason: DeletionReason
  since: string
  before: string
}

/** What goes, for the audit: rows, bytes, and the oldest day before and after. Null: nothing. */
async function changesBefore(writes: Writes, { reason, since, before }: Deletion): Promise<Changes | null> {
  const isBetween = ({ day }: { day: string }) => day >= since && day < before
  const sumOf = <T>(items: readonly T[], read: (item: T) => number): [number, number] => [
    items.reduce((sum, item) => sum + read(item), 0),
    0,
  ]
  const head = (oldest: string) => ({ oldestDay: [oldest, before], reason: [null, reason] }) satisfies Changes
  if (reason === 'sums') {
    const days = (await listSumDays(writes)).filter(isBetween)
    return days[0] ? { ...head(days[0].day), sumsBytes: sumOf(days, ({ bytes }) => bytes) } : null
  }
  const days = (await listCountedDays(writes, before)).filter(isBetween)
  const rows = (kind: CountedDay['kind']) =>
    sumOf(
      days.filter(day => day.kind === kind),
      ({ rowCount }) => rowCount,
    )
  if (!days[0]) return null
  return {
    ...head(days[0].day),
    plays: rows('plays'),
    deviceLogs: rows('device_logs'),
    heartbeats: rows('heartbeats'),
    statisticsBytes: sumOf(days, ({ byteCount }) => byteCount),
  }
}

/**
 * Drops or clears partitions, which no client's rows need. Devices that report wait behind a statement that waits for a reader, so it gives
 * up soon, until tomorrow. @returns those that are done
 */
async function withoutReaders(
  { log }: RetentionContext,
  { names, isStopping }: { names: readonly string[]; isStopping: () => boolean },
  act: (name: string) => Promise<boolean>,
): Promise<string[]> {
  const done: string[] = []
  let tries = 0
  for (const name of names)
    for (let isOver = false; !isOver && !isStopping();)
      try {
        if (await act(name)) done.push(name)
        isOver = true
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        if ((tries += 1) === LOCK_TRIES) {
          log.info({ name }, 'old partitions of statistics are being read; they are tried again tomorrow')
          return done
        }
        await pause(LOCK_PAUSE_MS)
      }
  return done
}
