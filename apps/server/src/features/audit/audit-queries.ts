import type { AuditEntry } from '@floorcast/contract/audit.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import type { Tables } from '../../../database/tables.ts'

export async function insertAuditEntries(
  writes: Writes,
  entries: readonly Insertable<Tables['auditEntries']>[],
): Promise<void> {
  await writes.insertInto('auditEntries').values(entries).execute()
}

/** Entries of one thing or user, or of all; from a moment, until before another. */
export interface AuditList extends ListRequest {
  about: string | null
  from?: string | undefined
  to?: string | undefined
}

const COLUMNS = sql`
  a.uid, a.at as event_time, a.at as receive_time, null as playlist, null as version, null as track, null as status,
  a.thing_name as description, a.thing as type, null::int as code, a.action as class, null as channel,
  null as update_package, a.request_id as request, a.user_name as comment,
  null::timestamptz as planned_time, null::float8 as seconds_played, null::int as volume,
  null::float8 as temperature_celsius,
  a.user_uid, a.user_name, a.thing_uid, a.thing_name, a.changes`

function conditions({ about, from, to }: AuditList): RawBuilder<unknown> {
  const parts = [sql`true`]
  if (about !== null) parts.push(sql`(a.thing_uid = ${about} or a.user_uid = ${about})`)
  if (from !== undefined) parts.push(sql`a.at >= ${from}::timestamptz`)
  if (to !== undefined) parts.push(sql`a.at < ${to}::timestamptz`)
  return sql.join(parts, sql` and `)
}

export const listAuditEntries = (reads: Reads, list: AuditList): Promise<ListPage<AuditEntry>> =>
  readPage<AuditEntry>(reads, list, {
    columns: COLUMNS,
    from: sql`from audit_entries a`,
    where: conditions(list),
    searched: [sql`a.user_name`, sql`a.action`, sql`a.thing`, sql`a.thing_name`],
    sorts: {
      eventTime: sql`a.at`,
      comment: sql`a.user_name`,
      class: sql`a.action`,
      type: sql`a.thing`,
      description: sql`a.thing_name`,
    },
    newest: sql`a.at`,
    uid: sql`a.uid`,
    isEndless: true,
  })

/** Is anything known of a thing or user? */
export async function isKnown(reads: Reads, uid: string): Promise<boolean> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select exists (select from audit_entries where thing_uid = ${uid})
      or exists (select from audit_entries where user_uid = ${uid}) as is_known`.execute(reads)
  return rows[0]?.isKnown === true
}
