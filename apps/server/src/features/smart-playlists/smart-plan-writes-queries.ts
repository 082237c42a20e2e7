import { type Selectable, sql } from 'kysely'
import type { JsonColumns } from '../../../database/column-types.ts'
import type { Tables } from '../../../database/tables.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { type InsertOf, pick, type UpdateOf } from '../../platform/database/columns.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { DraftMedia } from './plan-validation.ts'

/** Locks the client's media of these uids, in the bin or not, until the transaction ends. */
export async function holdDraftMedia(writes: Writes, uids: readonly string[]): Promise<DraftMedia[]> {
  const { rows } = await sql<DraftMedia>`
    select m.uid, m.name, m.content_type, m.deleted_at is not null as is_in_bin, m.file_version, f.duration_seconds
    from media_items m join media_files f on f.media_uid = m.uid and f.file_version = m.file_version
    where m.uid = any(${uids}::uuid[]) order by m.uid for share of m`.execute(writes)
  return rows
}

/** The columns of a smart playlist that its draft sets. */
export interface SmartRow extends Pick<
  Selectable<Tables['playlists']>,
  'name' | 'description' | 'crossfadeSeconds'
> {
  /** The fields without a column. */
  draft: JsonColumns['playlists.draft']
  windowStart: string
  windowEnd: string
  plannedPlays: number
  plannedSeconds: number
}

/** The columns of a smart playlist about its plan. */
export type StoredPlan = Pick<
  Selectable<Tables['playlists']>,
  'plannedPlays' | 'windowStart' | 'windowEnd' | 'draft'
>

/** The columns that a copy gets from its original. */
type Origin = Pick<Selectable<Tables['playlists']>, 'startDate' | 'endDate' | 'editOfUid'>

/** The dates of a playlist, in the bin or not; undefined if it does not exist. */
export function findDates(
  writes: Writes,
  uid: string,
): Promise<Pick<Origin, 'startDate' | 'endDate'> | undefined> {
  return writes
    .selectFrom('playlists')
    .select(['startDate', 'endDate'])
    .where('uid', '=', uid)
    .executeTakeFirst()
}

const smartColumns = [
  'name',
  'description',
  'crossfadeSeconds',
  'windowStart',
  'windowEnd',
  'plannedPlays',
  'plannedSeconds',
] as const
const newSmart = ['uid', 'clientId', 'kind', 'startDate', 'endDate', 'editOfUid', ...smartColumns] as const
type NewSmartPlaylist = SmartRow &
  Origin &
  InsertOf<'playlists', typeof newSmart, Exclude<keyof (SmartRow & Origin), 'draft'>>

export async function insertSmartPlaylist(
  writes: Writes,
  playlist: NewSmartPlaylist,
  at: Date,
): Promise<void> {
  await writes
    .insertInto('playlists')
    .values({
      ...pick(playlist, newSmart),
      form: 'smart' as const,
      draft: JSON.stringify(playlist.draft),
      createdAt: at,
      changedAt: at,
    })
    .execute()
}

/** Locks the playlist until the transaction ends. */
export const lockPlaylist = (writes: Writes, uid: string) =>
  writes
    .selectFrom('playlists')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type SmartUpdate = SmartRow & UpdateOf<'playlists', typeof smartColumns, Exclude<keyof SmartRow, 'draft'>>

/** @returns the playlist after the change */
export async function updateSmartPlaylist(
  writes: Writes,
  uid: string,
  { at, ...row }: SmartUpdate & { at: Date },
): Promise<Selectable<Tables['playlists']>> {
  return writes
    .updateTable('playlists')
    .set({
      ...pick(row, smartColumns),
      draft: JSON.stringify(row.draft),
      changedAt: at,
      version: sql<number>`version + 1`,
    })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a plan. @returns the media of its lists */
export async function deletePlan(writes: Writes, playlistUid: string): Promise<string[]> {
  await writes.deleteFrom('playlistBlocks').where('playlistUid', '=', playlistUid).execute()
  const rows = await writes
    .deleteFrom('playlistItems')
    .where('playlistUid', '=', playlistUid)
    .returning('mediaUid')
    .execute()
  return rows.map(({ mediaUid }) => mediaUid)
}

interface Owner {
  uid: string
  clientId: string
}

/** A track of one of the two lists, pinned to the file that it was planned with. */
export interface PlannedTrack {
  mediaUid: string
  /** From 1. */
  position: number
  fileVersion: number
  weight: number
  /** Seconds in the plan. */
  duration: number
  plannedPlays: number
}

/** Inserts tracks at their positions. */
export async function insertTracks(
  writes: Writes,
  playlist: Owner,
  tracks: readonly PlannedTrack[],
): Promise<void> {
  const rows = tracks.map(track => ({ ...track, uid: uuidV7() }))
  await sql`
    insert into playlist_items (uid, client_id, playlist_uid, media_uid, pinned_file_version, position, repeat_count,
      weight, planned_plays, planned_seconds)
    select x.uid, ${playlist.clientId}::uuid, ${playlist.uid}::uuid, x."mediaUid", x."fileVersion", x.position, 1,
      x.weight, x."plannedPlays", x.duration
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(
      uid uuid, "mediaUid" uuid, "fileVersion" int, position int, weight double precision, duration double precision,
      "plannedPlays" int)
  `.execute(writes)
}

/** Inserts blocks. @param rows a JSON array, whose tracks are named by their positions */
export async function insertBlocks(writes: Writes, playlist: Owner, rows: string): Promise<void> {
  await sql`
    insert into playlist_blocks (client_id, playlist_uid, position, kind, start_seconds, duration_seconds, tracks, starts)
    select ${playlist.clientId}::uuid, ${playlist.uid}::uuid, x.position, x.kind, x.start, x.duration, x.tracks, x.starts
    from jsonb_to_recordset(${rows}::jsonb) as x(
      position int, kind text, start double precision, duration double precision, tracks int[],
      starts double precision[])
  `.execute(writes)
}
