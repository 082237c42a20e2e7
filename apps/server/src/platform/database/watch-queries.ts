import type { Pool, QueryResult } from 'pg'
import type { FairQueue } from '../lib/fair-queue.ts'

/* What monitors are told of the database and of all clients: counts and ages, no row or name of one. */

/** Moments are ISO 8601. */
export interface QueueFigures {
  at: string
  mails: number
  mailsSince: string | null
  media: number
  mediaSince: string | null
  maintainedAt: string | null
  maintenanceFailures: number | null
  connections: number
  maxConnections: number
  notifyQueueUsage: number
  standbys: number
  /** Null: PostgreSQL does not say, or there is no standby. */
  replicationLagSeconds: number | null
}

export interface FleetFigures {
  at: string
  databaseBytes: number
  commands: number
  commandsSince: string | null
  clients: number
  clientsAtDeviceLimit: number
  online: number
  late: number
  linkdown: number
  linklost: number
  neverup: number
  /** The most frequent versions that devices say, and how many were up with each in the last day. */
  versions: Record<string, number>
}

export interface WatchQueries {
  readQueues(): Promise<QueueFigures>
  /** Looks at each device once. */
  readFleet(moment: Date): Promise<FleetFigures>
  /** Some files that rows name. */
  someFiles(): Promise<{ clientUid: string; sha256: string }[]>
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * PostgreSQL ends the statement itself: a monitor that asks again must not find the connections of jobs taken. Two statements in one
 * message are one transaction, which ends with them.
 */
async function readWithin<Row>(pool: Pool, seconds: number, statement: string): Promise<Row[]> {
  const results: unknown = await pool.query(`set local statement_timeout = '${seconds}s'; ${statement}`)
  const rows = (results as QueryResult<Record<string, unknown>>[])[1]?.rows ?? []
  return rows.map(
    row => Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value])) as Row,
  )
}

async function readOne<Row>(pool: Pool, seconds: number, statement: string): Promise<Row> {
  const [row] = await readWithin<Row>(pool, seconds, statement)
  if (row === undefined) throw new Error('PostgreSQL did not answer')
  return row
}

export const openWatchQueries = (pool: Pool): WatchQueries => ({
  readQueues: () => readOne(pool, 3, 'select * from jobs_queue_figures()'),
  readFleet: async moment => {
    const at = moment.toISOString()
    return {
      ...(await readOne<Omit<FleetFigures, 'at'>>(pool, 20, `select * from jobs_fleet_figures('${at}')`)),
      at,
    }
  },
  someFiles: () => readWithin(pool, 3, 'select * from jobs_some_files()'),
})

/** Connections of a pool. */
export interface PoolState {
  pool: string
  size: number
  inUse: number
  /** Calls that wait for one. */
  waiting: number
}

export const poolStateOf = (pool: string, opened: Pool, turns: FairQueue | undefined): PoolState => ({
  pool,
  size: opened.options.max,
  inUse: opened.totalCount - opened.idleCount,
  waiting: opened.waitingCount + (turns?.state.waiting ?? 0),
})
