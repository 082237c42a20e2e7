import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import type { DayBytes } from './statistics-forecast.ts'

/** What a client's plays, device logs and heartbeats take by day, the oldest day first. */
export async function listDayBytes(reads: Reads): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select day, sum(byte_count)::bigint as bytes from history_counts group by day order by day`.execute(reads)
  return rows
}
