import { EVENT_DAYS } from '@floorcast/contract/client-events.ts'
import type { Context } from '../context.ts'
import { retryFailedWork } from '../features/media/media.ts'
import { countUncounted, retainStatistics } from '../features/statistics/statistics.ts'
import { purgeOld } from '../features/recycle-bin/purge-old.ts'
import { collectDueFiles, deleteAbandonedPieces } from '../features/uploads/uploads.ts'
import {
  mergeAlertCounts,
  mergeCounts,
  mergePublicationCounts,
  purgeAlerts,
  purgeAudit,
  type PurgedRows,
  purgeEnded,
  purgeEvents,
  purgeLengths,
} from './maintenance-queries.ts'
import type { Jobs } from './jobs.ts'
import type { ClientScope } from '../platform/database/client-scope.ts'
import type { Settings } from '../platform/settings/settings.ts'

/*
 * Daily maintenance: creates partitions for the coming days and deletes rows that nothing reads. Every server checks often
 * and mostly finds nothing to do. The next check makes up for a machine that slept, a clock that jumped and a failure.
 * docs/decisions/0083 says why this is no scheduler.
 */

/** A start creates fewer, so the last partition shows whether today's maintenance has begun. */
const DAYS_AHEAD = 14
const CHECK_INTERVAL_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** Expired rows are kept for a day, because log lines may refer to them. */
const RETENTION_MS = DAY_MS
/** Counts of limits at most, about 150 MB. Only a flood from very many networks reaches it. */
const MAX_COUNTS = 1_000_000

export type MaintenanceContext = Pick<Context, 'database' | 'files' | 'log' | 'now'> & {
  settings: Pick<Settings, 'auditDays'>
}

/** Deleted rows by kind; `binned` are items of recycle bins, `audited` entries of the audit. */
export interface Purged extends PurgedRows {
  binned: number
  audited: number
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Creates the partitions of the coming days. The server that creates the last one of today also purges every client. Does
 * nothing while another server does it. @param isForced purges also if today's maintenance has begun before @returns the purged rows;
 * null if nothing was purged
 */
export async function runMaintenance(context: MaintenanceContext, isForced = false): Promise<Purged | null> {
  const { jobs } = context.database
  let purged: Purged | null = null
  await jobs.withAdvisoryLock('maintenance', async () => {
    const now = context.now().getTime()
    const begun = performance.now()
    const made = await jobs.makeDayPartitions(dayOf(now - DAY_MS), dayOf(now + DAYS_AHEAD * DAY_MS))
    if (made === 0 && !isForced) return
    const run = await purgeAll(context, new Date(now))
    purged = run.purged
    await jobs.operators.purge(new Date(now - context.settings.auditDays * DAY_MS), new Date(now))
    const endedAt = new Date(now + performance.now() - begun)
    await jobs.noteMaintenance({ beganAt: new Date(now), endedAt, failures: run.failures })
  })
  return purged
}

/** Purges one client after another. A client whose purge fails keeps its rows until tomorrow; the others are purged. */
async function purgeAll(
  { database, files, log, settings }: MaintenanceContext,
  now: Date,
): Promise<{ purged: Purged; failures: number }> {
  let failures = 0
  const sum: Purged = {
    sessions: 0,
    tickets: 0,
    reservations: 0,
    uploads: 0,
    messages: 0,
    deviceFiles: 0,
    boots: 0,
    programmes: 0,
    binned: 0,
    audited: 0,
  }
  const before = new Date(now.getTime() - RETENTION_MS)
  const auditedBefore = new Date(now.getTime() - settings.auditDays * DAY_MS)
  for (const clientId of await database.jobs.clientIds())
    try {
      const scope = database.jobs.forClient(clientId)
      const purged = await scope.write(writes => purgeEnded(writes, before))
      sum.sessions += purged.sessions
      sum.tickets += purged.tickets
      sum.reservations += purged.reservations
      sum.uploads += purged.uploads
      sum.messages += purged.messages
      sum.deviceFiles += purged.deviceFiles
      sum.boots += purged.boots
      sum.programmes += purged.programmes
      sum.binned += await purgeOld(scope, files, now)
      sum.audited += await purgeOldAudit(scope, auditedBefore)
      await scope.write(writes => purgeAlerts(writes))
      await scope.write(writes => purgeEvents(writes, new Date(now.getTime() - EVENT_DAYS * DAY_MS)))
      await scope.write(writes => purgeLengths(writes, now))
      await scope.write(retryFailedWork)
      await scope.write(mergeCounts)
      await scope.write(mergePublicationCounts)
      await scope.write(mergeAlertCounts)
    } catch (error) {
      failures += 1
      log.error({ err: error, clientId }, 'maintenance of a client')
    }
  return { purged: sum, failures }
}

async function purgeOldAudit(scope: ClientScope, before: Date): Promise<number> {
  let sum = 0
  for (;;) {
    const purged = await scope.write(writes => purgeAudit(writes, before))
    sum += purged
    if (purged === 0) return sum
  }
}

/** Runs maintenance now and every ten minutes. @returns a function that stops it and waits for the current run */
export function startMaintenance(
  context: MaintenanceContext & Pick<Context, 'incoming'>,
  jobs: Jobs,
  intervalMs = CHECK_INTERVAL_MS,
): () => Promise<void> {
  const { log } = context
  return jobs.start({
    name: 'maintenance',
    succeedsWithinMs: intervalMs,
    nextAt: now => new Date(now.getTime() + intervalMs),
    run: async ({ isForced, signal }) => {
      const purged = await runMaintenance(context, isForced)
      if (purged) log.info({ purged }, 'daily maintenance')
      await context.database.jobs.purgeCounts(context.now(), MAX_COUNTS)
      const days = await countUncounted(context, () => signal.aborted)
      if (days > 0) log.info({ days }, 'counted the plays of a former version')
      const retained = await retainStatistics(context, () => signal.aborted)
      if (retained) log.info({ retained }, 'looked at the age and size of statistics')
      // The last one: it fails while the store is away.
      await collectDueFiles(context, context.database)
      await deleteAbandonedPieces(context, context.database)
      await context.incoming.cleanUp()
      return 'done'
    },
    onFailure: error =>
      log.error({ err: error }, 'daily maintenance failed; it is tried again in ten minutes'),
  })
}
