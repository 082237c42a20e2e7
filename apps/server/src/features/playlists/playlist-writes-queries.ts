import type { EditState } from '@floorcast/contract/groups.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

export interface PlaylistFields {
  uid: string
  kind: 'audio' | 'video'
  form: 'simple' | 'smart'
  name: string
  description: string
  state: EditState
  startDate: string | null
  endDate: string | null
  crossfadeSeconds: number
  version: number
}

/** The playlist, locked until the transaction ends: its items change one call after another. */
export function lockPlaylist(writes: Writes, uid: string): Promise<PlaylistFields | undefined> {
  return writes
    .selectFrom('playlists')
    .select(['uid', 'kind', 'form', 'name', 'description', 'state', 'startDate', 'endDate'])
    .select(['crossfadeSeconds', 'version'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export interface NewPlaylist {
  uid: string
  clientId: string
  kind: 'audio' | 'video'
  name: string
  description: string
  at: Date
}

export async function insertPlaylist(writes: Writes, { at, ...playlist }: NewPlaylist): Promise<void> {
  await writes
    .insertInto('playlists')
    .values({ ...playlist, createdAt: at, changedAt: at })
    .execute()
}

export interface PlaylistUpdate {
  name?: string
  description?: string
  startDate?: string | null
  endDate?: string | null
  crossfadeSeconds?: number
  state?: EditState
  deletedAt?: Date
  deletedBy?: string
}

export async function updatePlaylist(
  writes: Writes,
  uid: string,
  { at, ...change }: PlaylistUpdate & { at: Date },
): Promise<void> {
  await writes
    .updateTable('playlists')
    .set(eb => ({ ...change, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

/** A media item that may be put on a playlist; it cannot be binned until the transaction ends. */
export function holdMedia(
  writes: Writes,
  uid: string,
): Promise<{ uid: string; name: string; contentType: MediaType } | undefined> {
  return writes
    .selectFrom('mediaItems')
    .select(['uid', 'name', 'contentType'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** Items of a simple playlist, plays of a smart one's day. */
export async function countPlays(reads: Reads, playlistUid: string): Promise<number> {
  const row = await reads
    .selectFrom('playlists')
    .where('uid', '=', playlistUid)
    .select('plannedPlays')
    .executeTakeFirst()
  return row?.plannedPlays ?? countItems(reads, playlistUid)
}

export async function countItems(reads: Reads, playlistUid: string): Promise<number> {
  const row = await reads
    .selectFrom('playlistItems')
    .select(eb => eb.fn.countAll<number>().as('items'))
    .where('playlistUid', '=', playlistUid)
    .executeTakeFirst()
  return row?.items ?? 0
}

export interface NewItem {
  uid: string
  clientId: string
  playlistUid: string
  mediaUid: string
  position: number
}

export async function insertItem(writes: Writes, item: NewItem): Promise<void> {
  await writes
    .insertInto('playlistItems')
    .values({ ...item, repeatCount: 1 })
    .execute()
}

export interface ItemFields {
  uid: string
  mediaUid: string
  position: number
  repeatCount: number | null
  replaySeconds: number | null
  startTime: string | null
}

const ITEM_FIELDS = ['uid', 'mediaUid', 'position', 'repeatCount', 'replaySeconds', 'startTime'] as const

export function findItemAt(
  reads: Reads,
  playlistUid: string,
  position: number,
): Promise<ItemFields | undefined> {
  return reads
    .selectFrom('playlistItems')
    .select(ITEM_FIELDS)
    .where('playlistUid', '=', playlistUid)
    .where('position', '=', position)
    .executeTakeFirst()
}

export function findItems(reads: Reads, playlistUid: string): Promise<ItemFields[]> {
  return reads
    .selectFrom('playlistItems')
    .select(ITEM_FIELDS)
    .where('playlistUid', '=', playlistUid)
    .orderBy('position')
    .execute()
}

/** Takes an item out; those behind it move up, so that positions stay dense. */
export async function removeItem(
  writes: Writes,
  playlistUid: string,
  item: { uid: string; position: number },
): Promise<void> {
  await writes.deleteFrom('playlistItems').where('uid', '=', item.uid).execute()
  await writes
    .updateTable('playlistItems')
    .set(eb => ({ position: eb('position', '-', 1) }))
    .where('playlistUid', '=', playlistUid)
    .where('position', '>', item.position)
    .execute()
}

/** Moves an item to another position; those between move by one. Uniqueness is checked when the transaction ends. */
export async function moveItem(
  writes: Writes,
  playlistUid: string,
  move: { from: number; to: number },
): Promise<void> {
  const { from, to } = move
  const step = to > from ? -1 : 1
  await sql`
    update playlist_items
    set position = case when position = ${from} then ${to}::int else position + ${step}::int end
    where playlist_uid = ${playlistUid} and position between ${Math.min(from, to)} and ${Math.max(from, to)}
  `.execute(writes)
}

export type ItemSettings = Pick<ItemFields, 'repeatCount' | 'replaySeconds' | 'startTime'>

export async function updateItem(writes: Writes, uid: string, settings: ItemSettings): Promise<void> {
  await writes.updateTable('playlistItems').set(settings).where('uid', '=', uid).execute()
}
