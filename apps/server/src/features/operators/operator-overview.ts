import { type OperatorOverview, QueueName } from '@floorcast/contract/operator.ts'
import type { Context } from '../../context.ts'
import { momentOfName } from '../../platform/backup/backup-format.ts'
import { readTarget } from '../../platform/backup/target.ts'
import type { QueueRow } from '../../platform/database/operator-queries.ts'
import { FigureCache } from '../../platform/lib/figure-cache.ts'
import { version } from '../../version.ts'

type OverviewContext = Pick<Context, 'installation' | 'settings'> & {
  database: Pick<Context['database'], 'operators'>
}

/** A server stores a sample a minute. */
const REPORTING_MS = 3 * 60_000
/** Every device's state is read for the versions. */
const VERSIONS_MIN_AGE_MS = 60_000
/** Some thousand files are asked for the size of the database. */
const DATABASE_MIN_AGE_MS = 30_000

type Servers = OperatorOverview['servers']

async function findServers({ database }: OverviewContext, now: Date): Promise<Servers> {
  const rows = await database.operators.servers(now)
  return rows.map(({ loadOne, loadFive, loadFifteen, ...row }) => ({
    ...row,
    isReporting: now.getTime() - Date.parse(row.at) < REPORTING_MS,
    loadAverages: [loadOne, loadFive, loadFifteen],
  }))
}

async function findBackup({ settings }: OverviewContext): Promise<OperatorOverview['backup']> {
  const { backup, dataDir } = settings
  if (backup === null) return { isScheduled: false, isTargetMissing: false, newestAt: null, count: 0 }
  const { names, isMissing } = await readTarget(backup.target, dataDir)
  const newest = names.at(-1)
  const newestAt = newest === undefined ? null : momentOfName(newest).toISOString()
  return { isScheduled: true, isTargetMissing: isMissing, newestAt, count: names.length }
}

/** In the order of the contract. */
const orderQueues = (rows: readonly QueueRow[]) =>
  QueueName.options.flatMap(known => {
    const row = rows.find(({ name }) => name === known)
    return row ? [{ ...row, name: known }] : []
  })

/** Reads the state of the installation; what is dear to measure is kept for a while. */
export function overviewReader(context: OverviewContext) {
  const { operators } = context.database
  const versions = new FigureCache<OperatorOverview['agents']>(1)
  const databases = new FigureCache<OperatorOverview['database']>(1)
  const measureDatabase = async (): Promise<OperatorOverview['database']> => {
    const { connections: used, maxConnections: limit, failures, ...row } = await operators.database()
    return { ...row, failures: failures ?? 0, connections: { used, limit } }
  }
  return async (now: Date): Promise<OperatorOverview> => {
    const [totals, servers, database, jobs, queues, agents, backup] = await Promise.all([
      operators.totals(now),
      findServers(context, now),
      databases.read('', { now, minAgeMs: DATABASE_MIN_AGE_MS }, measureDatabase),
      operators.jobs(now),
      operators.queues(now),
      versions.read('', { now, minAgeMs: VERSIONS_MIN_AGE_MS }, () => operators.versions(now)),
      findBackup(context),
    ])
    return {
      asOf: now.toISOString(),
      version: version.commit === null ? version.release : `${version.release} (${version.commit})`,
      totals,
      servers,
      database,
      jobs,
      queues: orderQueues(queues),
      agents,
      backup,
      state: context.installation.current(),
    }
  }
}
