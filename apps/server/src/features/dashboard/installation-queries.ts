import type { Installation } from '@floorcast/contract/dashboard.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'

const LARGEST_TABLES = 12
const REPORTING_MS = 3 * 60_000

interface LatestSample {
  name: string
  at: string
  loadOne: number
  loadFive: number
  loadFifteen: number
  freeBytes: number
  totalBytes: number
}

async function findServers(reads: Reads, now: Date): Promise<Installation['servers']> {
  const { rows } = await sql<LatestSample>`
    select distinct on (server) server as name, at, load_one, load_five, load_fifteen, free_bytes, total_bytes
    from server_samples where at > ${now}::timestamptz - interval '1 day' and at <= ${now}
    order by server, at desc`.execute(reads)
  return rows.map(({ loadOne, loadFive, loadFifteen, ...row }) => ({
    ...row,
    isReporting: now.getTime() - Date.parse(row.at) < REPORTING_MS,
    loadAverages: [loadOne, loadFive, loadFifteen],
  }))
}

/**
 * Partitions count as their table. Their sizes are those of PostgreSQL's last look (vacuum or analyze): to ask for the files of
 * hundreds of partitions and their indexes takes longer than the whole dashboard. What it has not looked at yet is asked, if it is
 * not empty: an empty partition with its indexes takes 0.2 ms to ask, and some hundred are made ahead.
 */
async function findComponents(reads: Reads): Promise<Installation['database']['components']> {
  const { rows } = await sql<Installation['database']['components'][number]>`
    with stored as materialized (
      select c.oid, c.reltoastrelid, coalesce(p.relname, c.relname)::text as name, greatest(c.reltuples, 0) as rows, c.relpages
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace),
    part as (
      select oid, relpages from stored
      union all select s.oid, t.relpages from stored s join pg_class t on t.oid = s.reltoastrelid
      union all select s.oid, k.relpages from stored s join pg_index x on x.indrelid = s.oid
        join pg_class k on k.oid = x.indexrelid),
    seen as (select oid, sum(relpages) * current_setting('block_size')::bigint as bytes from part group by 1)
    select s.name, sum(s.rows)::bigint as rows,
      sum(case when s.relpages > 0 or pg_relation_size(s.oid) = 0 then seen.bytes else pg_total_relation_size(s.oid) end)::bigint as bytes
    from stored s join seen on seen.oid = s.oid group by 1 order by 3 desc, 1 limit ${LARGEST_TABLES}`.execute(
    reads,
  )
  return rows
}

/** What the database takes on the disk. PostgreSQL asks for the size of each of its files, some thousand. */
export async function measureSizes(
  reads: Reads,
): Promise<Pick<Installation['database'], 'sizeBytes' | 'components'>> {
  const { rows } = await sql<{
    sizeBytes: number
  }>`select pg_database_size(current_database()) as size_bytes`.execute(reads)
  return { sizeBytes: rows[0]?.sizeBytes ?? 0, components: await findComponents(reads) }
}

/** The state of the servers and of the database, which serve all clients, with sizes that were measured before. */
export async function measureInstallation(
  reads: Reads,
  sizes: Awaited<ReturnType<typeof measureSizes>>,
  now: Date,
): Promise<Installation> {
  const { rows } = await sql<{
    version: string
    used: number
    limit: number
    maintainedAt: string | null
  }>`
    select current_setting('server_version') as version,
      (select count(*) from pg_stat_activity where datname = current_database()) as used,
      current_setting('max_connections')::int as "limit",
      (select max(ended_at) from maintenance_runs where ended_at <= ${now}) as maintained_at`.execute(reads)
  const [state] = rows
  if (!state) throw new Error('PostgreSQL did not tell its state')
  const { version, used, limit, maintainedAt } = state
  return {
    asOf: now.toISOString(),
    servers: await findServers(reads, now),
    database: { version, connections: { used, limit }, maintainedAt, ...sizes },
  }
}
