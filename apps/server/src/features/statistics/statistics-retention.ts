import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { isLockTimeout } from '../../platform/database/database-errors.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { type Changes, recordOwnChanges } from '../audit/audit.ts'
import { addDays, type DeletionReason, FRESH_SUMS_DAYS, KEPT_DAYS } from './statistics-forecast.ts'
import { correctQuarters, deleteQuarters } from './delivered-quarters-queries.ts'
import { STATISTICS_LOCK } from './statistics-rebuild.ts'
import {
  type CountedDay,
  countSumsBefore,
  deleteRows,
  deleteSums,
  deleteTransitions,
  findRetainedClient,
  findRetention,
  listCountedDays,
  listDevicesWithRows,
  listDevicesWithSums,
  listSumDays,
  removeCountsBefore,
  removeEmptyCount,
  removeSumDay,
  type Retention,
  saveRetention,
  SUM_BYTES,
} from './statistics-retention-queries.ts'
import { noticesOf, readStatisticsUse } from './statistics-use.ts'

/*
 * Once a day the maintenance looks at the statistics of each client. It notes since when the dashboard has said what will be deleted,
 * and deletes what is due: single plays, device logs, heartbeats and changes of connectivity, and much later old sums of plays.
 * docs/decisions/0194.
 */

type RetentionContext = Pick<Context, 'database' | 'log' | 'now'>

/** Rows of one transaction: about a third of a second. */
const ROWS_A_BATCH = 10_000
/** Batches wait as long as they took, so that deletion takes at most half of a disk, but no longer than this. */
const MAX_PAUSE_MS = 500
const GIGABYTE = 1_000_000_000
/** So often in all a drop that waits for a reader is tried. */
const DROP_TRIES = 5
const DROP_PAUSE_MS = 500

/** What a run did. */
export interface RetentionRun {
  clients: number
  /** Clients whose part failed. They are tried again with the next look. */
  failures: number
  /** Deleted rows, without those of dropped partitions. */
  rows: number
  /** Dropped partitions. */
  partitions: string[]
}

/** A client's statistics on a day. */
interface Look {
  scope: ClientScope
  now: Date
  today: string
  isStopping: () => boolean
}

/**
 * Looks at the clients that were not looked at today, and drops the partitions that no client keeps. An interrupted run goes on where
 * it stopped. @returns null if there is nothing to do, or while another server does it or sums are rebuilt
 */
export async function retainStatistics(
  context: RetentionContext,
  isStopping: () => boolean,
): Promise<RetentionRun | null> {
  const { database, log } = context
  const now = context.now()
  const today = now.toISOString().slice(0, 10)
  const { jobs } = database
  if ((await jobs.uncheckedClientIds(today)).length === 0) return null
  const run: RetentionRun = { clients: 0, failures: 0, rows: 0, partitions: [] }
  const isMine = await jobs.withAdvisoryLock(STATISTICS_LOCK, async () => {
    for (const clientId of await jobs.uncheckedClientIds(today)) {
      if (isStopping()) return
      try {
        run.rows += await retainClient(context, { scope: jobs.forClient(clientId), now, today, isStopping })
        run.clients += 1
      } catch (error) {
        run.failures += 1
        log.error({ err: error, clientId }, 'deletion of old statistics of a client')
      }
    }
    run.partitions = await dropPartitions(context, today, isStopping)
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
    await scope.write(writes => removeCountsBefore(writes, keptFrom < oldest ? keptFrom : oldest))
    for (const counted of await listCountedDays(scope.reads, keptFrom)) {
      rows += await deleteDay(look, counted)
      if (isStopping()) return rows
    }
    rows += await deleteOldQuarters(look, keptFrom)
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

/** Deletes the rows of a day, some devices at a time. Reports of devices wait for none of it. */
async function deleteDay(look: Look, counted: CountedDay): Promise<number> {
  const { scope, isStopping } = look
  const devices = await listDevicesWithRows(scope.reads, counted)
  const rows = await inBatches(look, { devices, rows: counted.rowCount }, (writes, some) =>
    deleteRows(writes, counted, some),
  )
  if (!isStopping()) await scope.write(writes => removeEmptyCount(writes, counted))
  return rows
}

/** Deletes the sums of the local days before `before`, the oldest first. */
async function deleteOldSums(look: Look, before: string): Promise<number> {
  const { scope, isStopping } = look
  let sum = 0
  for (const { day, bytes } of await listSumDays(scope.reads)) {
    if (day >= before || isStopping()) return sum
    const devices = await listDevicesWithSums(scope.reads, day)
    sum += await inBatches(look, { devices, rows: bytes / SUM_BYTES }, (writes, some) =>
      deleteSums(writes, day, some),
    )
    if (!isStopping()) await scope.write(writes => removeSumDay(writes, day))
  }
  return sum
}

/** Deletes a day's rows of devices in transactions of about ten thousand rows, with pauses. */
async function inBatches(
  { scope, isStopping }: Look,
  { devices, rows }: { devices: readonly string[]; rows: number },
  work: (writes: Writes, deviceUids: readonly string[]) => Promise<number>,
): Promise<number> {
  const rowsADevice = Math.max(1, rows / Math.max(1, devices.length))
  const some = Math.max(1, Math.floor(ROWS_A_BATCH / rowsADevice))
  let gone = 0
  for (let from = 0; from < devices.length && !isStopping(); from += some) {
    const begun = performance.now()
    gone += await scope.write(writes => work(writes, devices.slice(from, from + some)))
    await pause(Math.min(MAX_PAUSE_MS, performance.now() - begun))
  }
  return gone
}

/** Delivered plays are known as long as their rows. A play that began before `keptFrom` may be scheduled on that day. */
async function deleteOldQuarters({ scope, isStopping }: Look, keptFrom: string): Promise<number> {
  let sum = 0
  for (let rows = ROWS_A_BATCH; rows === ROWS_A_BATCH && !isStopping(); sum += rows)
    rows = await scope.write(writes => deleteQuarters(writes, keptFrom, ROWS_A_BATCH))
  if (!isStopping()) await scope.write(writes => correctQuarters(writes, keptFrom))
  return sum
}

async function deleteOldTransitions({ scope, isStopping }: Look, before: string): Promise<number> {
  let sum = 0
  for (let rows = ROWS_A_BATCH; rows === ROWS_A_BATCH && !isStopping(); sum += rows)
    rows = await scope.write(writes => deleteTransitions(writes, new Date(before), ROWS_A_BATCH))
  return sum
}

/** Drops what no client keeps. Devices that report wait behind a drop that waits for a reader, so it gives up soon, until tomorrow. */
async function dropPartitions(
  { database, log }: RetentionContext,
  today: string,
  isStopping: () => boolean,
): Promise<string[]> {
  const dropped: string[] = []
  let tries = 0
  for (const name of await database.jobs.oldPartitions(today))
    for (let isDone = false; !isDone && !isStopping();)
      try {
        if (await database.jobs.dropPartition(name, today)) dropped.push(name)
        isDone = true
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        if ((tries += 1) === DROP_TRIES) {
          log.info({ name }, 'old partitions of statistics are being read; they are dropped tomorrow')
          return dropped
        }
        await pause(DROP_PAUSE_MS)
      }
  return dropped
}
