import type { PublicationState } from '@floorcast/contract/publications.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { publicationStateAt } from '../../platform/database/publication-state.ts'

export interface PublicationFields {
  uid: string
  kind: 'audio' | 'video'
  name: string
  description: string
  groupUid: string
  playlistUid: string
  /** As of now. */
  state: PublicationState
  /** As stored: one that waited keeps `delayed` for a while after its moment. */
  storedState: PublicationState
  /** The moment that a delayed one waits for: an instant, or a wall time in each device's zone. */
  startsAt: string | null
  startsAtWall: string | null
  version: number
}

export async function findPublication(
  reads: Reads,
  uid: string,
): Promise<{ groupUid: string; playlistUid: string } | undefined> {
  return reads
    .selectFrom('publications')
    .select(['groupUid', 'playlistUid'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** The publications of a group, locked until the transaction ends; the group itself must be locked before. */
export async function lockGroupPublications(
  writes: Writes,
  groupUid: string,
  now: Date,
): Promise<PublicationFields[]> {
  const { rows } = await sql<PublicationFields>`
    select p.uid, p.kind, p.name, p.description, p.group_uid, p.playlist_uid, ${publicationStateAt(now)} as state,
      p.state as stored_state, p.starts_at, p.starts_at_wall, p.version
    from publications p where p.group_uid = ${groupUid} and p.deleted_at is null
    order by p.uid for update of p`.execute(writes)
  return rows
}

/**
 * Writes down what the time has decided: a waiting publication whose moment has come is active, the former disabled.
 * A wall time comes at other instants in other zones, so it is left to the devices until it is two days past.
 */
export async function settleGroup(writes: Writes, groupUid: string, now: Date): Promise<void> {
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

export interface NewPublication {
  uid: string
  clientId: string
  kind: 'audio' | 'video'
  name: string
  description: string
  groupUid: string
  playlistUid: string
  at: Date
}

export async function insertPublication(
  writes: Writes,
  { at, ...publication }: NewPublication,
): Promise<void> {
  await writes
    .insertInto('publications')
    .values({ ...publication, createdAt: at, changedAt: at })
    .execute()
}

export interface PublicationUpdate {
  name?: string
  description?: string
  groupUid?: string
  playlistUid?: string
  formerPlaylistUid?: string
  state?: PublicationState
  activatedAt?: Date | null
  startsAt?: Date | null
  /** A wall time, YYYY-MM-DDTHH:MM:SS. */
  startsAtWall?: string | null
  deletedAt?: Date
  deletedBy?: string
}

export async function updatePublication(
  writes: Writes,
  uid: string,
  { at, ...change }: PublicationUpdate & { at: Date },
): Promise<void> {
  await writes
    .updateTable('publications')
    .set(eb => ({ ...change, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/** The playlist before the last replace, unless it is gone or in the bin. */
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
