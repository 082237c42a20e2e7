import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { DraftMedia } from './smart-faults.ts'

/** The client's media of these uids, in the bin or not, held until the transaction ends. */
export async function holdDraftMedia(writes: Writes, uids: readonly string[]): Promise<DraftMedia[]> {
  const { rows } = await sql<DraftMedia>`
    select m.uid, m.name, m.content_type, m.deleted_at is not null as is_in_bin, m.file_version, f.duration_seconds
    from media_items m join media_files f on f.media_uid = m.uid and f.file_version = m.file_version
    where m.uid = any(${uids}::uuid[]) order by m.uid for share of m`.execute(writes)
  return rows
}

export interface SmartRow {
  uid: string
  clientId: string
  name: string
  description: string
  crossfadeSeconds: number
  /** Of the draft, what has no column. */
  draft: object
  windowStart: string
  windowEnd: string
  plannedPlays: number
  plannedSeconds: number
  at: Date
}

/** What a smart playlist has from the one that it is a copy or an edited version of. */
export interface Origin {
  startDate: string | null
  endDate: string | null
  editOfUid: string | null
}

/** The dates of a playlist, in the bin or not; undefined when the client has none of this uid. */
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

export async function insertSmartPlaylist(
  writes: Writes,
  { at, draft, ...row }: SmartRow & Origin & { kind: 'audio' | 'video' },
): Promise<void> {
  await writes
    .insertInto('playlists')
    .values({ ...row, form: 'smart', draft: JSON.stringify(draft), createdAt: at, changedAt: at })
    .execute()
}

/** The playlist, locked until the transaction ends. */
export const lockPlaylist = (writes: Writes, uid: string) =>
  writes
    .selectFrom('playlists')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export async function updateSmartPlaylist(writes: Writes, { at, draft, ...row }: SmartRow): Promise<void> {
  await writes
    .updateTable('playlists')
    .set(eb => ({ ...row, draft: JSON.stringify(draft), changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', row.uid)
    .execute()
}

/** Takes a plan away; resolves to the media that its lists had. */
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
  fileVersion: number
  weight: number
  /** Seconds, as the plan has them. */
  duration: number
  plannedPlays: number
}

/** The tracks in their order: the first has position 1. */
export async function insertTracks(
  writes: Writes,
  playlist: Owner,
  tracks: readonly PlannedTrack[],
): Promise<void> {
  const rows = tracks.map((track, index) => ({ ...track, uid: uuidV7(), position: index + 1 }))
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

/** The blocks in their order; `positions` are those of the tracks by media uid. */
export async function insertBlocks(
  writes: Writes,
  playlist: Owner,
  { finishList, positions }: { finishList: SmartDraft['finishList']; positions: ReadonlyMap<string, number> },
): Promise<void> {
  const rows = finishList.map(({ kind, start, duration, items }, index) => ({
    position: index + 1,
    kind,
    start,
    duration,
    tracks: items.map(({ uid }) => positions.get(uid)),
    starts: items.map(item => item.start),
  }))
  await sql`
    insert into playlist_blocks (client_id, playlist_uid, position, kind, start_seconds, duration_seconds, tracks, starts)
    select ${playlist.clientId}::uuid, ${playlist.uid}::uuid, x.position, x.kind, x.start, x.duration, x.tracks, x.starts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(
      position int, kind text, start double precision, duration double precision, tracks int[],
      starts double precision[])
  `.execute(writes)
}
