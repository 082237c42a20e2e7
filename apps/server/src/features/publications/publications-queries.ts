import type { KindFilter, Kind } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { PublicationRow, PublicationState } from '@floorcast/contract/publications.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import {
  readMatching,
  readPage,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { findNames, findUnused } from '../../platform/database/names.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'

/** Which publications. */
export interface PublicationSet {
  kind: KindFilter
  state?: PublicationState | undefined
  /** Those that name this playlist. */
  playlistUid?: string | undefined
}
export type PublicationList = PublicationSet & ListRequest

export interface PublicationRecord {
  uid: string
  name: string
  description: string
  kind: Kind
  state: PublicationState
  groupUid: string
  groupName: string
  groupState: EditState
  playlistUid: string
  playlistName: string
  playlistState: EditState
  startsAt: string | null
  startsAtWall: string | null
  activatedAt: string | null
  changedAt: string
  createdAt: string
  version: number
  deviceCount: number
  holdingCount: number
  reportedCount: number
}

const DEVICES = sql`from devices d
  left join publication_holdings h
    on h.publication_uid = p.uid and h.device_uid = d.uid and h.revision = p.revision
  where d.group_uid = p.group_uid and d.deleted_at is null`

const columns = (now: Date) => sql`
  p.uid, p.name, p.description, p.kind, ${publicationStateAt(now)} as state, p.starts_at, p.starts_at_wall,
  p.activated_at, p.changed_at, p.created_at, p.version,
  g.uid as group_uid, g.name as group_name, g.state as group_state,
  l.uid as playlist_uid, l.name as playlist_name, l.state as playlist_state,
  (select count(*) ${DEVICES}) as device_count,
  (select count(*) ${DEVICES} and h.missing = 0) as holding_count,
  (select count(h.device_uid) ${DEVICES}) as reported_count`

const FROM = sql`
  from publications p
  join groups g on g.uid = p.group_uid
  join playlists l on l.uid = p.playlist_uid`

const rowOf = (record: PublicationRecord): PublicationRow => ({
  uid: record.uid,
  name: record.name,
  description: record.description,
  kind: record.kind,
  state: record.state,
  group: { uid: record.groupUid, name: record.groupName },
  playlist: { uid: record.playlistUid, name: record.playlistName },
  startsAt: record.startsAt ?? record.startsAtWall,
  activatedAt: record.activatedAt,
  changedAt: record.changedAt,
  readiness:
    record.state === 'disabled'
      ? null
      : {
          devices: record.deviceCount,
          holding: record.holdingCount,
          neverReported: record.deviceCount - record.reportedCount,
        },
})

function conditions(list: PublicationSet, now: Date): RawBuilder<unknown> {
  const parts = [sql`p.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`p.kind = ${list.kind}`)
  if (list.state) parts.push(sql`${publicationStateAt(now)} = ${list.state}`)
  if (list.playlistUid) parts.push(sql`p.playlist_uid = ${list.playlistUid}`)
  return sql.join(parts, sql` and `)
}

function publicationSource(list: PublicationSet, now: Date) {
  return {
    name: sql`p.name`,
    columns: columns(now),
    from: FROM,
    where: conditions(list, now),
    searched: [sql`p.name`, sql`p.description`, sql`g.name`, sql`l.name`],
    sorts: {
      name: sql`lower(p.name)`,
      kind: sql`p.kind`,
      state: publicationStateAt(now),
      group: sql`lower(g.name)`,
      playlist: sql`lower(l.name)`,
      startsAt: sql`coalesce(p.starts_at, p.starts_at_wall at time zone 'UTC')`,
      activatedAt: sql`p.activated_at`,
      changedAt: sql`p.changed_at`,
    },
    newest: sql`p.changed_at`,
    uid: sql`p.uid`,
  }
}

export async function listPublicationRecords(
  reads: Reads,
  list: PublicationList,
  now: Date,
): Promise<ListPage<PublicationRow>> {
  const found = await readPage<PublicationRecord>(reads, list, publicationSource(list, now))
  return { ...found, items: found.items.map(rowOf) }
}

/** The publications that a bulk call's filter finds. */
export const findPublicationsMatching = (reads: Reads, list: PublicationSet & Matching, now: Date) =>
  readMatching(reads, list, publicationSource(list, now))

export async function findPublicationCard(reads: Reads, uid: string, now: Date) {
  const { rows } = await sql<PublicationRecord>`
    select ${columns(now)} ${FROM} where p.uid = ${uid} and p.deleted_at is null`.execute(reads)
  const record = rows[0]
  if (!record) return undefined
  const { createdAt, version, groupState, playlistState } = record
  return { ...rowOf(record), createdAt, version, groupState, playlistState }
}

export interface HoldingDevice {
  uid: string
  name: string
  missing: number | null
  lastContactAt: string | null
}

/** The devices of a publication's group, with what each still misses of its revision. */
export async function findHoldings(reads: Reads, publicationUid: string): Promise<HoldingDevice[]> {
  const { rows } = await sql<HoldingDevice>`
    select d.uid, d.name, h.missing, s.last_contact_at
    from publications p
    join devices d on d.group_uid = p.group_uid and d.deleted_at is null
    left join publication_holdings h
      on h.publication_uid = p.uid and h.device_uid = d.uid and h.revision = p.revision
    left join device_states s on s.device_uid = d.uid
    where p.uid = ${publicationUid}
    order by h.missing desc nulls first, lower(d.name), d.uid`.execute(reads)
  return rows
}

export async function countPublicationStates(
  reads: Reads,
  now: Date,
): Promise<Partial<Record<PublicationState, number>>> {
  const { rows } = await sql<{ state: PublicationState; publications: number }>`
    select state, count(*) as publications
    from (select ${publicationStateAt(now)} as state from publications p where p.deleted_at is null) counted
    group by state`.execute(reads)
  return Object.fromEntries(rows.map(row => [row.state, row.publications]))
}

/** Names of those of the uids that are publications outside the recycle bin. */
export const findPublicationNames = (reads: Reads, uids: readonly string[]) =>
  findNames(reads, { table: 'publications' }, uids)

/** Publications that are neither in force nor waiting. */
export const findUnusedPublications = (reads: Reads) =>
  findUnused(reads, 'publications', sql`t.state = 'disabled'`)
