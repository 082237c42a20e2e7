import type { PublicationAction } from '@floorcast/contract/bulk-calls.ts'
import type { Kind, KindFilter, Reference } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type {
  HoldingState,
  PublicationDevice,
  PublicationRow,
  PublicationState,
  Readiness,
} from '@floorcast/contract/publications.ts'
import { type RawBuilder, sql } from 'kysely'
import { countBulk, selectedUids } from '../../platform/database/bulk-plan.ts'
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
import type { BulkSelection } from '../../platform/lib/bulk.ts'
import { isOnSomewhere, publicationStateAt } from '../publication-state/publication-state-sql.ts'

/** A filter of publications. */
export interface PublicationSet {
  kind: KindFilter
  state?: PublicationState | undefined
  /** Publications of this playlist. */
  playlistUid?: string | undefined
}
export type PublicationList = PublicationSet & ListRequest
/** The publications of a bulk call. */
export type PublicationSelection = BulkSelection<PublicationSet & { search: string }>

/** The sum of a column of the counts that devices' reports add to. */
const reported = (column: 'holding' | 'reported') => sql<number>`
  (select coalesce(sum(c.${sql.id(column)}), 0)::int from publication_counts c
    where c.client_id = p.client_id and c.publication_uid = p.uid and c.revision = p.revision)`

const publicationColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`p.uid` },
    name: { select: sql<string>`p.name`, sort: sql`p.sort_name`, search: true },
    description: { select: sql<string>`p.description`, search: true },
    kind: { select: sql<Kind>`p.kind`, sort: true },
    state: { select: publicationStateAt(now), sort: true },
    group: { select: sql<Reference>`${referenceTo('g')}`, sort: sql`g.sort_name`, search: [sql`g.name`] },
    playlist: {
      select: sql<Reference>`${referenceTo('l')}`,
      sort: sql`l.sort_name`,
      search: [sql`l.name`],
    },
    startsAt: {
      select: sql<string | null>`p.starts_at`,
      sort: sql`coalesce(p.starts_at, p.starts_at_wall at time zone 'UTC')`,
    },
    startsAtWall: { select: sql<string | null>`p.starts_at_wall` },
    activatedAt: { select: sql<string | null>`p.activated_at`, sort: true },
    changedAt: { select: sql<string>`p.changed_at`, sort: true },
    deviceCount: {
      select: sql<number>`case when p.state = 'disabled' then 0 else
        (select count(*) from devices d where d.group_uid = p.group_uid and d.deleted_at is null) end`,
    },
    holdingCount: { select: reported('holding') },
    reportedCount: { select: reported('reported') },
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

/** A device that leaves the group while its report is stored may be counted until the next revision. */
function readinessOf(devices: number, reportedCount: number, holdingCount: number): Readiness {
  const known = Math.min(devices, Math.max(0, reportedCount))
  const holding = Math.min(known, Math.max(0, holdingCount))
  return { devices, holding, missing: known - holding, neverReported: devices - known }
}

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
  readiness: row.state === 'disabled' ? null : readinessOf(deviceCount, reportedCount, holdingCount),
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

/** Why an action leaves a publication out; null if it does not. */
const whyLeftOut = (action: PublicationAction, now: Date): RawBuilder<unknown> =>
  ({
    'turn-on': sql`case
      when ${isOnSomewhere(now)} then 'already-so'
      when exists (
        select from publications o
        where o.group_uid = p.group_uid and o.uid <> p.uid and o.deleted_at is null and o.state = 'active') then 'group-taken'
      when g.state = 'paused' then 'group-paused'
      when l.state = 'paused' then 'playlist-paused' end`,
    'turn-off': sql`case when not ${isOnSomewhere(now)} then 'already-so' end`,
    delete: sql`case when ${isOnSomewhere(now)} then 'turn-it-off-first' end`,
  })[action]

export const countPublicationAction = (
  reads: Reads,
  { items, action, now }: { items: PublicationSelection; action: PublicationAction; now: Date },
) =>
  countBulk(reads, {
    selected: selectedUids(items, filter => publicationSource(filter, now)),
    from: sql`${FROM} where p.deleted_at is null`,
    uid: sql`p.uid`,
    why: whyLeftOut(action, now),
  })

export async function findPublicationCard(reads: Reads, uid: string, now: Date) {
  const from = sql`${FROM} where p.uid = ${uid} and p.deleted_at is null`
  const [card] = await readRows(reads, cardColumns(now), from)
  return card && toRow(card)
}

const missingFiles = sql`h.missing`
const deviceColumns = {
  uid: { select: sql<string>`d.uid` },
  name: { select: sql<string>`d.name`, sort: sql`d.sort_name`, search: true },
  storeNumber: { select: sql<string>`d.store_number`, sort: sql`d.sort_store_number`, search: true },
  missing: {
    select: sql<number | null>`${missingFiles}`,
    // The most missing files first, then devices that have not reported, then those that hold all.
    sort: sql`case when ${missingFiles} > 0 then -${missingFiles} when ${missingFiles} is null then 0 else 1 end`,
  },
  // A subquery: PostgreSQL evaluates it for the devices of the page alone.
  lastContactAt: {
    select: sql<string | null>`(select s.last_contact_at from device_states s where s.device_uid = d.uid)`,
    sort: true,
  },
} satisfies ListColumns

const HAS_STATE: Record<HoldingState, RawBuilder<unknown>> = {
  missing: sql`${missingFiles} > 0`,
  neverReported: sql`${missingFiles} is null`,
  holding: sql`${missingFiles} = 0`,
}

export type PublicationDeviceList = ListRequest & { state?: HoldingState | undefined }

/** The counts of a publication's devices in any of its states. */
async function countPublicationDevices(reads: Reads, uid: string): Promise<Readiness> {
  const { rows } = await sql<{ devices: number; reported: number; holding: number }>`
    select (select count(*) from devices d where d.group_uid = p.group_uid and d.deleted_at is null) as devices,
      ${reported('reported')} as reported, ${reported('holding')} as holding
    from publications p where p.uid = ${uid}`.execute(reads)
  const [counts] = rows
  return readinessOf(counts?.devices ?? 0, counts?.reported ?? 0, counts?.holding ?? 0)
}

/** A page of the devices of a publication's group, with the files that each misses. */
export async function listPublicationDeviceRows(
  reads: Reads,
  publication: { uid: string; groupUid: string; revision: number },
  { state, ...list }: PublicationDeviceList,
): Promise<ListPage<PublicationDevice>> {
  const { uid, groupUid, revision } = publication
  return readPage(
    reads,
    { ...list, sort: list.sort ?? 'missing' },
    {
      columns: deviceColumns,
      from: sql`from devices d left join publication_holdings h
        on h.publication_uid = ${uid} and h.device_uid = d.uid and h.revision = ${revision}`,
      where: sql`d.group_uid = ${groupUid} and d.deleted_at is null and ${state ? HAS_STATE[state] : sql`true`}`,
      newest: sql`d.changed_at`,
      thenBy: sql`d.sort_name`,
      readTotal: async () => (await countPublicationDevices(reads, uid))[state ?? 'devices'],
    },
  )
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

export interface UnreadyPublication {
  uid: string
  name: string
  /** Devices that miss files of it. */
  missing: number
}

/** The publications that are on or waiting and whose files some devices miss, those of most devices first. */
export async function findUnready(reads: Reads, now: Date, most: number): Promise<UnreadyPublication[]> {
  const { rows } = await sql<UnreadyPublication>`
    select p.uid, p.name, least(c.reported, g.devices) - least(c.holding, g.devices) as missing
    from publications p
    cross join lateral (
      select coalesce(sum(c.reported), 0)::int as reported, coalesce(sum(c.holding), 0)::int as holding
      from publication_counts c
      where c.client_id = p.client_id and c.publication_uid = p.uid and c.revision = p.revision) c
    cross join lateral (
      select count(*) as devices from devices d where d.group_uid = p.group_uid and d.deleted_at is null) g
    where p.deleted_at is null and p.state <> 'disabled' and c.reported > c.holding
      and least(c.reported, g.devices) > least(c.holding, g.devices) and ${publicationStateAt(now)} <> 'disabled'
    order by missing desc, p.uid limit ${most}`.execute(reads)
  return rows
}

/** A publication of a group, as a publication that starts there meets it. */
export interface GroupPublication {
  uid: string
  name: string
  playlistUid: string
  /** As of now. */
  state: PublicationState
  /** As it is stored, or will be as soon as the group is locked. */
  storedState: PublicationState
}

/** The publications of a group outside the bin, those that changed last first. */
export async function findGroupPublications(
  reads: Reads,
  groupUid: string,
  now: Date,
): Promise<GroupPublication[]> {
  const { rows } = await sql<GroupPublication>`
    select p.uid, p.name, p.playlist_uid, ${publicationStateAt(now)} as state,
      case when not ${isOnSomewhere(now)} then 'disabled'
        when p.state = 'delayed' and (p.starts_at <= ${now}
          or p.starts_at_wall <= (${now}::timestamptz at time zone 'UTC') - interval '2 days') then 'active'
        else p.state end as stored_state
    from publications p where p.group_uid = ${groupUid} and p.deleted_at is null
    order by p.changed_at desc, p.uid desc`.execute(reads)
  return rows
}
