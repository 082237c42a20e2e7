import type { AuditEntry, ChangedItem } from '@floorcast/contract/audit.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type ListColumns, type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import { insertMany } from '../../platform/database/insert-many.ts'
import { ANSWER_LATER } from '../../platform/database/scoped-pool.ts'
import type { Tables } from '../../../database/tables.ts'

/** One entry, or up to thousands in one statement. `changes` is JSON. */
export async function insertAuditEntries(
  writes: Writes,
  entries: readonly (Insertable<Tables['auditEntries']> & { changes: string })[],
): Promise<void> {
  if (entries.length === 1)
    await writes.insertInto('auditEntries').values(entries).modifyEnd(sql.raw(ANSWER_LATER)).execute()
  else
    await insertMany(
      writes,
      'auditEntries',
      entries.map(entry => ({ ...entry, changes: JSON.parse(entry.changes) as string })),
    )
}

/** Entries of one item or user, or of all; of some kinds, by some users; from a moment, until before another. */
export interface AuditList extends ListRequest {
  about: string | null
  type?: readonly string[] | undefined
  user?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

const NONE = { select: sql<null>`null` }

/** The columns of a log entry and those of the change history. */
const auditColumns = {
  uid: { select: sql<string>`a.uid` },
  eventTime: { select: sql<string>`a.at`, sort: true },
  receiveTime: { select: sql<string>`a.at` },
  playlist: NONE,
  version: NONE,
  track: NONE,
  status: NONE,
  description: { select: sql<string | null>`a.thing_name`, sort: true, search: true },
  type: { select: sql<string>`a.thing`, sort: true, search: true },
  code: NONE,
  class: { select: sql<string>`a.action`, sort: true, search: true },
  channel: NONE,
  updatePackage: NONE,
  request: { select: sql<string | null>`a.request_id` },
  comment: { select: sql<string>`a.user_name`, sort: true, search: true },
  plannedTime: NONE,
  secondsPlayed: NONE,
  volume: NONE,
  temperatureCelsius: NONE,
  userUid: { select: sql<string | null>`a.user_uid` },
  userName: { select: sql<string>`a.user_name` },
  thingUid: { select: sql<string | null>`a.thing_uid` },
  thingName: { select: sql<string | null>`a.thing_name` },
  changes: { select: sql<AuditEntry['changes']>`a.changes` },
} satisfies ListColumns

function conditions({ about, type, user, from, to }: AuditList): RawBuilder<unknown> {
  const parts = [sql`true`]
  if (about !== null) parts.push(sql`(a.thing_uid = ${about} or a.user_uid = ${about})`)
  if (type) parts.push(sql`a.thing = any(${type}::text[])`)
  if (user) parts.push(sql`a.user_uid = any(${user}::uuid[])`)
  if (from !== undefined) parts.push(sql`a.at >= ${from}::timestamptz`)
  if (to !== undefined) parts.push(sql`a.at < ${to}::timestamptz`)
  return sql.join(parts, sql` and `)
}

export const listAuditEntries = (
  reads: Reads,
  list: AuditList,
): Promise<ListPage<Omit<AuditEntry, 'named'>>> =>
  readPage(reads, list, {
    columns: auditColumns,
    from: sql`from audit_entries a`,
    where: conditions(list),
    newest: sql`a.at`,
    isEndless: true,
  })

/** True if there are entries of an item or user. */
export async function isKnown(reads: Reads, uid: string): Promise<boolean> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select exists (select from audit_entries where thing_uid = ${uid})
      or exists (select from audit_entries where user_uid = ${uid}) as is_known`.execute(reads)
  return rows[0]?.isKnown === true
}

/** Lets one transaction after another count and add entries of an action on an item. */
export async function lockAudited(
  writes: Writes,
  { action, uid }: { action: string; uid: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit ${action} ${uid}`}, 0))`.execute(writes)
}

/** Counts the entries of an action on an item since a moment. */
export async function countEntries(
  reads: Reads,
  { action, uid, since }: { action: string; uid: string; since: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_entries
    where thing_uid = ${uid} and action = ${action} and at > ${since}`.execute(reads)
  return rows[0]?.count ?? 0
}

/** Those of the uids that are items outside the recycle bin, with their names. */
export async function findChangedItems(reads: Reads, uids: readonly string[]): Promise<ChangedItem[]> {
  if (uids.length === 0) return []
  const { rows } = await sql<ChangedItem>`
    select i.uid, i.name, i.kind, i.content_type from (
      select uid, name, 'device' as kind, null as content_type, deleted_at from devices
      union all select uid, name, 'group', null, deleted_at from groups
      union all select uid, name, 'media', content_type, deleted_at from media_items
      union all select uid, name, 'playlist', null, deleted_at from playlists
      union all select uid, name, 'publication', null, deleted_at from publications
      union all select uid, name, 'profile', null, null from profiles
      union all select uid, name, 'update-package', null, null from update_packages
      union all select uid, name, 'update-channel', null, null from update_channels
    ) i where i.deleted_at is null and i.uid = any(${uids}::uuid[])`.execute(reads)
  return rows
}
