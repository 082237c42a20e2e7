import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { addPlaylist, editPlaylist } from '@floorcast/contract/playlists.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'

export type StoredPlaylist = Selectable<Tables['playlists']>

/** Locks the playlist until the transaction ends, so that its items change one call after another. */
export function lockPlaylist(writes: Writes, uid: string): Promise<StoredPlaylist | undefined> {
  return writes
    .selectFrom('playlists')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

const newPlaylist = ['uid', 'clientId', 'kind', 'name', 'description'] as const
type NewPlaylist = InsertOf<'playlists', typeof newPlaylist, keyof BodyOf<typeof addPlaylist>>

export async function insertPlaylist(writes: Writes, playlist: NewPlaylist, at: Date): Promise<void> {
  await writes
    .insertInto('playlists')
    .values({ ...pick(playlist, newPlaylist), createdAt: at, changedAt: at })
    .execute()
}

const playlistUpdate = [
  'name',
  'description',
  'startDate',
  'endDate',
  'crossfadeSeconds',
  'state',
  'deletedAt',
  'deletedBy',
] as const
type PlaylistUpdate = UpdateOf<'playlists', typeof playlistUpdate, EditedField<typeof editPlaylist, 'items'>>

/** @returns the playlist after the change */
export async function updatePlaylist(
  writes: Writes,
  uid: string,
  { at, ...change }: PlaylistUpdate & { at: Date },
): Promise<StoredPlaylist> {
  return writes
    .updateTable('playlists')
    .set({ ...pick(change, playlistUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks a media item for a playlist: it cannot be deleted until the transaction ends. */
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

/** Locks those of the media that are not in the bin against changes until the transaction ends. */
export function holdManyMedia(
  writes: Writes,
  uids: readonly string[],
): Promise<{ uid: string; contentType: MediaType }[]> {
  return writes
    .selectFrom('mediaItems')
    .select(['uid', 'contentType'])
    .where('uid', 'in', uids)
    .where('deletedAt', 'is', null)
    .orderBy('uid')
    .forShare()
    .execute()
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

const newItem = ['uid', 'clientId', 'playlistUid', 'mediaUid', 'position'] as const
type NewItem = InsertOf<'playlistItems', typeof newItem>

/** Adds an item that is played once. */
export async function insertItem(writes: Writes, item: NewItem): Promise<void> {
  await writes
    .insertInto('playlistItems')
    .values({ ...pick(item, newItem), repeatCount: 1 })
    .execute()
}

export type StoredItem = Selectable<Tables['playlistItems']>

export function findItemAt(
  reads: Reads,
  playlistUid: string,
  position: number,
): Promise<StoredItem | undefined> {
  return reads
    .selectFrom('playlistItems')
    .selectAll()
    .where('playlistUid', '=', playlistUid)
    .where('position', '=', position)
    .executeTakeFirst()
}

export function findItems(reads: Reads, playlistUid: string): Promise<StoredItem[]> {
  return reads
    .selectFrom('playlistItems')
    .selectAll()
    .where('playlistUid', '=', playlistUid)
    .orderBy('position')
    .execute()
}

/** Removes an item. The following ones move up, so that positions stay dense. */
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

/** Moves an item to another position; the items between move by one. Uniqueness is checked when the transaction ends. */
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

type ItemChange = NonNullable<BodyOf<typeof editPlaylist>['items']>[number]
const itemSettings = ['repeatCount', 'replaySeconds', 'startTime'] as const
export type ItemSettings = Required<
  UpdateOf<'playlistItems', typeof itemSettings, Exclude<keyof ItemChange, 'uid'>>
>

export async function updateItem(writes: Writes, uid: string, settings: ItemSettings): Promise<void> {
  await writes.updateTable('playlistItems').set(pick(settings, itemSettings)).where('uid', '=', uid).execute()
}
