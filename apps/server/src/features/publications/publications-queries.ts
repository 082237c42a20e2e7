import type { Kind, KindFilter, Reference } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { PublicationRow, PublicationState } from '@floorcast/contract/publications.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import {
  readMatching,
  readPage,
  readRows,
  referenceTo,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
  type RowOf,
} from '../../platform/database/list.ts'
import { findNames, findUnused } from '../../platform/database/names.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'

/** A filter of publications. */
export interface PublicationSet {
  kind: KindFilter
  state?: PublicationState | undefined
  /** Publications of this playlist. */
  playlistUid?: string | undefined
}
export type PublicationList = PublicationSet & ListRequest

const DEVICES = sql`from devices d
  left join publication_holdings h
    on h.publication_uid = p.uid and h.device_uid = d.uid and h.revision = p.revision
  where d.group_uid = p.group_uid and d.deleted_at is null`

const publicationColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`p.uid` },
    name: { select: sql<string>`p.name`, sort: sql`lower(p.name)`, search: true },
    description: { select: sql<string>`p.description`, search: true },
    kind: { select: sql<Kind>`p.kind`, sort: true },
    state: { select: publicationStateAt(now), sort: true },
    group: { select: sql<Reference>`${referenceTo('g')}`, sort: sql`lower(g.name)`, search: [sql`g.name`] },
    playlist: {
      select: sql<Reference>`${referenceTo('l')}`,
      sort: sql`lower(l.name)`,
      search: [sql`l.name`],
    },
    startsAt: {
      select: sql<string | null>`p.starts_at`,
      sort: sql`coalesce(p.starts_at, p.starts_at_wall at time zone 'UTC')`,
    },
    startsAtWall: { select: sql<string | null>`p.starts_at_wall` },
    activatedAt: { select: sql<string | null>`p.activated_at`, sort: true },
    changedAt: { select: sql<string>`p.changed_at`, sort: true },
    deviceCount: { select: sql<number>`(select count(*) ${DEVICES})` },
    holdingCount: { select: sql<number>`(select count(*) ${DEVICES} and h.missing = 0)` },
    reportedCount: { select: sql<number>`(select count(h.device_uid) ${DEVICES})` },
  }) satisfies ListColumns
type PublicationRecord = RowOf<ReturnType<typeof publicationColumns>>

const cardColumns = (now: Date) =>
  ({
    ...publicationColumns(now),
    groupState: { select: sql<EditState>`g.state` },
    playlistState: { select: sql<EditState>`l.state` },
    createdAt: { select: sql<string>`p.created_at` },
    version: { select: sql<number>`p.version` },
  }) satisfies ListColumns

const FROM = sql`
  from publications p
  join groups g on g.uid = p.group_uid
  join playlists l on l.uid = p.playlist_uid`

/** The counts of devices are shown only for publications that are on or waiting. */
const toRow = <Record extends PublicationRecord>({
  startsAtWall,
  deviceCount,
  holdingCount,
  reportedCount,
  ...row
}: Record) => ({
  ...row,
  startsAt: row.startsAt ?? startsAtWall,
  readiness:
    row.state === 'disabled'
      ? null
      : { devices: deviceCount, holding: holdingCount, neverReported: deviceCount - reportedCount },
})

function conditions(list: PublicationSet, now: Date): RawBuilder<unknown> {
  const parts = [sql`p.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`p.kind = ${list.kind}`)
  if (list.state) parts.push(sql`${publicationStateAt(now)} = ${list.state}`)
  if (list.playlistUid) parts.push(sql`p.playlist_uid = ${list.playlistUid}`)
  return sql.join(parts, sql` and `)
}

const publicationSource = (list: PublicationSet, now: Date) => ({
  columns: publicationColumns(now),
  from: FROM,
  where: conditions(list, now),
  newest: sql`p.changed_at`,
})

export async function listPublicationRows(
  reads: Reads,
  list: PublicationList,
  now: Date,
): Promise<ListPage<PublicationRow>> {
  const page = await readPage(reads, list, publicationSource(list, now))
  return { ...page, items: page.items.map(toRow) }
}

/** The publications that a bulk call's filter finds. */
export const findPublicationsMatching = (reads: Reads, list: PublicationSet & Matching, now: Date) =>
  readMatching(reads, list, publicationSource(list, now))

export async function findPublicationCard(reads: Reads, uid: string, now: Date) {
  const from = sql`${FROM} where p.uid = ${uid} and p.deleted_at is null`
  const [card] = await readRows(reads, cardColumns(now), from)
  return card && toRow(card)
}

export interface HoldingDevice {
  uid: string
  name: string
  missing: number | null
  lastContactAt: string | null
}

/** The devices of a publication's group, with the number of files that each still misses. */
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
