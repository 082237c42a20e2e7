import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { addPublication, editPublication, PublicationState } from '@floorcast/contract/publications.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'

export interface StoredPublication extends Selectable<Tables['publications']> {
  /** As of now. */
  state: PublicationState
  /** As stored: a delayed one keeps `delayed` for a while after its moment. */
  storedState: PublicationState
}

export async function findPublication(
  reads: Reads,
  uid: string,
): Promise<{ groupUid: string; playlistUid: string; revision: number } | undefined> {
  return reads
    .selectFrom('publications')
    .select(['groupUid', 'playlistUid', 'revision'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Locks the publications of a group until the transaction ends. The group must be locked before. */
export async function lockGroupPublications(
  writes: Writes,
  groupUid: string,
  now: Date,
): Promise<StoredPublication[]> {
  const rows = await writes
    .selectFrom('publications as p')
    .selectAll('p')
    .select(publicationStateAt(now).as('stateNow'))
    .where('p.groupUid', '=', groupUid)
    .where('p.deletedAt', 'is', null)
    .orderBy('p.uid')
    .forUpdate('p')
    .execute()
  return rows.map(({ stateNow, ...row }) => ({ ...row, state: stateNow, storedState: row.state }))
}

/**
 * Stores the states that follow from the time: a delayed publication whose moment has passed is active, its predecessor is
 * disabled. A wall time is another instant in each zone, so it is stored two days after it.
 */
export async function reconcileGroup(writes: Writes, groupUid: string, now: Date): Promise<void> {
  const { rows } = await sql<{ uid: string; begunAt: string }>`
    select uid, coalesce(starts_at, starts_at_wall at time zone 'UTC') as begun_at from publications
    where group_uid = ${groupUid} and state = 'delayed'
      and (starts_at <= ${now} or starts_at_wall <= (${now}::timestamptz at time zone 'UTC') - interval '2 days')
    for update`.execute(writes)
  const begun = rows[0]
  if (!begun) return
  await sql`
    update publications set state = 'disabled', activated_at = null where group_uid = ${groupUid} and state = 'active'
  `.execute(writes)
  await sql`
    update publications set state = 'active', activated_at = ${begun.begunAt}, starts_at = null, starts_at_wall = null
    where uid = ${begun.uid}`.execute(writes)
}

const newPublication = ['uid', 'clientId', 'kind', 'name', 'description', 'groupUid', 'playlistUid'] as const
type NewPublication = InsertOf<'publications', typeof newPublication, keyof BodyOf<typeof addPublication>>

export async function insertPublication(
  writes: Writes,
  publication: NewPublication,
  at: Date,
): Promise<void> {
  await writes
    .insertInto('publications')
    .values({ ...pick(publication, newPublication), createdAt: at, changedAt: at })
    .execute()
}

const publicationUpdate = [
  'name',
  'description',
  'groupUid',
  'playlistUid',
  'formerPlaylistUid',
  'state',
  'activatedAt',
  'startsAt',
  'startsAtWall',
  'deletedAt',
  'deletedBy',
] as const
export type PublicationUpdate = UpdateOf<
  'publications',
  typeof publicationUpdate,
  EditedField<typeof editPublication>
>

/** @returns the publication after the change */
export async function updatePublication(
  writes: Writes,
  uid: string,
  { at, ...change }: PublicationUpdate & { at: Date },
): Promise<Selectable<Tables['publications']>> {
  return writes
    .updateTable('publications')
    .set({ ...pick(change, publicationUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The playlist before the last replacement, unless it is deleted or in the bin. */
export async function findFormerPlaylist(
  reads: Reads,
  uid: string,
): Promise<{ uid: string; name: string; state: EditState } | null> {
  const row = await reads
    .selectFrom('publications as p')
    .innerJoin('playlists as l', 'l.uid', 'p.formerPlaylistUid')
    .select(['l.uid', 'l.name', 'l.state'])
    .where('p.uid', '=', uid)
    .where('l.deletedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
