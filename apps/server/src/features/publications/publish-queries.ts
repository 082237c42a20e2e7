import type { PublicationState } from '@floorcast/contract/publications.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { isOnSomewhere, publicationStateAt } from '../publication-state/publication-state-sql.ts'

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
