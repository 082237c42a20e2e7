import type { Restored } from '@floorcast/contract/redelivery.ts'
import type { Kysely, Transaction } from 'kysely'
import type { Pool } from 'pg'
import { scopedKysely } from './client-scope.ts'
import { makeDayPartitions } from './auth-queries.ts'
import { type CollectedNotices, NoticeCollector, type NoticeOptions, notifyBy } from './collected-notices.ts'
import { RESTORED_DAYS } from './restorations.ts'
import type { Tables } from '../../../database/tables.ts'

declare const may: unique symbol

/** The tables that the role `floorcast_ingest` may write. */
type IngestTables = Pick<
  Tables,
  | 'deviceStates'
  | 'deviceTransitions'
  | 'deviceBoots'
  | 'publicationHoldings'
  | 'deviceUpdateStates'
  | 'alertReceipts'
  | 'plays'
  | 'deviceLogs'
  | 'heartbeats'
  | 'historyCounts'
  | 'playDays'
  | 'playHours'
  | 'playGroupHours'
  | 'playMediaDays'
  | 'playNames'
  | 'deliveredQuarters'
  | 'redeliveries'
>

/** A transaction of `floorcast_ingest`, over rows of several clients at once. */
export type IngestWrites = Omit<
  Transaction<IngestTables>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy'
> & { readonly [may]: { ingest: true } }

/**
 * Writes reports of devices. The role may insert history and update the newest state of any client: the client_id of a row
 * must come from the device's session, never from the device's message.
 */
export interface Ingest {
  /** Runs each statement as a separate transaction, which saves two round trips. */
  readonly statements: IngestWrites
  write<T>(work: (writes: IngestWrites) => Promise<T>): Promise<T>
  /** To consoles of all servers, of what was stored. */
  readonly notices: CollectedNotices
  /** Creates the partitions of these days (YYYY-MM-DD) if they are missing. Call it before inserting history rows. */
  ensureDays(days: Iterable<string>): Promise<void>
  /** The newest restoration, with the earliest moment that one of the last days went back to; null: there was none. */
  readRestored(): Promise<Restored | null>
  /** Sends the notices that wait. */
  close(): Promise<void>
}

/** Devices that send again what was lost, in a second, and the most seconds for all of them. */
const RESENDERS_A_SECOND = 20
const MAX_RESEND_SECONDS = 600

const RESTORED = `
  select (array_agg(epoch order by restored_at desc))[1] as epoch, min(restored_to) as since,
    least(${MAX_RESEND_SECONDS}, (select count(*) from device_states) / ${RESENDERS_A_SECOND})::int as "withinSeconds"
  from restorations where restored_at > now() - interval '${RESTORED_DAYS} days' having count(*) > 0`

export function openIngest(pool: Pool, options: NoticeOptions): Ingest {
  const transactions: Kysely<IngestTables> = scopedKysely(pool, null, 'transactions')
  const known = new Set<string>()
  const notices = new NoticeCollector(notifyBy(pool), options)
  const statements: Kysely<IngestTables> = scopedKysely(pool, null, 'statements')
  return {
    statements: statements as unknown as IngestWrites,
    notices,
    write: work =>
      transactions.transaction().execute(transaction => work(transaction as unknown as IngestWrites)),
    ensureDays: async days => {
      for (const day of new Set(days)) {
        if (known.has(day)) continue
        await makeDayPartitions(pool, day, day)
        known.add(day)
      }
    },
    readRestored: async () => (await pool.query<Restored>(RESTORED)).rows[0] ?? null,
    close: () => notices.close(),
  }
}
